import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {ageText} from '#app/format/age-text.ts';
import {messageContext} from '#app/format/message-context.ts';
import {isSnoozed} from '#app/inbox/snooze/snooze.ts';
import {peopleText} from '#app/lists/conversation-row.ts';
import type {ListRow, RowTarget} from '#app/lists/list-row.ts';
import type {ParseContext} from '#content/parse-context.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {reuseEqualFields, reuseEqualValue, reuseIfEqual} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {ArrangedRow} from './arranged-row.ts';
import type {RemovalReason} from './removal-reason.ts';

/** A conversation that waits in the inbox. */
export interface TriageItem extends ListRow {
  readonly kind: 'item';
  readonly inboxGroup: InboxGroupId;
  readonly conversation: Conversation;
  readonly count: number;
  /** How many of them came since the inbox was opened. */
  readonly newCount: number;
  /** The whole conversation came since then. */
  readonly isNew: boolean;
  /** It was put off, and its time has come. */
  readonly isSnoozeOver: boolean;
  /** Nothing of it is unread any more, and it is only there because the cursor is on it. */
  readonly isRemoved: boolean;
  /** Why that is so. */
  readonly removalReason: RemovalReason | undefined;
  readonly hasMention: boolean;
  readonly hasAlertWord: boolean;
  readonly isFollowed: boolean;
  /** Also where a mention keeps it among those that are heard. */
  readonly isMuted: boolean;
  readonly isResolved: boolean;
  readonly hasDraft: boolean;
  /** Of the oldest unread message; empty while it is not loaded. */
  readonly age: string;
  readonly people: string;
  /** The source of the first line that is unread. */
  readonly snippet: string;
  /** What that line is read by. */
  readonly names: ParseContext;
  readonly oldestUnreadId: number;
}

export interface TriageTitle extends ListRow {
  readonly kind: 'title';
  readonly inboxGroup: InboxGroupId;
  /** How many conversations. */
  readonly count: number;
}

export type TriageRow = TriageItem | TriageTitle;

/** All that rows of the inbox are made from, besides the conversations themselves and their places. */
export interface RowBasis extends Pick<AccountState, 'self' | 'users' | 'mutedUsers' | 'realm'> {
  readonly minute: number;
  readonly names: ParseContext;
  readonly laters: LaterStates;
}

const reuseEqualBasis = reuseEqualFields<RowBasis>();

/** Returns what the rows of a frame are made from; the same object while its parts are the same. */
export function rowBasis(frame: Frame): RowBasis {
  const {account, minute} = frame;
  const {self, users, mutedUsers, realm} = account;
  return reuseEqualBasis({
    self,
    users,
    mutedUsers,
    realm,
    minute,
    names: messageContext(account),
    laters: laterStates(frame),
  });
}

type LaterStates = SortedMap<ConversationKey, 'hidden' | 'back'>;

const reuseEqualStates = reuseEqualValue<LaterStates>(deepEqual);

/** Of the conversations that were put off: whether they are hidden, or it is their time. The same map while it says the same. */
const laterStates = memoByFrame(
  ({account, screen, minute}) => [screen.inbox.snoozes, account.unreads, minute],
  ({account, screen, minute}): LaterStates => {
    const states = [...screen.inbox.snoozes.values()].map((entry) => {
      const state = isSnoozed(account.unreads, entry, minute) ? 'hidden' : 'back';
      return [entry.key, state] as const;
    });
    return reuseEqualStates(SortedMap.from(states));
  },
);

interface CachedTriageItem {
  readonly item: TriageItem;
  readonly basis: RowBasis;
}

const cachedItems = new WeakMap<ArrangedRow, CachedTriageItem>();

/** Returns the row as it is shown; the same object while it says the same: there may be thousands, and one key changes one. */
export function triageItem(arranged: ArrangedRow, basis: RowBasis): TriageItem {
  const known = cachedItems.get(arranged);
  if (known?.basis === basis) return known.item;
  const item = reuseIfEqual(known?.item, newItem(arranged, basis));
  cachedItems.set(arranged, {item, basis});
  return item;
}

function newItem({row, position: placed, isRemoved: isGone}: ArrangedRow, basis: RowBasis): TriageItem {
  return {
    key: row.key,
    kind: 'item',
    label: row.title,
    group: placed.group,
    inboxGroup: placed.group,
    target: targetOf(row),
    conversation: row.conversation,
    count: row.count,
    newCount: isGone || placed.isNew ? 0 : addedSince(row, placed.newestId),
    isNew: placed.isNew,
    isSnoozeOver: basis.laters.get(row.key) === 'back',
    isRemoved: isGone,
    removalReason: undefined,
    hasMention: row.hasMention,
    hasAlertWord: row.hasAlertWord,
    isFollowed: row.isFollowed,
    isMuted: row.isMuted,
    isResolved: row.isResolved,
    hasDraft: row.hasDraft,
    age: row.oldestUnreadAt === undefined ? '' : ageText(row.oldestUnreadAt * 1000, basis.minute),
    people: peopleText(basis, row.conversation, row.participants),
    snippet: row.snippet ?? '',
    names: basis.names,
    oldestUnreadId: row.oldestUnreadId,
  };
}

const targets = new WeakMap<Conversation, RowTarget>();

/** The same object for the same conversation, so that rows can be compared quickly. */
function targetOf({conversation}: InboxRow): RowTarget {
  const target = targets.get(conversation) ?? {kind: 'conversation', conversation};
  targets.set(conversation, target);
  return target;
}

/** Whether a row of the list is a conversation of the inbox. */
export function isTriageItem(row: ListRow | undefined): row is TriageItem {
  return row?.kind === 'item' && 'inboxGroup' in row;
}

function addedSince({unreadIds, newestUnreadId}: InboxRow, newestId: number): number {
  if (newestUnreadId <= newestId) return 0;
  let count = 0;
  for (const _ of unreadIds.from(newestId + 1)) count += 1;
  return count;
}
