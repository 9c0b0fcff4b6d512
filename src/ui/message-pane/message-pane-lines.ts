import type {Narrow} from '#state/model/narrow.ts';
import {memoizeLast} from '#std/memo.ts';
import {type Frame, type MessagesView, viewKey} from '#ui/core/frame.ts';
import type {Rect, SelectedRows} from '#ui/layout/layout.ts';
import {type Notice, noticeOf} from '#ui/message-pane/lines/notice-line.ts';
import type {CursorMark} from './message-row.ts';
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
