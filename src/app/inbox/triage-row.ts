import type {Frame} from '#app/core/frame.ts';
import {ageText} from '#app/format/age-text.ts';
import {messageContext} from '#app/format/message-context.ts';
import {isSnoozed} from '#app/inbox/snooze/snooze.ts';
import {peopleText} from '#app/lists/conversation-row.ts';
import type {ListRow, RowTarget} from '#app/lists/list-row.ts';
import type {ParseContext} from '#content/parse-context.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {InboxGroupId, InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import type {AccountState} from '#state/state.ts';
import {reuseIfEqual} from '#std/memo.ts';
import type {ArrangedRow, RowPosition} from './arranged-row.ts';
import {type RemovalReason, removalReasonOf} from './removal-reason.ts';

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

interface CachedTriageItem {
  readonly item: TriageItem;
  readonly group: string;
  readonly position: RowPosition;
  readonly isGone: boolean;
  readonly isBack: boolean;
  readonly minute: number;
  readonly users: AccountState['users'];
  readonly mutedUsers: AccountState['mutedUsers'];
}

const cachedItems = new WeakMap<InboxRow, CachedTriageItem>();

/** The same object while it says the same: there may be thousands, and one key changes one. `group` folds it away. */
export function triageItem(
  frame: Frame,
  {row, position: placed, isRemoved: isGone}: ArrangedRow,
  group: string,
): TriageItem {
  const {account, screen, minute} = frame;
  const {users, mutedUsers} = account;
  const later = screen.inbox.snoozes.get(row.key);
  const isBack = later !== undefined && !isSnoozed(account.unreads, later, minute);
  const known = cachedItems.get(row);
  if (
    known !== undefined &&
    !isGone &&
    known.minute === minute &&
    known.position === placed &&
    known.isGone === isGone &&
    known.isBack === isBack &&
    known.group === group &&
    known.users === users &&
    known.mutedUsers === mutedUsers
  ) {
    return known.item;
  }
  const item = reuseIfEqual(
    known?.item,
    newItem(frame, {row, position: placed, isRemoved: isGone}, group, isBack),
  );
  cachedItems.set(row, {item, group, position: placed, isGone, isBack, minute, users, mutedUsers});
  return item;
}

function newItem(
  {account, minute}: Frame,
  {row, position: placed, isRemoved: isGone}: ArrangedRow,
  group: string,
  isBack: boolean,
): TriageItem {
  return {
    key: row.key,
    kind: 'item',
    label: row.title,
    group,
    inboxGroup: placed.group,
    target: targetOf(row),
    conversation: row.conversation,
    count: row.count,
    newCount: isGone || placed.isNew ? 0 : addedSince(account, row, placed.newestId),
    isNew: placed.isNew,
    isSnoozeOver: isBack,
    isRemoved: isGone,
    removalReason: isGone ? removalReasonOf(account, row) : undefined,
    hasMention: row.hasMention,
    hasAlertWord: row.hasAlertWord,
    isFollowed: row.isFollowed,
    isMuted: row.isMuted,
    isResolved: row.isResolved,
    hasDraft: row.hasDraft,
    age: row.oldestUnreadAt === undefined ? '' : ageText(row.oldestUnreadAt * 1000, minute),
    people: peopleText(account, row.conversation, row.participants),
    snippet: row.snippet ?? '',
    names: messageContext(account),
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

function addedSince({unreads}: AccountState, {key, newestUnreadId}: InboxRow, newestId: number): number {
  if (newestUnreadId <= newestId) return 0;
  let count = 0;
  for (const _ of unreads.conversations.get(key)?.ids.from(newestId + 1) ?? []) count += 1;
  return count;
}
