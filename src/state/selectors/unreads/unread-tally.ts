import {type ConversationKey, channelIdOf} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import {isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';

/** The unread counts of one channel. */
export interface ChannelCounts {
  /** Unread messages in unmuted topics, and mentions wherever they are. */
  readonly unmuted: number;
  /** Unread messages that no total includes. */
  readonly muted: number;
  readonly mentions: number;
}

/** The unread counts of the account. */
export interface UnreadCounts {
  /** All unread messages, muted ones included. */
  readonly all: number;
  /** All unread messages except muted ones that do not mention the user. */
  readonly total: number;
  readonly directs: number;
  /** Mentions in direct messages. */
  readonly directMentions: number;
  /** Including direct messages. */
  readonly mentions: number;
  readonly muted: number;
  readonly channels: ReadonlyMap<number, ChannelCounts>;
}

type MentionCounts = ReadonlyMap<ConversationKey, number>;

/** Counts the unread messages that mention the user, by conversation. Counts again only when a mention changed. */
export class MentionTally {
  #last: Unreads = noUnreads;
  #counts: MentionCounts = new Map();

  /** Returns the same map while no mention was added, removed or moved. */
  of(unreads: Unreads): MentionCounts {
    const isSame = unreads.mentions === this.#last.mentions && !this.#hasMovedMention(unreads);
    this.#last = unreads;
    if (!isSame) this.#counts = countMentions(unreads);
    return this.#counts;
  }

  /** Looks at changed conversations only: they are fewer than their messages. */
  #hasMovedMention(unreads: Unreads): boolean {
    let hasMoved = false;
    unreads.conversations.changesSince(this.#last.conversations, (key, now) => {
      hasMoved ||= mentionsIn(unreads, now) !== (this.#counts.get(key) ?? 0);
    });
    return hasMoved;
  }
}

function countMentions({mentions, byId}: Unreads): MentionCounts {
  const counts = new Map<ConversationKey, number>();
  for (const id of mentions) {
    const key = byId.get(id);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function mentionsIn({mentions, byId}: Unreads, unread: ConversationUnreads | undefined): number {
  if (unread === undefined || mentions.size === 0) return 0;
  const {key, ids} = unread;
  let count = 0;
  if (ids.size <= mentions.size) for (const id of ids) count += mentions.has(id) ? 1 : 0;
  else for (const id of mentions) count += byId.get(id) === key ? 1 : 0;
  return count;
}

type UnreadTallyState = Pick<AccountState, 'unreads' | 'userTopics' | 'subscriptions' | 'mutedUsers'>;

/** The counts that one conversation adds to the totals. */
interface ConversationCounts extends ChannelCounts {
  /** Undefined for direct messages. */
  readonly channelId: number | undefined;
}

const noCounts: ChannelCounts = {unmuted: 0, muted: 0, mentions: 0};

/**
 * Counts unread messages by channel and in total. A change costs the conversations it affects; a changed mute
 * setting costs all of them.
 */
export class UnreadTally {
  #last: (UnreadTallyState & {readonly mentionCounts: MentionCounts}) | undefined;
  readonly #byConversation = new Map<ConversationKey, ConversationCounts>();
  #channels: ReadonlyMap<number, ChannelCounts> = new Map();
  #directs: ChannelCounts = noCounts;
  #muted = 0;

  of(state: UnreadTallyState, mentionCounts: MentionCounts): UnreadCounts {
    const {unreads, userTopics, subscriptions, mutedUsers} = state;
    if (this.#hasMuteChange(state)) this.#reset();
    const changedKeys = this.#changedKeys(unreads, mentionCounts);
    this.#last = {unreads, userTopics, subscriptions, mutedUsers, mentionCounts};
    if (changedKeys.size > 0) this.#recount(state, changedKeys, mentionCounts);
    const all = unreads.byId.size;
    return {
      all,
      total: all - this.#muted,
      directs: this.#directs.unmuted,
      directMentions: this.#directs.mentions,
      mentions: unreads.mentions.size,
      muted: this.#muted,
      channels: this.#channels,
    };
  }

  #hasMuteChange({userTopics, subscriptions, mutedUsers}: UnreadTallyState): boolean {
    const last = this.#last;
    return last?.userTopics !== userTopics || last.subscriptions !== subscriptions || last.mutedUsers !== mutedUsers;
  }

  #reset(): void {
    this.#last = undefined;
    this.#byConversation.clear();
    this.#channels = new Map();
    this.#directs = noCounts;
    this.#muted = 0;
  }

  #changedKeys(unreads: Unreads, mentionCounts: MentionCounts): ReadonlySet<ConversationKey> {
    const keys = new Set<ConversationKey>();
    const {conversations} = this.#last?.unreads ?? noUnreads;
    unreads.conversations.changesSince(conversations, (key) => keys.add(key));
    const before = this.#last?.mentionCounts;
    if (before === undefined || before === mentionCounts) return keys;
    for (const [key, count] of before) if (mentionCounts.get(key) !== count) keys.add(key);
    for (const key of mentionCounts.keys()) if (!before.has(key)) keys.add(key);
    return keys;
  }

  #recount(state: UnreadTallyState, changedKeys: ReadonlySet<ConversationKey>, mentionCounts: MentionCounts): void {
    const channels = new Map(this.#channels);
    for (const key of changedKeys) {
      const before = this.#byConversation.get(key);
      const unread = state.unreads.conversations.get(key);
      const now = unread === undefined ? undefined : countsOf(state, unread, mentionCounts.get(key) ?? 0);
      if (before !== undefined) this.#add(channels, before, -1);
      if (now !== undefined) this.#add(channels, now, 1);
      if (now === undefined) this.#byConversation.delete(key);
      else this.#byConversation.set(key, now);
    }
    this.#channels = channels;
  }

  #add(channels: Map<number, ChannelCounts>, counts: ConversationCounts, sign: 1 | -1): void {
    const {channelId, muted} = counts;
    this.#muted += sign * muted;
    if (channelId === undefined) {
      this.#directs = summed(this.#directs, counts, sign);
      return;
    }
    const sum = summed(channels.get(channelId) ?? noCounts, counts, sign);
    if (sum.unmuted + sum.muted === 0) channels.delete(channelId);
    else channels.set(channelId, sum);
  }
}

function countsOf(
  state: UnreadTallyState,
  {key, conversation, ids}: ConversationUnreads,
  mentions: number,
): ConversationCounts {
  const muted = isConversationMuted(state, conversation, key) ? ids.size - mentions : 0;
  const channelId = channelIdOf(conversation);
  return {channelId, unmuted: ids.size - muted, muted, mentions};
}

function summed(sum: ChannelCounts, counts: ChannelCounts, sign: 1 | -1): ChannelCounts {
  return {
    unmuted: sum.unmuted + sign * counts.unmuted,
    muted: sum.muted + sign * counts.muted,
    mentions: sum.mentions + sign * counts.mentions,
  };
}
