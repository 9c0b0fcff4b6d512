import type {StepMotion} from '#app/core/motion.ts';
import type {TimelineAnchor} from '#state/fetches/page-args.ts';

/** A message by its id, or one that is not sent yet by its id in the outbox. */
export type RowKey = number | string;

/** A line of the timeline, named by the row at the top of the pane. */
export interface TopLine {
  readonly id: RowKey;
  /** Lines of it above the pane. Below zero: so many lines that stand before it are still to be seen. */
  readonly skippedLines: number;
}

/** A key that would lead beyond what is loaded, while more is on its way. One is remembered, not many: the last. */
export interface PendingMotion {
  readonly motion: StepMotion;
  /** The outermost message then. Another one means that more has come. */
  readonly edge: RowKey | undefined;
  /** What had the cursor after the key. Once it is elsewhere, somebody has gone another way. */
  readonly selected: RowKey | undefined;
}

/** Where one is among the messages of a view. Named by ids, so that what arrives above or below moves nothing. */
export interface TimelineState {
  /** What has the cursor; undefined until something is loaded. */
  readonly selected: RowKey | undefined;
  /** What is at the top of the pane. Undefined: follows the newest, as far as the selection stays in sight. */
  readonly anchor: TopLine | undefined;
  /** Where to begin; undefined once somebody is there. */
  readonly openAt: TimelineAnchor | undefined;
  /** What was asked for there has come, or was there. */
  readonly hasLoaded: boolean;
  /** Where the unread separator stands for this visit: the oldest unread message when the view was opened. */
  readonly firstUnread: number | undefined;
  /** How many were unread then. */
  readonly unreadCount: number;
  /** What is shown is not marked read by being shown: somebody only looks, or wants it unread. */
  readonly isPeek: boolean;
  /** Messages on their way for so long that it should be seen. */
  readonly slowOutboxIds: readonly string[];
  /** A key that waits for what is being fetched. */
  readonly pendingMotion: PendingMotion | undefined;
}

export const newTimelineState: TimelineState = {
  selected: undefined,
  anchor: undefined,
  openAt: 'firstUnread',
  hasLoaded: false,
  firstUnread: undefined,
  unreadCount: 0,
  isPeek: false,
  slowOutboxIds: [],
  pendingMotion: undefined,
};

export interface TimelineVisit {
  readonly openAt: TimelineAnchor | undefined;
  readonly firstUnread: number | undefined;
  readonly unreadCount: number;
}

/** The state for another visit: as it was left, unless somebody asks for a certain message or something new is unread. */
export function stateForVisit(before: TimelineState | undefined, visit: TimelineVisit): TimelineState {
  const {openAt: opening, firstUnread, unreadCount} = visit;
  const isAsked = opening !== undefined && opening !== 'firstUnread';
  if (before !== undefined && !isAsked && !before.isPeek && !hasNewUnread(before, visit)) {
    return before.pendingMotion === undefined ? before : {...before, pendingMotion: undefined};
  }
  return {
    ...newTimelineState,
    selected: typeof opening === 'number' ? opening : undefined,
    openAt: opening ?? 'firstUnread',
    firstUnread,
    unreadCount,
  };
}

function hasNewUnread(before: TimelineState, {firstUnread}: TimelineVisit): boolean {
  return firstUnread !== undefined && firstUnread !== before.firstUnread;
}

/** What has to be there to show this place. */
export function fetchAnchor({openAt: opening, selected, anchor}: TimelineState): TimelineAnchor {
  if (opening !== undefined) return opening;
  if (anchor === undefined) return 'newest';
  return typeof selected === 'number' ? selected : 'firstUnread';
}
