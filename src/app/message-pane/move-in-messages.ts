import type {App} from '#app/core/app.ts';
import {linksOf} from '#app/message-actions/message-content.ts';
import {openLinkChoice} from '#app/message-actions/open-link.ts';
import {changeTimeline, openConversation, openView, timelineState} from '#app/navigation/navigation.ts';
import {markConversationDone} from '#app/triage/mark-done.ts';
import {openNextUnreadAfter} from '#app/triage/unread-walk.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {markReadProblem} from '#ui/core/change-problem.ts';
import type {Frame, MessagesView, PaneLine} from '#ui/core/frame.ts';
import {isOnlySaved} from '#ui/message-pane/lines/edge-lines.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {bottomEdge, type TimelineRows, topEdge} from '#ui/message-pane/timeline-rows.ts';
import type {Motion, PendingMotion, RowKey, StepMotion, TimelineState} from '#ui/message-pane/timeline-state.ts';
import {
  isTall,
  type LinePosition,
  movedByLines,
  type ShownRow,
  startShowing,
  type TimelineWindow,
  windowAt,
} from '#ui/message-pane/timeline-window.ts';
import {selectRow} from './selection.ts';

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
  const conversation = conversationOfNarrow(view.narrow);
  // Offline there may be newer messages that cannot be shown.
  const showsOnlySaved = timeline !== undefined && isOnlySaved(app.state, timeline);
  if (to === 'last' && conversation !== undefined && !showsOnlySaved) markConversationRead(app, conversation);
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

/**
 * Marks as read exactly what was unread in the last painted frame and is loaded: messages that arrived since then have not been
 * seen and stay unread. Returns false when there was nothing.
 */
function markConversationRead(app: App, conversation: Conversation): boolean {
  return markReadProblem(app) === undefined && markConversationDone(app, conversation).isMarked;
}

/** Pages down; at the end of a conversation marks it read and opens the next unread one. */
export function pageOrOpenNext(app: App): void {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined) return;
  const isEnd = shown.window?.isAtEnd !== false && shown.timeline?.hasNewest === true;
  if (!isEnd) {
    moveInMessages(app, {by: 'page', step: 1});
    return;
  }
  if (app.settings.readOn === 'page') {
    app.toast('End of the conversation');
    return;
  }
  const conversation = conversationOfNarrow(view.narrow);
  if (conversation !== undefined) markConversationRead(app, conversation);
  if (!openNextUnreadAfter(app, conversation)) app.toast('No more unread conversations');
}

interface MessageClick {
  /** Counted from the top left of the messages. */
  readonly line: number;
  readonly column: number;
  /** Whether the messages had the keyboard focus before the click. */
  readonly hadFocus: boolean;
}

/**
 * Handles a click at a line and column of the painted messages: selects a message, opens a link of the selected one,
 * or opens the conversation of a heading.
 */
export function clickMessages(app: App, painted: Frame, {line, column, hadFocus}: MessageClick): void {
  const shown = mainTimelineNow(painted);
  const {rows = [], lines = []} = shown?.window ?? {};
  const row = rows.find(({first, last}) => first <= line && line <= last);
  if (row === undefined) {
    openHeading(app, lines[line], rows, line);
    return;
  }
  const link = hadFocus && shown?.selected === row.key ? linkAt(lines[line], column) : undefined;
  if (link === undefined) selectRow(app, row.key);
  else openLinkOfMessage(app, row.key, link);
}

/** Opens the conversation of a heading; only views of several conversations have headings. */
function openHeading(app: App, heading: PaneLine | undefined, rows: readonly ShownRow[], line: number): void {
  const {view} = app.screen;
  if (view.kind !== 'messages' || conversationOfNarrow(view.narrow) !== undefined) return;
  if (heading?.spans.some(({role}) => role === 'topic') !== true) return;
  const below = rows.find(({first}) => first > line)?.key;
  const message = typeof below === 'number' ? app.state.messages.byId.get(below) : undefined;
  if (message !== undefined) openConversation(app, conversationOf(message));
}

/** Returns the index of the message's link at a column. */
function linkAt(line: PaneLine | undefined, column: number): number | undefined {
  let end = 0;
  for (const {text, link} of line?.spans ?? []) {
    end += textColumns(text);
    if (column < end) return link;
  }
  return undefined;
}

function openLinkOfMessage(app: App, key: ShownRow['key'], link: number): void {
  const message = typeof key === 'number' ? app.state.messages.byId.get(key) : undefined;
  if (message === undefined) return;
  const found = linksOf(app.state, message, app.screen.expandedMessageIds.has(message.id))[link];
  if (found !== undefined) openLinkChoice(app, found);
}
