import type {TimelineAnchor} from '#state/fetches/open-timelines.ts';
import type {StepMotion} from '#ui/core/motion.ts';

/** A message id, or the outbox id of an unsent message. */
export type RowKey = number | string;

/** A line of the timeline, identified by the row at the top of the pane. */
export interface TopLine {
  readonly id: RowKey;
  /** Lines of the row above the pane. Negative: that many lines before the row are visible. */
  readonly skippedLines: number;
}

/** A key that would move beyond the loaded messages while more are loading. Only the last such key is remembered. */
export interface PendingMotion {
  readonly motion: StepMotion;
  /** The outermost message at that time; a different one means that more has loaded. */
  readonly edge: RowKey | undefined;
  /** The row selected after the key; a different one means that the user has moved elsewhere. */
  readonly selected: RowKey | undefined;
}

/** The user's position among the messages of a view. Identified by ids, so that arriving messages move nothing. */
export interface TimelineState {
  /** The selected row; undefined until something is loaded. */
  readonly selected?: RowKey | undefined;
  /** The line at the top of the pane. Undefined: follows the newest, as long as the selection stays visible. */
  readonly anchor?: TopLine | undefined;
  /** The position to open the timeline at; undefined once it is shown. */
  readonly openAt: TimelineAnchor | undefined;
  /** Whether the fetch for that position has finished, or was not needed. */
  readonly hasLoaded: boolean;
  /** Position of the unread separator for this visit: the oldest unread message when the view was opened. */
  readonly firstUnread?: number | undefined;
  /** The unread count at that time. */
  readonly unreadCount: number;
  /** Whether showing messages does not mark them read: the user only looks, or wants them unread. */
  readonly isPeek: boolean;
  /** Unsent messages that take long enough to show a mark. */
  readonly slowOutboxIds: readonly string[];
  /** A key that waits for messages being fetched. */
  readonly pendingMotion?: PendingMotion | undefined;
}

export const newTimelineState: TimelineState = {
  openAt: 'firstUnread',
  hasLoaded: false,
  unreadCount: 0,
  isPeek: false,
  slowOutboxIds: [],
};

interface TimelineVisit {
  readonly openAt: TimelineAnchor | undefined;
  readonly firstUnread: number | undefined;
  readonly unreadCount: number;
}

/** Returns the state for another visit: unchanged, unless a certain message is requested or something new is unread. */
export function stateForVisit(before: TimelineState | undefined, visit: TimelineVisit): TimelineState {
  const {openAt, firstUnread, unreadCount} = visit;
  const isSpecific = openAt !== undefined && openAt !== 'firstUnread';
  if (before !== undefined && !isSpecific && !before.isPeek && !hasNewUnread(before, visit)) {
    const isSame = before.pendingMotion === undefined && before.firstUnread === firstUnread;
    // Without unread messages the separator of the visit before would say what is no longer so.
    return isSame ? before : {...before, pendingMotion: undefined, firstUnread, unreadCount};
  }
  return {
    ...newTimelineState,
    selected: typeof openAt === 'number' ? openAt : undefined,
    openAt: openAt ?? 'firstUnread',
    firstUnread,
    unreadCount,
  };
}

function hasNewUnread(before: TimelineState, {firstUnread}: TimelineVisit): boolean {
  return firstUnread !== undefined && firstUnread !== before.firstUnread;
}

/** Returns the anchor to fetch for showing this position. */
export function fetchAnchor({openAt, selected, anchor}: TimelineState): TimelineAnchor {
  if (openAt !== undefined) return openAt;
  if (anchor === undefined) return 'newest';
  return typeof selected === 'number' ? selected : 'firstUnread';
}

declare module '#ui/core/screen-state.ts' {
  interface ScreenState {
    /** By `viewKey` of the message views that were shown. */
    readonly timelines: ReadonlyMap<string, TimelineState>;
  }
}
