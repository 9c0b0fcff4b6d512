import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow, type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import {isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import {sameArguments} from '#std/memo.ts';
import {type NarrowTerm, orParts} from '#wire/narrow.ts';
import {countedUnreads} from './counted-unreads.ts';
import {channelUnreads, mentionCounts, unreadCounts} from './unread-counts.ts';
import type {ChannelCounts} from './unread-tally.ts';

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

interface Counted {
  readonly inputs: readonly unknown[];
  readonly unreads: ShownUnreads;
}

const lastCounts = new WeakMap<AccountState['self'], Map<NarrowKey, Counted>>();
const none: ShownUnreads = {count: 0, mentions: 0, isQuiet: false};

function matchingUnreads(account: AccountState, narrow: Narrow): ShownUnreads {
  const {self, unreads, userTopics, subscriptions, channels, starred, mutedUsers} = account;
  if (unreads.byId.size > maxCounted)
    return {...none, missing: 'There are too many unread messages to count them here.'};
  const counts = lastCounts.get(self) ?? new Map<NarrowKey, Counted>();
  lastCounts.set(self, counts);
  const key = narrowKey(narrow);
  const timeline = account.timelines.get(key);
  const content = needsMessages(narrow) ? account.messages : undefined;
  const inputs = [unreads, userTopics, subscriptions, channels, starred, mutedUsers, timeline, content];
  const last = counts.get(key);
  if (last !== undefined && sameArguments(last.inputs, inputs)) return last.unreads;
  let unknown = 0;
  const ids = unreadIdsOf(account, narrow, () => {
    unknown += 1;
  });
  const mentions = ids.filter((id) => unreads.mentions.has(id)).length;
  const missing = unknown === 0 ? undefined : missingReason(narrow);
  const found: ShownUnreads = {count: ids.length, mentions, isQuiet: false, ...(missing !== undefined && {missing})};
  counts.set(key, {inputs, unreads: found});
  return found;
}

/** Whether loaded messages decide more than unread ones: by their senders, times, reactions and words. */
function needsMessages(narrow: Narrow): boolean {
  return partsOf(narrow).some(({operator}) => !conversationOperators.has(operator));
}

const conversationOperators: ReadonlySet<string> = new Set([
  'channel',
  'channels',
  'topic',
  'dm',
  'dm-including',
  'is',
]);

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
