import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {emptyLines} from '#app/timeline/lines/edge-lines.ts';
import {type Typeset, typesetOf} from '#app/timeline/lines/typeset.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {CursorMark} from './message-row.ts';
import {type OpeningPosition, openingPosition, previewOpeningPosition} from './opening-position.ts';
import {TimelineRows} from './timeline-rows.ts';
import type {RowKey, TimelineState} from './timeline-state.ts';
import {type TimelineWindow, windowAt} from './timeline-window.ts';

export interface TimelineRequest {
  readonly narrow: Narrow;
  readonly columns: number;
  /** Lines to fill. */
  readonly height: number;
  readonly state: TimelineState;
  readonly mark: CursorMark;
  readonly isPreview: boolean;
}

/** A timeline as it is shown in so many lines. */
export interface ShownTimeline {
  readonly lines: readonly PaneLine[];
  /** Undefined while there are no messages: the lines then say why. */
  readonly window: TimelineWindow | undefined;
  readonly rows: TimelineRows | undefined;
  readonly timeline: Timeline | undefined;
  /** What has the cursor: another row where the one it was on is gone. */
  readonly selected: RowKey | undefined;
  readonly height: number;
  readonly typeset: Typeset;
}

/** One for each pane that shows messages, and one more for what a key is about to do. */
const mostKept = 4;

/** Costs what is in sight; nothing while it is the same. */
export const shownTimeline = memoByFrame(
  (frame, request: TimelineRequest) => {
    const {account, screen, display: looks} = frame;
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
      screen.view,
      looks.highlight,
    ];
  },
  newShown,
  mostKept,
);

function newShown(frame: Frame, request: TimelineRequest): ShownTimeline {
  const typeset = typesetOf(frame, request.columns);
  const timeline = timelineOf(frame.account, request.narrow);
  const {narrow, height, isPreview} = request;
  const empty = {window: undefined, rows: undefined, timeline, selected: undefined, height, typeset};
  const words = () => emptyLines(frame, typeset, narrow, timeline, isPreview).slice(0, height);
  if (timeline === undefined) return {...empty, lines: words()};
  const unmarked = rowsOf(frame, request, typeset, timeline, undefined);
  if (unmarked.isEmpty) return {...empty, lines: words()};
  const {position: place, selected} = placeOf(frame, unmarked, request);
  const rows = rowsOf(frame, request, typeset, timeline, selected);
  const window = windowAt(rows, place, height, request.mark === 'none' ? undefined : selected);
  return {lines: window.lines, window, rows, timeline, selected, height, typeset};
}

function rowsOf(
  frame: Frame,
  {narrow, state, mark, isPreview}: TimelineRequest,
  typeset: Typeset,
  timeline: Timeline,
  selected: RowKey | undefined,
): TimelineRows {
  return new TimelineRows(frame, typeset, {narrow, timeline, visit: state, selected, mark, isPreview});
}

function placeOf(frame: Frame, rows: TimelineRows, request: TimelineRequest): OpeningPosition {
  const {state, height, isPreview} = request;
  const {openAt: opening, anchor} = state;
  if (opening !== undefined && isPreview) return previewOpeningPosition(rows, state.firstUnread, height);
  if (opening !== undefined) return openingPosition(frame.account, rows, state, height);
  const selected = state.selected === undefined ? rows.last() : rows.nearest(state.selected);
  if (anchor !== undefined) return {position: {kind: 'top', top: anchor}, selected};
  return {position: {kind: 'newest', keep: selected}, selected};
}
