import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {Frame} from '#ui/core/frame.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {type NoMessages, whyNoMessages} from '#ui/message-pane/lines/edge-lines.ts';
import {type Typeset, typesetOf} from '#ui/message-pane/lines/typeset.ts';
import type {CursorMark} from './message-row.ts';
import {type OpeningPosition, openingPosition, previewOpeningPosition} from './opening-position.ts';
import {TimelineRows} from './timeline-rows.ts';
import type {RowKey, TimelineState} from './timeline-state.ts';
import {type TimelineWindow, windowAt} from './timeline-window.ts';

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
const maxCached = 4;

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
  const hasDateOnTop = !isPreview && mark !== 'none' && height >= minHeightForDate;
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
