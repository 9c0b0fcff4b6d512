import {conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {typingText} from '#state/selectors/people/people.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {memoizeLast} from '#std/memo.ts';
import {type Frame, type MessagesView, type PaneLine, type View, viewKey} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {Rect, SelectedRows} from '#ui/layout/layout.ts';
import {leftRightLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {hasReachedEnd} from './lines/edge-lines.ts';
import {type CursorMark, messageGlyphs} from './lines/typeset.ts';
import {type ShownTimeline, shownTimeline, type TimelineRequest} from './shown-timeline.ts';
import {newTimelineState, type RowKey, type TimelineState, type TopLine} from './timeline-state.ts';

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
  const [rows, rowsAfter] = [row.last - row.first + 1, rect.rows - row.last - 1];
  return {x, y: rect.y + row.first, rows, leadRows, rowsAfter, key: `message ${row.key}`};
}

/** Selects what the line below the messages says; undefined where the messages take the whole pane. */
export function paneNotice(frame: Frame, rect: Rect): Notice | undefined {
  const {view} = frame.screen;
  const shown = mainTimeline(frame, rect);
  if (shown === undefined || view.kind !== 'messages' || shown.height >= rect.rows) return undefined;
  return noticeOf(frame, view.narrow, shown);
}

export interface PreviewRequest {
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
    state: previewState(top?.id, top?.skippedLines, firstUnread, unreadCount),
    mark: 'none',
    isPreview: true,
  });
}

/** Returns the same object for the same position, because lines are cached by it. */
const previewState = memoizeLast(
  (
    id: RowKey | undefined,
    skippedLines: number | undefined,
    firstUnread: number | undefined,
    unreadCount: number,
  ): TimelineState => {
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
  const inOther = otherPane && movedLine(frame, last, otherPane.view, otherPane.timeline);
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
  const [before, now] = [timelineOf(last.account, view.narrow), timelineOf(account, view.narrow)];
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
