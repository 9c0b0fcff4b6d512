import type {TimelineAnchor} from '#state/fetches/open-timelines.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {typingText} from '#state/selectors/people/people.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {type Frame, type MessagesView, memoByFrame, type PaneLine, type View, viewKey} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {Rect, SelectedRows} from '#ui/layout/layout.ts';
import {leftRightLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {hasReachedEnd, isOnlySaved, type NoMessages, whyNoMessages} from '#ui/message-pane/lines/edge-lines.ts';
import {type CursorMark, messageGlyphs, type Typeset, typesetOf} from '#ui/message-pane/lines/typeset.ts';
import {ownOtherPane} from '#ui/other-pane/other-pane-state.ts';
import {TimelineRows} from './timeline-rows.ts';
import {newTimelineState, type RowKey, type TimelineState, type TopLine} from './timeline-state.ts';
import {type TimelineWindow, type WindowPosition, windowAt} from './timeline-window.ts';

interface TimelineRequest {
  readonly narrow: Narrow;
  readonly columns: number;
  /** The number of lines to fill. */
  readonly height: number;
  readonly state: TimelineState;
  readonly mark: CursorMark;
  readonly isPreview: boolean;
}

/** A timeline as shown in a pane. */
export interface ShownTimeline {
  readonly lines: readonly PaneLine[];
  /** Why there are no messages; undefined when there are. */
  readonly noMessages: NoMessages | undefined;
  /** Undefined while there are no messages. */
  readonly window: TimelineWindow | undefined;
  readonly rows: TimelineRows | undefined;
  readonly timeline: Timeline | undefined;
  /** The selected row: a neighbour when the row that was selected is gone. */
  readonly selected: RowKey | undefined;
  readonly height: number;
  readonly typeset: Typeset;
}

/** Lower panes have no line for the date at their top. */
const minHeightForDate = 8;

/** One for each pane that shows messages, and one for the state after a key. */
const maxCached = 6;

/** Returns the shown timeline. Costs only the visible rows, and nothing while it is unchanged. */
function shownTimeline(frame: Frame, request: TimelineRequest): ShownTimeline {
  const shown = shownMessages(frame, request);
  return shown.window === undefined ? withReason(frame, request, shown) : shown;
}

/** Adds why there are no messages. Permissions and names decide that, on which the messages themselves do not depend. */
const withReason = memoByFrame(
  (frame, {narrow, isPreview}: TimelineRequest, shown: ShownTimeline) => {
    const {state, texts} = whyNoMessages(frame, shown.typeset, narrow, shown.timeline, isPreview);
    return [shown, state, ...texts.map(({text}) => text)];
  },
  (frame, {narrow, isPreview}, shown): ShownTimeline => ({
    ...shown,
    noMessages: whyNoMessages(frame, shown.typeset, narrow, shown.timeline, isPreview),
  }),
);

const shownMessages = memoByFrame(
  (frame, request: TimelineRequest) => {
    const {account, screen, display} = frame;
    return [
      typesetOf(frame, request.columns),
      timelineOf(account, request.narrow),
      narrowKey(request.narrow),
      request.state,
      request.mark,
      request.height,
      request.isPreview,
      account.self,
      account.users,
      account.realm,
      account.messages,
      account.unreads,
      account.starred,
      account.outbox,
      account.mutedUsers,
      account.connection.phase,
      screen.expandedMessageIds,
      screen.unsavedEditIds,
      screen.composer.isOpen ? screen.composer.editing?.messageId : undefined,
      screen.view,
      display.highlight,
    ];
  },
  newShown,
  maxCached,
);

function newShown(frame: Frame, request: TimelineRequest): ShownTimeline {
  const typeset = typesetOf(frame, request.columns);
  const timeline = timelineOf(frame.account, request.narrow);
  const {height} = request;
  const none = {noMessages: undefined, window: undefined, rows: undefined, selected: undefined};
  const withoutMessages: ShownTimeline = {...none, lines: [], timeline, height, typeset};
  if (timeline === undefined) return withoutMessages;
  const unmarked = rowsOf(frame, request, typeset, timeline, undefined);
  if (unmarked.isEmpty) return withoutMessages;
  const {position, selected} = positionIn(frame, unmarked, request);
  const rows = rowsOf(frame, request, typeset, timeline, selected);
  const window = windowAt(rows, position, height, request.mark === 'none' ? undefined : selected);
  return {lines: window.lines, noMessages: undefined, window, rows, timeline, selected, height, typeset};
}

function rowsOf(
  frame: Frame,
  {narrow, state, mark, isPreview, height}: TimelineRequest,
  typeset: Typeset,
  timeline: Timeline,
  selected: RowKey | undefined,
): TimelineRows {
  // Text alone, for the terminal's own selection, has no marks.
  const isSpoken = typeset.measures.form === 'spoken';
  const hasDateOnTop = !isPreview && !isSpoken && mark !== 'none' && height >= minHeightForDate;
  return new TimelineRows(frame, typeset, {narrow, timeline, visit: state, selected, mark, isPreview, hasDateOnTop});
}

function positionIn(frame: Frame, rows: TimelineRows, request: TimelineRequest): OpeningPosition {
  const {state, height, isPreview} = request;
  const {openAt, anchor} = state;
  if (openAt !== undefined && isPreview) return previewOpeningPosition(rows, state.firstUnread, height);
  if (openAt !== undefined) return openingPosition(frame.account, rows, state, height);
  const selected = state.selected === undefined ? rows.last() : rows.nearest(state.selected);
  if (anchor !== undefined) return {position: {kind: 'top', top: anchor}, selected};
  return {position: {kind: 'newest', keep: selected}, selected};
}

interface OpeningPosition {
  readonly position: WindowPosition;
  readonly selected: RowKey | undefined;
}

/** Lines of already read messages shown before the first unread one, for orientation. */
const contextLines = 2;

/** Lower previews have no room for context or headings. */
const minHeightForContext = 9;

/** Opens a preview at the first unread message, always at the same line, so that the eye finds it. */
function previewOpeningPosition(rows: TimelineRows, firstUnread: number | undefined, height: number): OpeningPosition {
  const key = firstUnread === undefined ? undefined : rows.nearest(firstUnread);
  if (key === undefined) return {position: {kind: 'newest', keep: undefined}, selected: rows.last()};
  const linesBefore = height < minHeightForContext ? -rows.block(key).lead : contextLines;
  return {position: {kind: 'begin', key, linesBefore}, selected: key};
}

/** Returns where to open the timeline. */
function openingPosition(
  account: AccountState,
  rows: TimelineRows,
  {openAt = 'firstUnread', firstUnread}: Pick<TimelineState, 'openAt' | 'firstUnread'>,
  height: number,
): OpeningPosition {
  const from = (wanted: RowKey | undefined, linesBefore: number): OpeningPosition => {
    const key = wanted === undefined ? undefined : rows.nearest(wanted);
    if (key === undefined) return {position: {kind: 'newest', keep: undefined}, selected: rows.last()};
    return {position: {kind: 'from', key, linesBefore}, selected: key};
  };
  if (openAt === 'newest') return from(undefined, 0);
  if (openAt === 'oldest') return {position: {kind: 'oldest'}, selected: rows.first()};
  if (openAt === 'firstUnread') return from(firstUnread, contextLines);
  if (typeof openAt === 'number') return from(openAt, Math.floor(height / 3));
  const first = messageSince(account, rows, Date.parse(openAt.date));
  // A message without lines before it would be covered by the date at the top.
  return from(first, first !== undefined && rows.block(first).lead > 0 ? 0 : 1);
}

/** Whether enough is loaded to open there, or nothing more can load for now. */
export function canShowOpening(
  account: Pick<AccountState, 'connection'>,
  timeline: Timeline,
  {openAt, firstUnread, hasLoaded}: TimelineState,
): boolean {
  if (timeline.ids.size === 0 || openAt === undefined) return false;
  return hasLoaded || hasAnchor(timeline, openAt, firstUnread) || isOnlySaved(account, timeline);
}

function hasAnchor(
  {ids, hasOldest, hasNewest}: Timeline,
  openAt: TimelineAnchor,
  firstUnread: number | undefined,
): boolean {
  if (openAt === 'newest') return hasNewest;
  if (openAt === 'oldest') return hasOldest;
  if (typeof openAt === 'number') return ids.has(openAt);
  if (openAt === 'firstUnread') return firstUnread === undefined ? hasNewest : ids.has(firstUnread);
  return hasOldest && hasNewest;
}

/**
 * Returns the first message from then on, or the last before. Messages are in order of time, except for some imports.
 */
function messageSince({messages}: AccountState, rows: TimelineRows, atMs: number): number | undefined {
  for (const id of rows.ids) {
    if ((messages.byId.get(id)?.timestamp ?? 0) * 1000 >= atMs) return id;
  }
  return rows.ids.last();
}

/** Panes of at least this height reserve their last line for the notice, so that nothing jumps when it appears. */
const minRowsForNotice = 12;

/** Returns the timeline in the main pane, without the notice line; undefined when the pane shows something else. */
export function mainTimeline(frame: Frame, rect: Pick<Rect, 'columns' | 'rows'>): ShownTimeline | undefined {
  const {view} = frame.screen;
  if (view.kind !== 'messages') return undefined;
  const request = mainRequest(frame, view, rect);
  if (rect.rows >= minRowsForNotice || rect.rows < 2 || !hasNotice(frame)) return shownTimeline(frame, request);
  const whole = shownTimeline(frame, {...request, height: rect.rows});
  const {typing, below} = noticeOf(frame, view.narrow, whole);
  return typing === '' && below === '' ? whole : shownTimeline(frame, {...request, height: rect.rows - 1});
}

function mainRequest(
  frame: Frame,
  view: MessagesView,
  {columns, rows}: Pick<Rect, 'columns' | 'rows'>,
): TimelineRequest {
  return {
    narrow: view.narrow,
    columns,
    height: rows >= minRowsForNotice && hasNotice(frame) ? rows - 1 : rows,
    state: frame.screen.timelines.get(viewKey(view)) ?? newTimelineState,
    mark: markOf(frame),
    isPreview: false,
  };
}

/** Who is typing would interrupt a screen reader. */
function hasNotice({display}: Frame): boolean {
  return display.glyphs !== 'words';
}

function markOf({screen}: Frame): CursorMark {
  if (screen.panes.isBare) return 'none';
  if (screen.focus === 'other') return 'other';
  return screen.focus === 'main' ? 'selected' : 'idle';
}

/** Returns the visible lines of the selected message, or the text in place of messages. */
export function selectedMessageRows(frame: Frame, rect: Rect): SelectedRows | undefined {
  const shown = mainTimeline(frame, rect);
  if (shown === undefined) return undefined;
  const row = shown.window?.rows.find(({key}) => key === shown.selected);
  const x = rect.x + Math.min(shown.typeset.measures.indent, rect.columns - 1);
  // The text in place of messages is below a blank line.
  if (row === undefined) return {x, y: rect.y + (shown.window === undefined ? Math.min(1, rect.rows - 1) : 0), rows: 1};
  const leadRows = Math.min(row.first, row.isCutAbove ? 0 : (shown.rows?.block(row.key).lead ?? 0));
  const rows = row.last - row.first + 1;
  const rowsAfter = rect.rows - row.last - 1;
  return {x, y: rect.y + row.first, rows, leadRows, rowsAfter, key: `message ${row.key}`};
}

/** Selects what the line below the messages says; undefined where the messages take the whole pane. */
export function paneNotice(frame: Frame, rect: Rect): Notice | undefined {
  const {view} = frame.screen;
  const shown = mainTimeline(frame, rect);
  if (shown === undefined || view.kind !== 'messages' || shown.height >= rect.rows) return undefined;
  return noticeOf(frame, view.narrow, shown);
}

interface PreviewRequest {
  readonly narrow: Narrow;
  readonly rect: Pick<Rect, 'columns' | 'rows'>;
  /** The line at the top; by default the first unread message with a little context before it. */
  readonly top?: TopLine | undefined;
  readonly firstUnread: number | undefined;
  readonly unreadCount: number;
}

/** Returns a conversation's messages for a preview, without a cursor. Marks nothing read. */
export function previewTimeline(frame: Frame, request: PreviewRequest): ShownTimeline {
  const {narrow, rect, top, firstUnread, unreadCount} = request;
  return shownTimeline(frame, {
    narrow,
    columns: rect.columns,
    height: rect.rows,
    state: previewState(frame, top?.id, top?.skippedLines, firstUnread, unreadCount),
    mark: 'none',
    isPreview: true,
  });
}

type PreviewPosition = readonly [
  id: RowKey | undefined,
  skippedLines: number | undefined,
  firstUnread: number | undefined,
  unreadCount: number,
];

/** Returns the same object for the same position, because lines are cached by it. */
const previewState = memoByFrame(
  (_frame, ...position: PreviewPosition) => position,
  (_frame, ...[id, skippedLines, firstUnread, unreadCount]: PreviewPosition): TimelineState => {
    const anchor = id === undefined ? undefined : {id, skippedLines: skippedLines ?? 0};
    const openAt = anchor === undefined ? ('firstUnread' as const) : undefined;
    return {...newTimelineState, anchor, openAt, firstUnread, unreadCount};
  },
);

/**
 * Returns the screen with the unread separator above the next message, if the one below it was moved away or deleted since
 * the last paint.
 */
export function withMovedUnreadLine(frame: Frame, last: Frame): ScreenState {
  const {screen} = frame;
  const {view, timelines, otherPane} = screen;
  const moved = movedLine(frame, last, view, timelines.get(viewKey(view)));
  const other = ownOtherPane(screen);
  const inOther = other && movedLine(frame, last, other.view, other.timeline);
  if (moved === undefined && inOther === undefined) return screen;
  return {
    ...screen,
    timelines: moved === undefined ? timelines : new Map(timelines).set(viewKey(view), moved),
    otherPane: otherPane && inOther ? {...otherPane, timeline: inOther} : otherPane,
  };
}

/** Returns the position with the separator above the next message; undefined if it stays where it is. */
function movedLine(
  {account}: Frame,
  last: Frame,
  view: View,
  state: TimelineState | undefined,
): TimelineState | undefined {
  if (view.kind !== 'messages') return undefined;
  const before = timelineOf(last.account, view.narrow);
  const now = timelineOf(account, view.narrow);
  if (before === now || before === undefined || now === undefined || state?.firstUnread === undefined) return undefined;
  if (!before.ids.has(state.firstUnread) || !hasLost(now, state.firstUnread)) return undefined;
  const left = leftUnread(
    before,
    now,
    state,
    (id) => last.account.messages.byId.get(id)?.senderId === account.self.userId,
  );
  return {...state, firstUnread: left[0], unreadCount: left.length};
}

/** Whether the message is missing between loaded ones; outside of them it may merely not be loaded. */
function hasLost({ids, hasOldest, hasNewest}: Timeline, id: number): boolean {
  const isInside = (hasOldest || ids.before(id) !== undefined) && (hasNewest || ids.after(id) !== undefined);
  return isInside && !ids.has(id);
}

/** Returns those messages of this visit's unread ones that are still there. */
function leftUnread(
  before: Timeline,
  now: Timeline,
  {firstUnread = 0, unreadCount}: TimelineState,
  isOwn: (id: number) => boolean,
): readonly number[] {
  const left: number[] = [];
  let passed = 0;
  for (const id of before.ids.from(firstUnread)) {
    if (passed === unreadCount) break;
    if (isOwn(id)) continue;
    passed += 1;
    if (now.ids.has(id)) left.push(id);
  }
  return left;
}

/** Larger counts show as `999+`. */
const maxCount = 999;

interface Notice {
  readonly typing: string;
  readonly below: string;
}

/** Returns who is typing, and what is below the visible messages; empty texts for nothing. */
function noticeOf(frame: Frame, narrow: Narrow, shown: ShownTimeline): Notice {
  const conversation = conversationOfNarrow(narrow);
  const typing = conversation === undefined ? '' : typingText(frame.account, conversation);
  return {typing, below: belowText(frame, narrow, shown)};
}

function belowText(frame: Frame, narrow: Narrow, {window, timeline}: ShownTimeline): string {
  if (window === undefined || timeline === undefined) return '';
  if (window.isAtEnd && hasReachedEnd(frame.account, timeline)) return '';
  const {down, between} = messageGlyphs(frame.display);
  const unread = unreadBelow(frame, narrow, window.rows.at(-1)?.key);
  const count = unread > maxCount ? `${maxCount}+` : String(unread);
  // The key would move in the focused pane.
  const key = frame.screen.focus === 'other' ? '' : ` ${between} G`;
  return `${down} ${unread === 0 ? 'more' : `${count} unread`} below${key}`;
}

function unreadBelow({account}: Frame, narrow: Narrow, last: number | string | undefined): number {
  const conversation = conversationOfNarrow(narrow);
  if (conversation === undefined || typeof last !== 'number') return 0;
  const ids = account.unreads.conversations.get(conversationKey(conversation))?.ids;
  if (ids === undefined) return 0;
  let count = 0;
  for (const id of ids.from(last + 1)) {
    if (id > last) count += 1;
    if (count > maxCount) break;
  }
  return count;
}

export function noticeLine({typing, below}: Notice, columns: number): PaneLine {
  const margin = columns < 60 ? ' ' : '  ';
  const left: UiSpan[] = typing === '' ? [] : [{text: `${margin}${typing}`, role: 'typing'}];
  const right: UiSpan[] = below === '' ? [] : [{text: below, role: 'hint'}];
  return leftRightLine(left, right, columns - 1);
}
