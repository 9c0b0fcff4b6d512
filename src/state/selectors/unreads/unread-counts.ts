import {type Conversation, type ConversationKey, channelIdOf, conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import {isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';
import {clearChannelUnreads, unreadIdsOf} from '#state/unreads/unreads.ts';
import {memoByInputs, memoByObject, memoBySlices, versionOfSlices} from '#std/memo.ts';
import {type NarrowTerm, orParts} from '#wire/narrow.ts';

/** The unread counts of one channel. */
export interface ChannelCounts {
  /** Unread messages in unmuted topics, and mentions wherever they are. */
  readonly unmuted: number;
  /** Unread messages that no total includes. */
  readonly muted: number;
  readonly mentions: number;
}

/** The unread counts of the account. */
interface UnreadCounts {
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

/** The counts of a channel without unread messages. */
export const noCounts: ChannelCounts = {unmuted: 0, muted: 0, mentions: 0};

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

type CountedState = Pick<AccountState, 'self' | 'unreads' | 'channels'>;

/** Returns the unread messages that counts and lists include: all but those in archived channels. */
export const countedUnreads = memoBySlices(
  ['unreads', 'channels'],
  ({unreads, channels}: CountedState): Unreads =>
    // Of the few channels with unread messages, not of all.
    [...unreads.channels.keys()].filter((id) => channels.get(id)?.isArchived).reduce(clearChannelUnreads, unreads),
);

const mentionTally = memoByObject((_self: object) => new MentionTally());

/** Returns the number of unread mentions by conversation; conversations without any are absent. */
export const mentionCounts = memoBySlices(
  ['unreads', 'channels'],
  (state: CountedState): ReadonlyMap<ConversationKey, number> => mentionTally(state.self).of(countedUnreads(state)),
);

const unreadTally = memoByObject((_self: object) => new UnreadTally());

export const unreadCounts = memoBySlices(
  ['unreads', 'channels', 'userTopics', 'subscriptions', 'mutedUsers'],
  (state: AccountState): UnreadCounts => {
    const {self, userTopics, subscriptions, mutedUsers} = state;
    return unreadTally(self).of(
      {unreads: countedUnreads(state), userTopics, subscriptions, mutedUsers},
      mentionCounts(state),
    );
  },
);

export function channelUnreads(state: AccountState, channelId: number): ChannelCounts {
  return unreadCounts(state).channels.get(channelId) ?? noCounts;
}

/** The number of unread messages at a name: the same in lists, the header, the palette and the window title. */
export interface ShownUnreads {
  readonly count: number;
  /** How many of them mention the user. */
  readonly mentions: number;
  /** Whether the count is that of muted messages: no total includes more of them than the mentions. */
  readonly isQuiet: boolean;
  /** Why there may be more: not every unread message is known to match or not. */
  readonly missing?: string;
}

/** Returns what a channel shows: the messages that are not muted, or else the muted ones. */
export function shownUnreads({unmuted, muted, mentions}: ChannelCounts): ShownUnreads {
  return {count: unmuted === 0 ? muted : unmuted, mentions, isQuiet: unmuted === 0};
}

export function conversationUnreads(
  state: AccountState,
  conversation: Conversation,
  key: ConversationKey = conversationKey(conversation),
): ShownUnreads {
  return {
    count: countedUnreads(state).conversations.get(key)?.ids.size ?? 0,
    mentions: mentionCounts(state).get(key) ?? 0,
    isQuiet: isConversationMuted(state, conversation, key),
  };
}

/** Returns the unread messages of a view, as far as they are known without the server. */
export function viewUnreads(state: AccountState, narrow: Narrow): ShownUnreads {
  const terms = narrow.filter(({operator}) => operator !== 'near' && operator !== 'with');
  const conversation = conversationOfNarrow(terms);
  if (conversation !== undefined) return conversationUnreads(state, conversation);
  const [term] = terms;
  if (terms.length > 1 || term?.negated === true) return matchingUnreads(state, narrow);
  const {all, total, directs, mentions, directMentions} = unreadCounts(state);
  switch (term === undefined ? '' : `${term.operator}:${term.operator === 'channel' ? '' : term.operand}`) {
    case '':
    case 'in:all':
    case 'is:unread':
      return {count: all, mentions, isQuiet: false};
    case 'in:home':
      return {count: total, mentions, isQuiet: false};
    case 'is:dm':
      return {count: directs, mentions: directMentions, isQuiet: false};
    case 'is:mentioned':
      return {count: mentions, mentions, isQuiet: false};
    case 'channel:':
      return shownUnreads(channelUnreads(state, Number(term?.operand)));
    default:
      return matchingUnreads(state, narrow);
  }
}

/** Above this number of unread messages, other views are not counted: each arriving message would visit all of them. */
const maxCounted = 5000;

/** More views than most sidebars and headers show. */
const maxViews = 32;

const countSources = versionOfSlices<AccountState>([
  'unreads',
  'userTopics',
  'subscriptions',
  'channels',
  'starred',
  'mutedUsers',
  'messages',
]);

const matchingUnreads = memoByInputs(
  ({self}: AccountState) => self,
  (state, narrow: Narrow) => {
    const key = narrowKey(narrow);
    return [key, state.timelines.get(key), countSources(state)];
  },
  countMatching,
  maxViews,
);

function countMatching(account: AccountState, narrow: Narrow): ShownUnreads {
  const {unreads} = account;
  if (unreads.byId.size > maxCounted) {
    const missing = 'There are too many unread messages to count them here.';
    return {count: 0, mentions: 0, isQuiet: false, missing};
  }
  let unknown = 0;
  const ids = unreadIdsOf(account, narrow, () => {
    unknown += 1;
  });
  const mentions = ids.filter((id) => unreads.mentions.has(id)).length;
  const missing = unknown === 0 ? undefined : missingReason(narrow);
  return {count: ids.length, mentions, isQuiet: false, ...(missing !== undefined && {missing})};
}

function partsOf(narrow: Narrow): Narrow {
  return (orParts(narrow) ?? [narrow]).flat();
}

function missingReason(narrow: Narrow): string {
  const term = partsOf(narrow).find(isOnlyServers);
  if (term === undefined) return 'No count: some of your unread messages are not loaded.';
  const named = term.operator === 'search' ? 'words' : `“${term.operator}:”`;
  return `No count: only the server can search for ${named}.`;
}

function isOnlyServers({operator, operand}: NarrowTerm): boolean {
  return operator === 'search' || operator === 'mentions' || (operator === 'has' && operand !== 'reaction');
}
