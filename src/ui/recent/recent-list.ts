import {textColumns} from '#content/styled-text/text-width.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {draftConversations} from '#state/selectors/lists/conversation-properties.ts';
import {
  type RecentFilter,
  type RecentRow,
  recentConversations,
  recentDirectConversations,
} from '#state/selectors/lists/conversation-rows.ts';
import {mutedUserName, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {joined} from '#std/composed-text.ts';
import {memoByObject} from '#std/memo.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import {conversationNameSpans} from '#ui/format/conversation-name.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {unreadCountSpans} from '#ui/format/unread-count-spans.ts';
import {columnsLine, fittedLine, type LineColumn, type UiLine} from '#ui/layout/ui-line.ts';
import {
  type ListSource,
  markSpans,
  memoRows,
  mergedByTime,
  organizationsNote,
  type RowContext,
  rowsOfOrganizations,
  withSpaceBelow,
} from '#ui/lists/list-source.ts';
import type {Split, TopicFilter} from '#ui/lists/list-state.ts';
import {
  directPresence,
  emptyNavigationRow,
  type NavigationRow,
  presenceSpans,
  rowSymbolSpans,
  shownPresences,
} from '#ui/lists/navigation-row.ts';
import {splitTabs} from '#ui/lists/split-tabs.ts';
import {fittedUnreadCount} from '#wording/counted-noun.ts';
import {ageText} from '#wording/moment-text.ts';

/** Returns the inputs of the rows of recent conversations, for memoization. */
export function recentInputs(frame: Frame): readonly unknown[] {
  const {account, minute} = frame;
  return [
    account.messages,
    account.directs,
    account.topics,
    account.unreads,
    account.channels,
    account.formerChannels,
    account.subscriptions,
    account.userTopics,
    account.users,
    account.mutedUsers,
    account.realm,
    account.self,
    account.server,
    messageContext(account),
    draftConversations(account),
    shownPresences(frame),
    minute,
    hasSnippets(frame),
  ];
}

/** The list of recent conversations, newest first. */
export const recentList: ListSource<ConversationRow> = {
  id: 'recent',
  views: ['recent'],
  isMerged: true,
  hasTabs: true,
  rows: memoRows(
    (frame) => [
      ...recentInputs(frame),
      frame.screen.lists.recent.split,
      frame.screen.lists.recent.topicFilter,
      frame.organizations,
    ],
    recentRows,
  ),
  line: conversationLine,
  note: organizationsNote,
  headLines: memoByFrame(
    ({display, screen: {lists, size}}, columns: number) => [
      lists.recent.split,
      lists.recent.topicFilter,
      display,
      size.rows,
      columns,
    ],
    (frame, columns: number) =>
      withSpaceBelow(frame, [
        splitTabs(frame, frame.screen.lists.recent, columns, {followedTabs: ['directs', 'followed']}),
      ]),
  ),
  emptyText: ({screen}) =>
    screen.lists.recent.split === 'all'
      ? 'No conversations yet. c starts a topic, x a direct message.'
      : 'No recent conversations here. 1 shows all.',
};

/** The list of all direct conversations, newest first. */
export const directList: ListSource<ConversationRow> = {
  id: 'directs',
  views: ['directs'],
  rows: memoRows(recentInputs, (frame) =>
    recentDirectConversations(frame.account).map((row) => conversationRow(frame, row)),
  ),
  line: conversationLine,
  emptyText: () => 'No direct messages yet. x starts one.',
};

/** What each tab asks for, and which of these it shows. */
const tabs: Readonly<Record<Split, readonly [filter: RecentFilter, isShown: (row: RecentRow) => boolean]>> = {
  all: [{}, () => true],
  mentions: [{unread: true}, ({mentions}) => mentions > 0],
  directs: [{kind: 'direct'}, ({conversation}) => conversation.kind === 'direct'],
  followed: [{kind: 'topic'}, ({isFollowed}) => isFollowed],
  channels: [{kind: 'topic'}, ({conversation}) => conversation.kind === 'topic'],
  muted: [{}, ({isMuted}) => isMuted],
};

/** Returns the rows of all organizations that are shown together, newest first. */
function recentRows(frame: Frame): readonly ConversationRow[] {
  const {split, topicFilter} = frame.screen.lists.recent;
  const lists = rowsOfOrganizations(
    frame,
    (own) => tabRows(own, split, topicFilter),
    (other) => otherRows(other, split, topicFilter),
  );
  return lists.length === 1 ? lists.flat() : mergedByTime(lists, ({lastAt}) => lastAt);
}

function tabRows(frame: Frame, split: Split, topicFilter: TopicFilter): readonly ConversationRow[] {
  return splitRecent(frame, split, topicFilter).map((row) => conversationRow(frame, row));
}

/** The rows of an account that is not shown: kept with its frame. Its messages are not loaded from here. */
const otherRows = memoByObject((other: Frame, split: Split, topicFilter: TopicFilter) =>
  tabRows(other, split, topicFilter).map((row) => ({...row, missingMessageId: undefined})),
);

function splitRecent({account}: Frame, split: Split, topicFilter: TopicFilter): readonly RecentRow[] {
  const unmuted = split !== 'muted' && topicFilter !== 'all';
  const [filter, isShown] = tabs[split];
  return recentConversations(account, {...filter, ...(unmuted && {unmuted})}).filter((row) => {
    const isFilteredOut = topicFilter === 'followed' && row.conversation.kind === 'topic' && !row.isFollowed;
    return !isFilteredOut && isShown(row);
  });
}

/** A conversation in a list that has the whole main pane: with people, age and snippet. */
export interface ConversationRow extends NavigationRow {
  /** The last senders, the latest first. */
  readonly people: string;
  /** Time since the last message. */
  readonly age: string;
  /** The time of the last message, in seconds since the epoch. */
  readonly lastAt?: number | undefined;
  /** The last message, if it must be loaded for its age. */
  readonly missingMessageId: number | undefined;
  /** The beginning of the last message. */
  readonly snippet: string;
}

const peopleColumns = 24;
const ageColumns = 4;
const countColumns = {narrow: 5, wide: 7} as const;
/** From this width on the row quotes the last message. */
const snippetFrom = 110;
const peopleFrom = 76;
/** Beside a quotation, which takes any width, titles get a third of the row. */
const [minTitle, maxTitle] = [44, 64];

/** Returns the line of a conversation: title, snippet, people, age and unread count as far as they fit. */
export function conversationLine(row: ConversationRow, context: RowContext): UiLine {
  const hasSnippet = context.columns >= snippetFrom;
  const tail: LineColumn[] = [
    {text: row.age, role: 'age', width: ageColumns, align: 'right'},
    countColumn(row, countColumns[context.columns < 48 ? 'narrow' : 'wide']),
  ];
  if (context.columns >= peopleFrom) tail.unshift({text: row.people, role: 'dim', width: peopleColumns});
  if (hasSnippet) tail.unshift({text: row.snippet, role: 'dim', width: 'rest'});
  // Numbers keep a column from the edge, as in narrow lists.
  const columns = context.columns - 1;
  const title = titleLine(row, context, hasSnippet ? titleColumns(columns) : columns - tailColumns(tail));
  const rest = columnsLine(tail, columns - title.width - 2, {gap: 2, ellipsis: context.glyphs.ellipsis});
  return prefixLine(rest, [...title.spans, {text: '  ', role: 'text'}]);
}

function titleColumns(columns: number): number {
  return Math.max(minTitle, Math.min(maxTitle, Math.floor(columns / 3)));
}

function tailColumns(tail: readonly LineColumn[]): number {
  return tail.reduce((sum, {width}) => sum + (width === 'rest' ? 0 : width) + 2, 0);
}

/** Returns the title with its symbols at exactly this width; the name is shortened, not the symbols. */
function titleLine(row: ConversationRow, context: RowContext, width: number): UiLine {
  const {glyphs} = context;
  const presence = [...markSpans(row), ...presenceSpans(row.presence, glyphs)];
  const symbols = rowSymbolSpans(row, glyphs);
  const space = width - spansColumns(presence) - spansColumns(symbols);
  const role = row.isMuted ? 'muted' : row.count > 0 ? 'unread' : 'text';
  const name = conversationNameSpans(context.label(role), space, glyphs, context.neighbours);
  const used = [...presence, ...name, ...symbols];
  const missing = width - spansColumns(used);
  return fittedLine(missing > 0 ? [...used, {text: ' '.repeat(missing), role: 'text'}] : used, width);
}

function countColumn(row: ConversationRow, width: number): LineColumn {
  const [first] = unreadCountSpans(row);
  const text = first === undefined ? '' : fittedUnreadCount(row, width);
  return {text, role: first?.role ?? 'text', width, align: 'right'};
}

/** Returns a conversation as the lists of recent conversations show it. */
function conversationRow(frame: Frame, recent: RecentRow): ConversationRow {
  const {account, minute} = frame;
  const {key, conversation, lastMessageId, lastAt} = recent;
  return {
    ...emptyNavigationRow,
    key,
    label: recent.title,
    target: {kind: 'conversation', conversation},
    count: recent.unreadCount,
    mentions: recent.mentions,
    isQuiet: recent.isMuted,
    isMuted: recent.isMuted,
    isFollowed: recent.isFollowed,
    isResolved: recent.isResolved,
    hasDraft: draftConversations(account).has(key),
    presence: directPresence(frame, conversation),
    people: peopleText(account, conversation, recent.participants),
    age: lastAt === undefined ? '' : ageText(lastAt * 1000, minute),
    lastAt,
    missingMessageId: lastAt === undefined ? lastMessageId : undefined,
    snippet: snippetOf(frame, lastMessageId),
  };
}

type People = Pick<AccountState, 'self' | 'users' | 'mutedUsers' | 'realm'>;

/** Returns the names of the participants; empty for direct conversations, whose title has them. */
export function peopleText(account: People, conversation: Conversation, participants: readonly number[]): string {
  if (conversation.kind === 'direct') return '';
  return joined(participants.map((id) => (id === account.self.userId ? 'you' : firstName(account, id))));
}

function firstName(account: People, userId: number): string {
  if (account.mutedUsers.has(userId)) return mutedUserName;
  const name = userName(account, userId);
  // The first word of a bot's name may be the name of what it reports, such as “Build Bot”.
  if (account.users.get(userId)?.isBot === true) return name;
  const [first = name] = name.split(' ');
  return textColumns(first) < 2 ? name : first;
}

/** Narrower screens have no space for message text in a row. */
const snippetMinColumns = 130;

/** Whether rows have snippets. */
function hasSnippets({screen}: Frame): boolean {
  return screen.size.columns >= snippetMinColumns;
}

/** Returns the message as one line; empty where it would not be shown. */
export function snippetOf(frame: Frame, messageId: number): string {
  const {account} = frame;
  const message = hasSnippets(frame) ? account.messages.byId.get(messageId) : undefined;
  return message === undefined || account.mutedUsers.has(message.senderId)
    ? ''
    : excerpt(message.content, messageContext(account), message.facts);
}

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    recent: true;
    directs: true;
  }
}
