import type {ParseContext} from '#content/parse-context.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {type InboxGroupId, type InboxRow, type InboxSort, isSortedByChannel} from '#state/selectors/inbox/inbox.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {memoByObject, reuseIfEqual} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {UiRole} from '#theme/roles.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import {conversationNameSpans, dimChannelSpans, topicSpans, topicStart} from '#ui/format/conversation-name.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {isSnoozed} from '#ui/inbox/snooze/snooze.ts';
import {columnsLine, fittedLine, type LineColumn, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {type ListRow, markSpans, type RowContext, type RowTarget} from '#ui/lists/list-source.ts';
import {rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {peopleText} from '#ui/recent/recent-list.ts';
import {fittedUnreadCount, unreadCountText} from '#wording/counted-noun.ts';
import {ageText} from '#wording/moment-text.ts';
import type {ArrangedRow} from './row-positioner.ts';

/** A conversation in the inbox, with everything that its row shows. */
export interface TriageItem extends ListRow, Pick<InboxRow, RowField> {
  readonly kind: 'item';
  readonly inboxGroup: InboxGroupId;
  /** The position in the order of the inbox. */
  readonly at: number;
  /** The time of its newest unread message when it got its position, in seconds since the epoch. */
  readonly positionTime: number | undefined;
  /** Unread messages that arrived since the inbox was opened. */
  readonly newCount: number;
  /** Whether the whole conversation arrived since then. */
  readonly isNew: boolean;
  /** Whether it was snoozed and its time has come. */
  readonly isSnoozeOver: boolean;
  /** Whether it is no longer unread and shown only because the cursor is on it. */
  readonly isRemoved: boolean;
  /** The reason for `isRemoved`. */
  readonly removalReason: RemovalReason | undefined;
  /** Whether a heading above says the channel, or that these are direct messages. */
  readonly isUnderHeading: boolean;
  /** Age of the newest unread message; empty while it is not loaded. */
  readonly age: string;
  readonly people: string;
  /** The Markdown source of the first unread line. */
  readonly snippet: string;
  /** Resolves mentions in the snippet. */
  readonly names: ParseContext;
}

/** What an item takes from its row of the inbox as it is. */
type RowField =
  | ('conversation' | 'count' | 'mentions' | 'hasAlertWord' | 'isFollowed' | 'isMuted' | 'isResolved' | 'hasDraft')
  | ('snippetFacts' | 'oldestUnreadId' | 'newestUnreadId');

/** A number of unread messages, and how many of them mention the user. */
export type UnreadMessages = Pick<InboxRow, 'count' | 'mentions'>;

/** The title of a group. */
export interface TriageTitle extends ListRow {
  readonly kind: 'title';
  /** Undefined where the rows of all groups are one list. */
  readonly inboxGroup: InboxGroupId | undefined;
  readonly unreads: UnreadMessages;
  /** The names of what the rows below are sorted by, the most important first. */
  readonly orders: readonly string[];
  /** Whether it stands below the name of an organization. */
  readonly isIndented?: boolean;
}

/** The channel of the rows below, or that they are direct messages; or their organization, which has no group. */
export interface TriageHeading extends ListRow {
  readonly kind: 'heading';
  readonly inboxGroup: InboxGroupId | undefined;
  /** What is unread in an organization. */
  readonly unreads?: UnreadMessages | undefined;
}

export type TriageRow = TriageItem | TriageTitle | TriageHeading;

/** Everything that rows depend on, besides the conversations and their positions. */
export interface RowBasis extends Pick<AccountState, 'self' | 'users' | 'mutedUsers' | 'realm'> {
  readonly minute: number;
  readonly hasHeadings: boolean;
  readonly sort: InboxSort;
  readonly names: ParseContext;
  readonly snoozeStates: SnoozeStates;
}

/** From this screen width on the list is beside the messages, too narrow for the channel in each row. */
const headingsMinColumns = 100;

/** Returns what the rows of a frame depend on; the same object while its parts are the same. */
export const rowBasis = memoByFrame((frame) => Object.values(newBasis(frame)), newBasis);

function newBasis(frame: Frame): RowBasis {
  const {account, minute, screen} = frame;
  const {self, users, mutedUsers, realm} = account;
  return {
    self,
    users,
    mutedUsers,
    realm,
    minute,
    hasHeadings: screen.size.columns >= headingsMinColumns,
    sort: screen.inbox.order.sort,
    names: messageContext(account),
    snoozeStates: snoozeStatesOf(frame),
  };
}

type SnoozeStates = SortedMap<ConversationKey, 'hidden' | 'back'>;

/** Returns whether each snoozed conversation is hidden or due; the same map while its content is the same. */
const snoozeStatesOf = memoByFrame(
  ({account, screen, minute}) => [screen.inbox.snoozes, account.unreads, account.messages, minute],
  ({account, screen, minute}): SnoozeStates => {
    const states = [...screen.inbox.snoozes.values()].map((entry) => {
      const state = isSnoozed(account, entry, minute) ? 'hidden' : 'back';
      return [entry.key, state] as const;
    });
    return SortedMap.from(states);
  },
  undefined,
  (now, before) => (before !== undefined && deepEqual(before, now) ? before : now),
);

interface CachedTriageItem {
  readonly item: TriageItem;
  readonly basis: RowBasis;
}

const cachedItems = new WeakMap<ArrangedRow, CachedTriageItem>();

/**
 * Returns the painted row; the same object while its content is the same: there may be thousands, and a key
 * changes one.
 */
export function triageItem(arranged: ArrangedRow, basis: RowBasis): TriageItem {
  const cached = cachedItems.get(arranged);
  if (cached?.basis === basis) return cached.item;
  const item = reuseIfEqual(cached?.item, newItem(arranged, basis));
  cachedItems.set(arranged, {item, basis});
  return item;
}

function newItem({row, position, isRemoved}: ArrangedRow, basis: RowBasis): TriageItem {
  return {
    key: row.key,
    kind: 'item',
    label: row.title,
    group: position.group,
    inboxGroup: position.group,
    at: position.at,
    positionTime: position.newestAt,
    target: targetOf(row.conversation),
    conversation: row.conversation,
    count: row.count,
    newCount: isRemoved || position.isNew ? 0 : newUnreadCount(row, position.newestId),
    isNew: position.isNew,
    isSnoozeOver: basis.snoozeStates.get(row.key) === 'back',
    isRemoved,
    removalReason: undefined,
    mentions: row.mentions,
    hasAlertWord: row.hasAlertWord,
    isFollowed: row.isFollowed,
    isMuted: row.isMuted,
    isResolved: row.isResolved,
    hasDraft: row.hasDraft,
    isUnderHeading: basis.hasHeadings && isSortedByChannel(basis.sort, position.group),
    age: row.newestUnreadAt === undefined ? '' : ageText(row.newestUnreadAt * 1000, basis.minute),
    people: peopleText(basis, row.conversation, row.participants),
    snippet: row.snippet ?? '',
    snippetFacts: row.snippetFacts,
    names: basis.names,
    oldestUnreadId: row.oldestUnreadId,
    newestUnreadId: row.newestUnreadId,
  };
}

/** Returns the same object for the same conversation, so that rows are compared quickly. */
const targetOf = memoByObject((conversation: Conversation): RowTarget => ({kind: 'conversation', conversation}));

/** Whether a list row is a conversation of the inbox, in the shown account. */
export function isTriageItem(row: ListRow | undefined): row is TriageItem {
  return row?.kind === 'item' && 'inboxGroup' in row && row.organization === undefined;
}

function newUnreadCount({unreadIds, newestUnreadId}: InboxRow, newestId: number): number {
  if (newestUnreadId <= newestId) return 0;
  let count = 0;
  for (const _ of unreadIds.from(newestId + 1)) count += 1;
  return count;
}

/** The reason why a conversation that was unread a moment ago no longer is. */
export type RemovalReason = 'read' | 'readInPane' | 'moved' | 'deleted' | 'left' | 'lost';

/** Returns the reason; `row` is the last version of the conversation. */
export function removalReasonOf(
  {unreads, messages, channels, subscriptions}: AccountState,
  {conversation, oldestUnreadId, snippet}: InboxRow,
): RemovalReason {
  if (conversation.kind === 'topic') {
    const {channelId} = conversation;
    if (!channels.has(channelId)) return 'lost';
    if (subscriptions.get(channelId)?.isSubscribed === false) return 'left';
  }
  if (unreads.byId.has(oldestUnreadId)) return 'moved';
  // A message that was never loaded is not missing; and right after a new registration nothing is loaded.
  const wasLoaded = snippet !== undefined && messages.byId.size > 0;
  return wasLoaded && !messages.byId.has(oldestUnreadId) ? 'deleted' : 'read';
}

/** Shown behind the name of the conversation. */
export const removalLabels: Readonly<Record<RemovalReason, string>> = {
  read: 'read elsewhere',
  readInPane: 'read',
  moved: 'moved',
  deleted: 'deleted',
  left: 'unsubscribed',
  lost: 'no access',
};

/** Shown when a key acts on such a conversation. */
export const removalSentences: Readonly<Record<RemovalReason, string>> = {
  read: 'Already read elsewhere.',
  readInPane: 'Already read.',
  moved: 'Moved elsewhere.',
  deleted: 'The unread messages were deleted.',
  left: 'You are no longer subscribed to this channel.',
  lost: 'You no longer have access to this channel.',
};

const countColumns = 5;
const ageColumns = 3;
const peopleColumns = 18;
const gap = 2;
/** From these widths on a row shows more than the conversation's name. */
const ageMinColumns = 26;
const snippetMinColumns = 60;
const peopleMinColumns = 90;
const [minTitle, maxTitle] = [28, 48];

/** Returns the line of a title or a conversation in the inbox. */
export function triageLine(row: TriageRow, context: RowContext): UiLine {
  if (row.kind === 'heading' && row.unreads !== undefined) return organizationLine(row, row.unreads, context);
  if (row.kind === 'heading')
    return fittedLine([space(1), ...context.label('channel')], context.columns, context.glyphs.ellipsis);
  return row.kind === 'title' ? titleLine(row, context) : itemLine(row, context);
}

/** Returns `acme  @1 14`, above the groups of an organization, whose titles are indented. */
function organizationLine({label}: TriageRow, unreads: UnreadMessages, {columns, glyphs}: RowContext): UiLine {
  const spans: readonly UiSpan[] = [
    {text: label, role: 'account'},
    {text: `  ${unreadCountText(unreads)}`, role: 'dim'},
  ];
  return fittedLine(spans, columns, glyphs.ellipsis);
}

function titleLine(title: TriageTitle, {columns, glyphs, isFocused, isFolded}: RowContext): UiLine {
  const {label, unreads, orders, isIndented} = title;
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  const left: readonly UiSpan[] = [
    space(isIndented === true ? 2 : 0),
    {text: composed`${label.toUpperCase()}${fold}`, role: isFocused ? 'title' : 'section'},
    {text: `  ${unreadCountText(unreads)}`, role: 'dim'},
  ];
  const room = columns - spansColumns(left) - gap;
  const texts = [orders.join(` ${glyphs.dot} `), orders[0] ?? ''].map((text) => `${text} `);
  const order = isFolded ? undefined : texts.find((text) => text.length <= room);
  const right: readonly UiSpan[] = order === undefined ? [] : [{text: order, role: 'dim'}];
  return leftRightLine(left, right, columns, {ellipsis: glyphs.ellipsis});
}

/** Returns a row: `@1 4 #backend › deploy freeze +2   ✓ ◎  can we lift the freeze before noon?  2h`. */
function itemLine(row: TriageItem, context: RowContext): UiLine {
  const {columns: width, glyphs} = context;
  const hasSnippet = width >= snippetMinColumns;
  const tail: LineColumn[] = [];
  if (hasSnippet) tail.push({text: excerpt(row.snippet, row.names, row.snippetFacts), role: 'dim', width: 'rest'});
  if (width >= peopleMinColumns) tail.push({text: row.people, role: 'dim', width: peopleColumns});
  if (width >= ageMinColumns) tail.push({text: row.age, role: 'age', width: ageColumns, align: 'right'});
  // The age keeps one column from the edge, as in other lists.
  const mark = markSpans(row);
  const left = width - countColumns - 2 - spansColumns(mark);
  const title = Math.max(minTitle, Math.min(maxTitle, Math.floor(width * 0.42)));
  const nameColumn = nameLine(row, context, hasSnippet ? title : left - (tail.length === 0 ? 0 : ageColumns + gap));
  const rest = columnsLine(tail, left - nameColumn.width - gap, {gap, ellipsis: glyphs.ellipsis});
  const end: readonly UiSpan[] = rest.width === 0 ? [] : [space(gap), ...rest.spans];
  const count = countCell(row, context);
  return prefixLine({spans: [...nameColumn.spans, ...end], width: nameColumn.width + spansColumns(end)}, [
    ...count.spans,
    space(1),
    ...mark,
  ]);
}

/** Marks a conversation with one of the user's alert words. */
export const alertWordMark = '!';

function countCell(row: TriageItem, {glyphs}: RowContext): UiLine {
  const {isRemoved, removalReason, mentions, hasAlertWord, inboxGroup} = row;
  const removed = removalReason === 'read' || removalReason === 'readInPane' ? glyphs.resolved : glyphs.dot;
  const text = isRemoved ? removed : fittedUnreadCount(row, countColumns);
  const isDim = isRemoved || inboxGroup === 'muted';
  const role = isDim ? 'dim' : !hasAlertWord && mentions === 0 ? 'unread_count' : 'mention_count';
  return columnsLine([{text, role, width: countColumns, align: 'right'}], countColumns);
}

/** Returns the name column at exactly this width: what is new at its end, the symbols right-aligned. */
function nameLine(row: TriageItem, context: RowContext, width: number): UiLine {
  const {glyphs} = context;
  const status = statusSpans(row);
  const symbols = rightSymbols(row, context);
  const role = row.isRemoved ? 'dim' : row.isMuted ? 'muted' : 'text';
  const left = Math.max(1, width - spansColumns(status) - spansColumns(symbols));
  const name = nameSpans(row, context, role, left);
  const padding = width - spansColumns([...name, ...status, ...symbols]);
  return fittedLine([...name, ...status, space(Math.max(0, padding)), ...symbols], width, glyphs.ellipsis);
}

/** Returns the name; below a heading that is on the screen only the topic. */
function nameSpans(
  {isUnderHeading}: TriageItem,
  {glyphs, neighbours = [], label, isTop}: RowContext,
  role: UiRole,
  columns: number,
): readonly UiSpan[] {
  if (!isUnderHeading || isTop === true)
    return dimChannelSpans(conversationNameSpans(label(role), columns, glyphs, neighbours), glyphs);
  const others = neighbours.map((other) => other.slice(topicStart(other, glyphs)));
  return conversationNameSpans(topicSpans(label(role), glyphs), columns, glyphs, others);
}

function statusSpans({removalReason, isNew, newCount, isMuted, inboxGroup}: TriageItem): readonly UiSpan[] {
  if (removalReason !== undefined) return [{text: ` ${removalLabels[removalReason]}`, role: 'dim'}];
  // In other groups than the muted one, whose title says it.
  const muted: readonly UiSpan[] = isMuted && inboxGroup !== 'muted' ? [{text: ' muted', role: 'dim'}] : [];
  if (isNew) return [...muted, {text: ' new', role: 'success'}];
  return newCount > 0 ? [...muted, {text: ` +${newCount}`, role: 'success'}] : muted;
}

function rightSymbols(row: TriageItem, {glyphs}: RowContext): readonly UiSpan[] {
  const alert: readonly UiSpan[] =
    row.hasAlertWord && row.mentions === 0 ? [{text: ` ${alertWordMark}`, role: 'mention_count'}] : [];
  const symbols = [...alert, ...rowSymbolSpans(row, glyphs)];
  return row.isSnoozeOver ? [...symbols, {text: ` ${glyphs.snoozed}`, role: 'warning'}] : symbols;
}

function space(columnCount: number): UiSpan {
  return {text: ' '.repeat(columnCount), role: 'text'};
}
