import type {StepMotion} from '#app/core/motion.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import type {PendingMotion} from './timeline-state.ts';

/** Returns what to remember of a key at the edge; undefined when nothing more is loading, and for single lines. */
export function pendingMotionAt(
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
