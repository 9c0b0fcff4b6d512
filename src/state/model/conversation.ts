/** Where a message belongs: one topic of one channel, or one set of people. */
export type Conversation = TopicConversation | DirectConversation;

export interface TopicConversation {
  readonly kind: 'topic';
  readonly channelId: number;
  readonly topic: string;
}

export interface DirectConversation {
  readonly kind: 'direct';
  /** Ascending, without oneself; empty for notes to self. */
  readonly userIds: readonly number[];
}

/** Equal keys, same conversation. Topics differ in more than case; everything else about them is exact. */
export type ConversationKey = string;

export function topicKey(topic: string): string {
  return topic.toLowerCase();
}

export function conversationKey(conversation: Conversation): ConversationKey {
  return conversation.kind === 'topic'
    ? topicConversationKey(conversation.channelId, conversation.topic)
    : directKey(conversation.userIds);
}

export function topicConversationKey(channelId: number, topic: string): ConversationKey {
  return `c${channelId}:${topicKey(topic)}`;
}

/** `userIds` ascending and without oneself, as in `DirectConversation`. */
export function directKey(userIds: readonly number[]): ConversationKey {
  return `d${userIds.join()}`;
}

export function topicConversation(channelId: number, topic: string): TopicConversation {
  return {kind: 'topic', channelId, topic};
}

/** Any list of the people in it, oneself included or not. */
export function directConversation(people: Iterable<number>, selfId: number): DirectConversation {
  const others = new Set(people);
  others.delete(selfId);
  return {kind: 'direct', userIds: [...others].sort((a, b) => a - b)};
}

export function sameConversation(a: Conversation, b: Conversation): boolean {
  return conversationKey(a) === conversationKey(b);
}
