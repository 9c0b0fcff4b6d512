import type {App} from '#app/core/app.ts';
import {changeTimeline, openView, timelineState} from '#app/navigation/navigation.ts';
import type {MessagesView} from '#ui/core/frame.ts';
import type {Motion, StepMotion} from '#ui/core/motion.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {bottomEdge, type TimelineRows, topEdge} from '#ui/message-pane/timeline-rows.ts';
import type {PendingMotion, RowKey, TimelineState} from '#ui/message-pane/timeline-state.ts';
import {
  isTall,
  type LinePosition,
  movedByLines,
  type ShownRow,
  startShowing,
  type TimelineWindow,
  windowAt,
} from '#ui/message-pane/timeline-window.ts';

/** The number of lines of the previous page that stay visible after paging. */
const overlap = 2;

interface FilledPane {
  readonly app: App;
  readonly view: MessagesView;
  readonly rows: TimelineRows;
  readonly window: TimelineWindow;
  readonly selected: RowKey;
  readonly height: number;
  readonly hasNewest: boolean;
}

export function moveInMessages(app: App, motion: Motion): void {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined) return;
  if ('to' in motion) {
    goToEnd(app, view, shown, motion.to);
    return;
  }
  const {rows, window, selected, timeline, height} = shown;
  retryAtEdge(app, view, shown, motion.step);
  if (rows === undefined || window === undefined || selected === undefined) return;
  const filled = {app, view, rows, window, selected, height, hasNewest: timeline?.hasNewest === true};
  if (motion.by === 'item') step(filled, motion.step);
  else scroll(filled, motion.step, linesOf(motion.by, height));
  const pendingMotion = pendingMotionAt(shown, motion);
  if (pendingMotion === undefined) return;
  changeTimeline(app, view, (state) => ({
    ...state,
    pendingMotion: {...pendingMotion, selected: state.selected},
  }));
}

/** Repeats the remembered key now that more messages have loaded. */
export function resumePendingMotion(app: App, view: MessagesView, {rows, timeline}: ShownTimeline): void {
  const {pendingMotion, selected} = timelineState(app, view);
  if (pendingMotion === undefined || rows === undefined) return;
  const edge = pendingMotion.motion.step < 0 ? rows.first() : rows.last();
  const hasMore = edge !== pendingMotion.edge;
  if (!hasMore && timeline?.loading !== undefined) return;
  changeTimeline(app, view, (state) => ({...state, pendingMotion: undefined}));
  if (hasMore && selected === pendingMotion.selected) moveInMessages(app, pendingMotion.motion);
}

function linesOf(by: 'line' | 'half' | 'page', height: number): number {
  if (by === 'line') return 1;
  return by === 'half' ? Math.max(1, Math.floor(height / 2)) : Math.max(1, height - overlap);
}

/** Moves to the next message; within one taller than the pane, first to its other end. */
function step(filled: FilledPane, by: 1 | -1): void {
  const {rows, window, selected, height} = filled;
  const row = window.rows.find(({key}) => key === selected);
  if (row !== undefined && (by > 0 ? row.isCutBelow : row.isCutAbove) && isTall(rows, selected, height)) {
    showFrom(filled, movedByLines(rows, window.start, by * linesOf('page', height)), selected);
    return;
  }
  const next = by > 0 ? rows.after(selected) : rows.before(selected);
  const isEdge = next === undefined || next === topEdge || next === bottomEdge;
  const target = isEdge ? selected : next;
  const start = startShowing(rows, window.start, target, height);
  // At the ends, the lines beyond the last message become visible too.
  showFrom(filled, isEdge ? movedByLines(rows, start, by * height) : start, target);
}

/** Scrolls. The selection stays while its message is visible, and otherwise moves to the nearest visible one. */
function scroll(filled: FilledPane, by: 1 | -1, lines: number): void {
  const {rows, window, selected, height} = filled;
  const isAtEdge = by > 0 ? window.isAtEnd : window.isAtStart;
  if (isAtEdge && lines > 1) {
    const end = by > 0 ? rows.last() : rows.first();
    showFrom(filled, window.start, end ?? selected);
    return;
  }
  const target = movedByLines(rows, window.start, by * lines);
  const after = windowAt(rows, {kind: 'line', line: target}, height);
  showFrom(
    filled,
    after.start,
    lines > 1
      ? selectionAfterPage(after, by, selected)
      : selectionAfterScroll(after, selected, isTall(rows, selected, height)),
  );
}

/** After a page, selects where reading continues: the first whole message going down, the last going up. */
function selectionAfterPage({rows}: TimelineWindow, by: 1 | -1, selected: RowKey): RowKey {
  const whole = rows.filter(({isCutAbove, isCutBelow}) => !isCutAbove && !isCutBelow);
  const candidates = whole.length > 0 ? whole : rows;
  return (by > 0 ? candidates[0] : candidates.at(-1))?.key ?? selected;
}

/** Keeps the selection while it is completely visible, else selects the nearest such row. */
function selectionAfterScroll({rows}: TimelineWindow, selected: RowKey, isTallRow: boolean): RowKey {
  const at = rows.findIndex(({key}) => key === selected);
  const row = rows[at];
  if (row === undefined) {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return selected;
    return isBefore(selected, first) ? first.key : last.key;
  }
  if (isTallRow || !(row.isCutAbove || row.isCutBelow)) return selected;
  return rows[row.isCutAbove ? at + 1 : at - 1]?.key ?? selected;
}

function isBefore(key: RowKey, row: ShownRow): boolean {
  return typeof key === 'number' && (typeof row.key === 'string' || key < row.key);
}

/** Shows the window. At the end the newest messages are followed; elsewhere the position is fixed. */
function showFrom({app, view, rows, height, hasNewest}: FilledPane, start: LinePosition, selected: RowKey): void {
  const window = windowAt(rows, {kind: 'line', line: start}, height);
  const anchor = window.isAtEnd && hasNewest ? undefined : window.top;
  changeTimeline(app, view, (state) => withPosition(state, selected, anchor));
}

function withPosition(state: TimelineState, selected: RowKey, anchor: TimelineState['anchor']): TimelineState {
  const isSame =
    state.selected === selected &&
    state.openAt === undefined &&
    state.pendingMotion === undefined &&
    state.anchor?.id === anchor?.id &&
    state.anchor?.skippedLines === anchor?.skippedLines;
  return isSame ? state : {...state, selected, anchor, openAt: undefined, pendingMotion: undefined};
}

function goToEnd(app: App, view: MessagesView, shown: ShownTimeline, to: 'first' | 'last'): void {
  const {rows, timeline} = shown;
  const isThere = to === 'last' ? timeline?.hasNewest : timeline?.hasOldest;
  if (isThere === true && rows !== undefined) {
    const selected = to === 'last' ? rows.last() : rows.first();
    changeTimeline(app, view, (state) => ({
      ...state,
      selected,
      anchor: undefined,
      openAt: to === 'last' ? undefined : 'oldest',
      isPeek: false,
    }));
  } else if (timeline !== undefined) {
    openView(app, view, {anchor: to === 'last' ? 'newest' : 'oldest'});
  }
}

/** Retries a failed load when the user moves to that edge. */
function retryAtEdge(app: App, view: MessagesView, {timeline, window}: ShownTimeline, by: 1 | -1): void {
  const isThere = window === undefined || (by < 0 ? window.isAtStart : window.isAtEnd);
  if (timeline?.problem === undefined || timeline.loading !== undefined || !isThere) return;
  app.session.timelines.open(view.narrow, timeline.anchor ?? 'firstUnread').catch(() => {});
}

/** Returns what to remember of a key at the edge; undefined when nothing more is loading, and for single lines. */
function pendingMotionAt(
  {rows, window, timeline}: ShownTimeline,
  motion: StepMotion,
): Omit<PendingMotion, 'selected'> | undefined {
  const isUp = motion.step < 0;
  const isAtEdge = isUp ? window?.isAtStart : window?.isAtEnd;
  const isWhole = isUp ? timeline?.hasOldest : timeline?.hasNewest;
  const isComing = timeline?.loading === (isUp ? 'older' : 'newer');
  if (motion.by === 'line' || isAtEdge !== true || isWhole !== false || !isComing) return undefined;
  return {motion, edge: isUp ? rows?.first() : rows?.last()};
}
