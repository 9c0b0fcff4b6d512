import type {TimelineAnchor} from '#state/fetches/open-timelines.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {type Frame, memoByFrame, type PaneLine} from '#ui/core/frame.ts';
import {type NoMessages, whyNoMessages} from '#ui/message-pane/lines/edge-lines.ts';
import {type Typeset, typesetOf} from '#ui/message-pane/lines/typeset.ts';
import {isOnlySaved} from './lines/edge-lines.ts';
import type {CursorMark} from './lines/typeset.ts';
import {TimelineRows} from './timeline-rows.ts';
import type {RowKey, TimelineState} from './timeline-state.ts';
import {type TimelineWindow, type WindowPosition, windowAt} from './timeline-window.ts';

export interface TimelineRequest {
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
export const shownTimeline = memoByFrame(
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
  const {narrow, height, isPreview} = request;
  const withoutMessages = (): ShownTimeline => ({
    lines: [],
    noMessages: whyNoMessages(frame, typeset, narrow, timeline, isPreview),
    window: undefined,
    rows: undefined,
    timeline,
    selected: undefined,
    height,
    typeset,
  });
  if (timeline === undefined) return withoutMessages();
  const unmarked = rowsOf(frame, request, typeset, timeline, undefined);
  if (unmarked.isEmpty) return withoutMessages();
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
