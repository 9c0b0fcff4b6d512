import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';

/** Whether nothing newer can be had: there is nothing, or without a connection this machine has no more. */
export function reachesEnd(
  {connection}: Pick<AccountState, 'connection'>,
  {hasNewest, isStale}: Timeline,
): boolean {
  return hasNewest || (isStale && connection.phase === 'offline');
}
