import {isRecord} from '#std/parse-json.ts';

/** The conversation of a message: one topic of one channel, or one set of direct message participants. */
export type Conversation = TopicConversation | DirectConversation;

export interface TopicConversation {
  readonly kind: 'topic';
  readonly channelId: number;
  readonly topic: string;
}

export interface DirectConversation {
  readonly kind: 'direct';
  /** Ascending, without the user's own id; empty for messages to oneself. */
  readonly userIds: readonly number[];
}

/** A string that is equal for equal conversations. Topics compare case-insensitively, everything else exactly. */
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

/** `userIds` must be ascending and without the user's own id, as in `DirectConversation`. */
export function directKey(userIds: readonly number[]): ConversationKey {
  return `d${userIds.join()}`;
}

export function topicConversation(channelId: number, topic: string): TopicConversation {
  return {kind: 'topic', channelId, topic};
}

/** Returns the direct conversation of these people; the list may or may not contain the user. */
export function directConversation(people: Iterable<number>, selfId: number): DirectConversation {
  const others = new Set(people);
  others.delete(selfId);
  return {kind: 'direct', userIds: [...others].sort((a, b) => a - b)};
}

export function sameConversation(a: Conversation, b: Conversation): boolean {
  return conversationKey(a) === conversationKey(b);
}

/** Returns the channel of a conversation; undefined for direct messages. */
export function channelIdOf(conversation: Conversation): number | undefined {
  return conversation.kind === 'topic' ? conversation.channelId : undefined;
}

/** Returns a conversation that was saved as JSON; undefined when it is invalid. */
export function conversationFromJson(json: unknown): Conversation | undefined {
  if (!isRecord(json)) return undefined;
  const {kind, channelId, topic, userIds} = json;
  if (kind === 'topic' && typeof channelId === 'number' && typeof topic === 'string') return {kind, channelId, topic};
  if (kind !== 'direct' || !Array.isArray(userIds) || !userIds.every(Number.isSafeInteger)) return undefined;
  return {kind, userIds};
}
