import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {noUnreads, type Unreads} from '#state/model/unread.ts';
import {invariant} from '#std/invariant.ts';
import {type SortedMap, SortedSet} from '#std/sorted-map.ts';

export interface UnreadMessage {
  readonly id: number;
  readonly conversation: Conversation;
  readonly isMention: boolean;
}

/** One that is already there moves to the conversation given. */
export function addUnread(unreads: Unreads, message: UnreadMessage): Unreads {
  return addUnreads(unreads, [message]);
}

/** Costs what is added, whatever is there already. Of a message named twice the last word counts. */
export function addUnreads(unreads: Unreads, given: readonly UnreadMessage[]): Unreads {
  const messages = given.length < 2 ? given : [...new Map(given.map((one) => [one.id, one])).values()];
  const elsewhere = messages.filter(({id, conversation}) => {
    const key = unreads.byId.get(id);
    return key !== undefined && key !== conversationKey(conversation);
  });
  const before = removeUnreads(
    unreads,
    elsewhere.map(({id}) => id),
  );
  const homed = [...byConversation(messages).values()].reduce(
    (index, {conversation, ids}) => withIdsInConversation(index, conversation, ids),
    before,
  );
  return withMentions(homed, messages);
}

function byConversation(messages: readonly UnreadMessage[]) {
  const groups = new Map<ConversationKey, {conversation: Conversation; ids: number[]}>();
  for (const {id, conversation} of messages) {
    const key = conversationKey(conversation);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, {conversation, ids: [id]});
    else group.ids.push(id);
  }
  return groups;
}

/** Puts ids that are nowhere else into a conversation, which is spelt as in its latest message. */
function withIdsInConversation(
  unreads: Unreads,
  conversation: Conversation,
  ids: readonly number[],
): Unreads {
  const key = conversationKey(conversation);
  const before = unreads.conversations.get(key);
  const added = before === undefined ? ids : ids.filter((id) => !before.ids.has(id));
  const newest = ids.reduce((a, b) => Math.max(a, b), 0);
  const isLatest = newest >= (before?.ids.last() ?? 0);
  const named = before === undefined || isLatest ? conversation : before.conversation;
  if (added.length === 0 && (before === undefined || sameSpelling(before.conversation, named)))
    return unreads;
  const after = {
    key,
    conversation: named,
    ids: (before?.ids ?? SortedSet.empty<number>()).withAll(added),
  };
  return {
    ...unreads,
    byId: unreads.byId.edit((draft) => {
      for (const id of added) draft.set(id, key);
    }),
    conversations: unreads.conversations.with(key, after),
    channels: before === undefined ? withTopic(unreads.channels, conversation, key) : unreads.channels,
  };
}

function sameSpelling(a: Conversation, b: Conversation): boolean {
  return a.kind !== 'topic' || b.kind !== 'topic' || a.topic === b.topic;
}

function withTopic(
  channels: Unreads['channels'],
  conversation: Conversation,
  key: ConversationKey,
): Unreads['channels'] {
  if (conversation.kind === 'direct') return channels;
  const topics = channels.get(conversation.channelId) ?? SortedSet.empty<ConversationKey>();
  return channels.with(conversation.channelId, topics.with(key));
}

function withMentions(unreads: Unreads, messages: readonly UnreadMessage[]): Unreads {
  const wrong = messages.filter(({id, isMention}) => unreads.mentions.has(id) !== isMention);
  if (wrong.length === 0) return unreads;
  const [mentions, others] = [
    wrong.filter(({isMention}) => isMention),
    wrong.filter((one) => !one.isMention),
  ];
  return {
    ...unreads,
    mentions: unreads.mentions.withAll(mentions.map(({id}) => id)).withoutAll(others.map(({id}) => id)),
  };
}

/** Whether an unread message mentions the user. Of others nothing is kept. */
export function withMention(unreads: Unreads, id: number, isMention: boolean): Unreads {
  if (!unreads.byId.has(id) || unreads.mentions.has(id) === isMention) return unreads;
  return {...unreads, mentions: isMention ? unreads.mentions.with(id) : unreads.mentions.without(id)};
}

/** Ids that are not unread change nothing. */
export function removeUnreads(unreads: Unreads, ids: Iterable<number>): Unreads {
  const gone = new Map<ConversationKey, number[]>();
  for (const id of ids) {
    const key = unreads.byId.get(id);
    if (key === undefined) continue;
    const group = gone.get(key);
    if (group === undefined) gone.set(key, [id]);
    else group.push(id);
  }
  if (gone.size === 0) return unreads;
  const flat = [...gone.values()].flat();
  const mentions = flat.filter((id) => unreads.mentions.has(id));
  return {
    ...unreads,
    byId: unreads.byId.edit((draft) => {
      for (const id of flat) draft.delete(id);
    }),
    mentions: mentions.length === 0 ? unreads.mentions : unreads.mentions.withoutAll(mentions),
    ...[...gone].reduce(withoutIds, {conversations: unreads.conversations, channels: unreads.channels}),
  };
}

type ConversationIndexes = Pick<Unreads, 'conversations' | 'channels'>;

function withoutIds(
  homes: ConversationIndexes,
  [key, ids]: readonly [ConversationKey, readonly number[]],
): ConversationIndexes {
  const before = homes.conversations.get(key);
  if (before === undefined) return homes;
  const left = before.ids.withoutAll(ids);
  if (left.size > 0) {
    return {...homes, conversations: homes.conversations.with(key, {...before, ids: left})};
  }
  return {
    conversations: homes.conversations.without(key),
    channels: withoutTopic(homes.channels, before.conversation, key),
  };
}

function withoutTopic(
  channels: Unreads['channels'],
  conversation: Conversation,
  key: ConversationKey,
): Unreads['channels'] {
  if (conversation.kind === 'direct') return channels;
  const left = channels.get(conversation.channelId)?.without(key);
  if (left === undefined) return channels;
  return left.size === 0
    ? channels.without(conversation.channelId)
    : channels.with(conversation.channelId, left);
}

/** Those of the ids that are unread go to another conversation; they mention whom they mentioned. */
export function moveUnreads(unreads: Unreads, ids: Iterable<number>, conversation: Conversation): Unreads {
  const moved = [...ids].filter((id) => unreads.byId.has(id));
  if (moved.length === 0) return unreads;
  return addUnreads(
    unreads,
    moved.map((id) => ({id, conversation, isMention: unreads.mentions.has(id)})),
  );
}

/** For a channel one is no longer subscribed to. */
export function clearChannelUnreads(unreads: Unreads, channelId: number): Unreads {
  const topics = unreads.channels.get(channelId);
  if (topics === undefined) return unreads;
  return removeUnreads(
    unreads,
    [...topics].flatMap((key) => unreads.conversations.get(key)?.ids.toArray() ?? []),
  );
}

/** Everything was marked read, also what the server had left out. */
export function clearAllUnreads(unreads: Unreads): Unreads {
  return unreads.byId.size === 0 && !unreads.oldMissing ? unreads : noUnreads;
}

/** Throws when the parts contradict each other. Costs as much as there is: for tests. */
export function checkUnreads({byId, conversations, channels, mentions}: Unreads): void {
  let count = 0;
  let topicCount = 0;
  for (const [key, unread] of conversations) {
    const {conversation, ids} = unread;
    invariant(
      unread.key === key && conversationKey(conversation) === key,
      `unreads under a wrong key: ${key}`,
    );
    invariant(ids.size > 0, `a conversation without unreads: ${key}`);
    for (const id of ids) invariant(byId.get(id) === key, `unread ${id} is not filed under ${key}`);
    count += ids.size;
    if (conversation.kind === 'direct') continue;
    topicCount++;
    invariant(channels.get(conversation.channelId)?.has(key), `no channel knows the topic ${key}`);
  }
  invariant(count === byId.size, `${byId.size} unread messages, but ${count} in conversations`);
  invariant(topicCount === topicsIn(channels), 'channels know topics that are not there');
  for (const id of mentions) invariant(byId.has(id), `the mention ${id} is not unread`);
}

function topicsIn(channels: SortedMap<number, SortedSet<ConversationKey>>): number {
  let count = 0;
  for (const [channelId, topics] of channels) {
    invariant(topics.size > 0, `a channel without unread topics: ${channelId}`);
    count += topics.size;
  }
  return count;
}
