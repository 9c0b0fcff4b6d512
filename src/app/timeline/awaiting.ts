import type {StepMotion} from '#app/motion.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import type {RowKey} from './timeline-state.ts';

/** A key that would lead beyond what is loaded, while more is on its way. One is remembered, not many: the last. */
export interface Awaited {
  readonly motion: StepMotion;
  /** The outermost message then. Another one means that more has come. */
  readonly edge: RowKey | undefined;
  /** What had the cursor after the key. Once it is elsewhere, somebody has gone another way. */
  readonly selected: RowKey | undefined;
}

/** What to remember of a key at the edge; undefined when nothing more is to be expected, and for single lines. */
export function awaitedAt(
  {rows, window, timeline}: ShownTimeline,
  motion: StepMotion,
): Omit<Awaited, 'selected'> | undefined {
  const isUp = motion.step < 0;
  const isAtEdge = isUp ? window?.isAtStart : window?.isAtEnd;
  const isWhole = isUp ? timeline?.hasOldest : timeline?.hasNewest;
  const isComing = timeline?.loading === (isUp ? 'older' : 'newer');
  if (motion.by === 'line' || isAtEdge !== true || isWhole !== false || !isComing) return undefined;
  return {motion, edge: isUp ? rows?.first() : rows?.last()};
}
