import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {isHeldOnly} from '#state/timelines/timeline-from-loaded.ts';

/** Whether what is shown is only what this machine has, because the server cannot be asked. */
export function isHeldHere({connection}: Pick<AccountState, 'connection'>, timeline: Timeline): boolean {
  return connection.phase === 'offline' && isHeldOnly(timeline);
}

/** Whether nothing newer can be had: there is nothing, or without a connection this machine has no more. */
export function reachesEnd(
  {connection}: Pick<AccountState, 'connection'>,
  {hasNewest, isStale}: Timeline,
): boolean {
  return hasNewest || (isStale && connection.phase === 'offline');
}
