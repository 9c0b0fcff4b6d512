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
export interface Awaited {
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
  readonly opening: TimelineAnchor | undefined;
  /** What was asked for there has come, or was there. */
  readonly hasCome: boolean;
  /** Where the unread separator stands for this visit: the oldest unread message when the view was opened. */
  readonly firstUnread: number | undefined;
  /** How many were unread then. */
  readonly unreadCount: number;
  /** What is shown is not marked read by being shown: somebody only looks, or wants it unread. */
  readonly isPeek: boolean;
  /** Messages on their way for so long that it should be seen. */
  readonly slow: readonly string[];
  /** A key that waits for what is being fetched. */
  readonly awaited: Awaited | undefined;
}

export const newTimeline: TimelineState = {
  selected: undefined,
  anchor: undefined,
  opening: 'firstUnread',
  hasCome: false,
  firstUnread: undefined,
  unreadCount: 0,
  isPeek: false,
  slow: [],
  awaited: undefined,
};

export interface Visit {
  readonly opening: TimelineAnchor | undefined;
  readonly firstUnread: number | undefined;
  readonly unreadCount: number;
}

/** The state for another visit: as it was left, unless somebody asks for a certain message or something new is unread. */
export function visited(before: TimelineState | undefined, visit: Visit): TimelineState {
  const {opening, firstUnread, unreadCount} = visit;
  const isAsked = opening !== undefined && opening !== 'firstUnread';
  if (before !== undefined && !isAsked && !before.isPeek && !hasNews(before, visit)) {
    return before.awaited === undefined ? before : {...before, awaited: undefined};
  }
  return {
    ...newTimeline,
    selected: typeof opening === 'number' ? opening : undefined,
    opening: opening ?? 'firstUnread',
    firstUnread,
    unreadCount,
  };
}

function hasNews(before: TimelineState, {firstUnread}: Visit): boolean {
  return firstUnread !== undefined && firstUnread !== before.firstUnread;
}

/** What has to be there to show this place. */
export function wantedAnchor({opening, selected, anchor}: TimelineState): TimelineAnchor {
  if (opening !== undefined) return opening;
  if (anchor === undefined) return 'newest';
  return typeof selected === 'number' ? selected : 'firstUnread';
}
