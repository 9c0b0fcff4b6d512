import type {ConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import {isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';

export interface ChannelCounts {
  /** What asks for attention: unmuted topics, and mentions wherever they are. */
  readonly unmuted: number;
  /** What is left out of every sum. */
  readonly muted: number;
  readonly mentions: number;
}

export interface UnreadCounts {
  /** Every unread message there is, muted ones too. */
  readonly all: number;
  /** What asks for attention: all but what is muted and does not mention one. */
  readonly total: number;
  readonly directs: number;
  /** Direct messages among them. */
  readonly mentions: number;
  readonly muted: number;
  readonly channels: ReadonlyMap<number, ChannelCounts>;
}

type MentionCounts = ReadonlyMap<ConversationKey, number>;

/** How many unread messages mention the user, by conversation. Counted anew when it is about a mention. */
export class MentionTally {
  #seen: Unreads = noUnreads;
  #counts: MentionCounts = new Map();

  /** The same map while no mention came, went or moved. */
  of(unreads: Unreads): MentionCounts {
    const isSame = unreads.mentions === this.#seen.mentions && !hasMoved(unreads, this.#seen);
    this.#seen = unreads;
    if (!isSame) this.#counts = counted(unreads);
    return this.#counts;
  }
}

function hasMoved({mentions, byId}: Unreads, before: Unreads): boolean {
  let isMoved = false;
  byId.changesSince(before.byId, (id) => {
    isMoved ||= mentions.has(id);
  });
  return isMoved;
}

function counted({mentions, byId}: Unreads): MentionCounts {
  const counts = new Map<ConversationKey, number>();
  for (const id of mentions) {
    const key = byId.get(id);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

type UnreadTallyState = Pick<AccountState, 'unreads' | 'userTopics' | 'subscriptions' | 'mutedUsers'>;

/** What one conversation adds to the sums. */
interface ConversationShare extends ChannelCounts {
  /** Undefined for direct messages. */
  readonly channelId: number | undefined;
}

const nothing: ChannelCounts = {unmuted: 0, muted: 0, mentions: 0};

/** How much is unread, by channel and in all; a change costs the conversations it is about, muting costs all of them. */
export class UnreadTally {
  #seen: (UnreadTallyState & {readonly mentionCounts: MentionCounts}) | undefined;
  readonly #shares = new Map<ConversationKey, ConversationShare>();
  #channels: ReadonlyMap<number, ChannelCounts> = new Map();
  #directs: ChannelCounts = nothing;
  #muted = 0;

  of(state: UnreadTallyState, mentionCounts: MentionCounts): UnreadCounts {
    const {unreads, userTopics, subscriptions, mutedUsers} = state;
    if (this.#isMutedOtherwise(state)) this.#forget();
    const touched = this.#touched(unreads, mentionCounts);
    this.#seen = {unreads, userTopics, subscriptions, mutedUsers, mentionCounts};
    if (touched.size > 0) this.#renew(state, touched, mentionCounts);
    const all = unreads.byId.size;
    return {
      all,
      total: all - this.#muted,
      directs: this.#directs.unmuted,
      mentions: unreads.mentions.size,
      muted: this.#muted,
      channels: this.#channels,
    };
  }

  #isMutedOtherwise({userTopics, subscriptions, mutedUsers}: UnreadTallyState): boolean {
    const seen = this.#seen;
    return (
      seen?.userTopics !== userTopics ||
      seen.subscriptions !== subscriptions ||
      seen.mutedUsers !== mutedUsers
    );
  }

  #forget(): void {
    this.#seen = undefined;
    this.#shares.clear();
    this.#channels = new Map();
    this.#directs = nothing;
    this.#muted = 0;
  }

  #touched(unreads: Unreads, mentionCounts: MentionCounts): ReadonlySet<ConversationKey> {
    const keys = new Set<ConversationKey>();
    const {conversations} = this.#seen?.unreads ?? noUnreads;
    unreads.conversations.changesSince(conversations, (key) => keys.add(key));
    const before = this.#seen?.mentionCounts;
    if (before === undefined || before === mentionCounts) return keys;
    for (const [key, count] of before) if (mentionCounts.get(key) !== count) keys.add(key);
    for (const key of mentionCounts.keys()) if (!before.has(key)) keys.add(key);
    return keys;
  }

  #renew(state: UnreadTallyState, touched: ReadonlySet<ConversationKey>, mentionCounts: MentionCounts): void {
    const channels = new Map(this.#channels);
    for (const key of touched) {
      const before = this.#shares.get(key);
      const unread = state.unreads.conversations.get(key);
      const now = unread === undefined ? undefined : shareOf(state, unread, mentionCounts.get(key) ?? 0);
      if (before !== undefined) this.#add(channels, before, -1);
      if (now !== undefined) this.#add(channels, now, 1);
      if (now === undefined) this.#shares.delete(key);
      else this.#shares.set(key, now);
    }
    this.#channels = channels;
  }

  #add(channels: Map<number, ChannelCounts>, share: ConversationShare, sign: 1 | -1): void {
    const {channelId, muted} = share;
    this.#muted += sign * muted;
    if (channelId === undefined) {
      this.#directs = summed(this.#directs, share, sign);
      return;
    }
    const sum = summed(channels.get(channelId) ?? nothing, share, sign);
    if (sum.unmuted + sum.muted === 0) channels.delete(channelId);
    else channels.set(channelId, sum);
  }
}

function shareOf(
  state: UnreadTallyState,
  {key, conversation, ids}: ConversationUnreads,
  mentions: number,
): ConversationShare {
  const muted = isConversationMuted(state, conversation, key) ? ids.size - mentions : 0;
  const channelId = conversation.kind === 'topic' ? conversation.channelId : undefined;
  return {channelId, unmuted: ids.size - muted, muted, mentions};
}

function summed(sum: ChannelCounts, share: ChannelCounts, sign: 1 | -1): ChannelCounts {
  return {
    unmuted: sum.unmuted + sign * share.unmuted,
    muted: sum.muted + sign * share.muted,
    mentions: sum.mentions + sign * share.mentions,
  };
}
