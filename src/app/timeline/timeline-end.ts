import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {hasOnlySavedMessages} from '#state/timelines/timeline-from-loaded.ts';

/** Whether what is shown is only what this machine has, because the server cannot be asked. */
export function isOnlySaved({connection}: Pick<AccountState, 'connection'>, timeline: Timeline): boolean {
  return connection.phase === 'offline' && hasOnlySavedMessages(timeline);
}

/** Whether nothing newer can be had: there is nothing, or without a connection this machine has no more. */
export function hasReachedEnd(
  {connection}: Pick<AccountState, 'connection'>,
  {hasNewest, isStale}: Timeline,
): boolean {
  return hasNewest || (isStale && connection.phase === 'offline');
}
