import {sameView} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {UnreadWalk} from '#ui/inbox/unread-walk-state.ts';

/** Returns the walk without its last step; undefined at its beginning. */
export function walkWithoutLastStep(walk: UnreadWalk): UnreadWalk | undefined {
  const steps = walk.steps.slice(0, -1);
  return steps.length === 0 ? undefined : {...walk, steps};
}

/** Returns the walk that the current view is a step of. */
export function activeWalk({unreadWalk: walk, view}: Pick<ScreenState, 'unreadWalk' | 'view'>): UnreadWalk | undefined {
  const last = walk?.steps.at(-1);
  return last !== undefined && sameView(last, view) ? walk : undefined;
}
