import type {App} from '#app/core/app.ts';
import type {Motion} from '#app/core/motion.ts';
import type {MessagesView} from '#app/core/view.ts';
import {changeTimeline, openView, timelineState} from '#app/navigation/navigation.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {markConversationRead} from './mark-read.ts';
import {pendingMotionAt} from './pending-motion.ts';
import {mainTimelineNow} from './selection.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import {isOnlySaved} from './timeline-end.ts';
import {bottomEdge, type TimelineRows, topEdge} from './timeline-rows.ts';
import type {RowKey, TimelineState} from './timeline-state.ts';
import {
  type LinePosition,
  movedByLines,
  type ShownRow,
  startShowing,
  type TimelineWindow,
  windowAt,
} from './timeline-window.ts';

/** Lines of the page before that are still there after paging, for the eye to go on from. */
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
  const awaited = pendingMotionAt(shown, motion);
  if (awaited === undefined) return;
  changeTimeline(app, view, (state) => ({...state, pendingMotion: {...awaited, selected: state.selected}}));
}

/** Does what a key was remembered for, now that there is more. */
export function resumePendingMotion(app: App, view: MessagesView, {rows, timeline}: ShownTimeline): void {
  const {pendingMotion: awaited, selected} = timelineState(app, view);
  if (awaited === undefined || rows === undefined) return;
  const edge = awaited.motion.step < 0 ? rows.first() : rows.last();
  const hasCome = edge !== awaited.edge;
  if (!hasCome && timeline?.loading !== undefined) return;
  changeTimeline(app, view, (state) => ({...state, pendingMotion: undefined}));
  if (hasCome && selected === awaited.selected) moveInMessages(app, awaited.motion);
}

function linesOf(by: 'line' | 'half' | 'page', height: number): number {
  if (by === 'line') return 1;
  return by === 'half' ? Math.max(1, Math.floor(height / 2)) : Math.max(1, height - overlap);
}

/** The next message; inside one that is taller than the pane first to its other end. */
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
  // At the ends what stands beyond the last message comes into sight too.
  showFrom(filled, isEdge ? movedByLines(rows, start, by * height) : start, target);
}

function isTall(rows: TimelineRows, key: RowKey, height: number): boolean {
  const {lines, lead} = rows.block(key);
  return lines.length - lead > height;
}

/** The selection stays on its message while that is in sight, and else goes to the nearest that is. */
function scroll(filled: FilledPane, by: 1 | -1, lines: number): void {
  const {rows, window, selected, height} = filled;
  const isAtEdge = by > 0 ? window.isAtEnd : window.isAtStart;
  if (isAtEdge && lines > 1) {
    const end = by > 0 ? rows.last() : rows.first();
    showFrom(filled, window.start, end ?? selected);
    return;
  }
  const wanted = movedByLines(rows, window.start, by * lines);
  const after = windowAt(rows, {kind: 'line', line: wanted}, height);
  showFrom(
    filled,
    after.start,
    lines > 1 ? paged(after, by, selected) : kept(after, selected, isTall(rows, selected, height)),
  );
}

/** After a page the cursor is where reading goes on: at the first whole message going down, at the last going up. */
function paged({rows}: TimelineWindow, by: 1 | -1, selected: RowKey): RowKey {
  const whole = rows.filter(({isCutAbove, isCutBelow}) => !isCutAbove && !isCutBelow);
  const among = whole.length > 0 ? whole : rows;
  return (by > 0 ? among[0] : among.at(-1))?.key ?? selected;
}

/** The selection while it can be seen whole, else the nearest row that can. */
function kept({rows}: TimelineWindow, selected: RowKey, isTallRow: boolean): RowKey {
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

/** At the end it is the newest that is followed; anywhere else the place is held. */
function showFrom(
  {app, view, rows, height, hasNewest}: FilledPane,
  start: LinePosition,
  selected: RowKey,
): void {
  const window = windowAt(rows, {kind: 'line', line: start}, height);
  const anchor = window.isAtEnd && hasNewest ? undefined : window.top;
  changeTimeline(app, view, (state) => withPosition(state, selected, anchor));
}

function withPosition(
  state: TimelineState,
  selected: RowKey,
  anchor: TimelineState['anchor'],
): TimelineState {
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
  const conversation = conversationOfNarrow(view.narrow);
  // Without a server there may be newer ones that nobody can look at.
  const isHeld = timeline !== undefined && isOnlySaved(app.state, timeline);
  if (to === 'last' && conversation !== undefined && !isHeld) markConversationRead(app, conversation);
}

/** What could not be loaded is asked for again by going there. */
function retryAtEdge(app: App, view: MessagesView, {timeline, window}: ShownTimeline, by: 1 | -1): void {
  const isThere = window === undefined || (by < 0 ? window.isAtStart : window.isAtEnd);
  if (timeline?.problem === undefined || timeline.loading !== undefined || !isThere) return;
  app.session.timelines.open(view.narrow, timeline.anchor ?? 'firstUnread').catch(() => {});
}
