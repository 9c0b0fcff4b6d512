import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {hasOnlySavedMessages} from '#state/timelines/timeline-pages.ts';

/** Whether only saved messages are shown because the client is offline. */
export function isOnlySaved({connection}: Pick<AccountState, 'connection'>, timeline: Timeline): boolean {
  return connection.phase === 'offline' && hasOnlySavedMessages(timeline);
}

/** Whether nothing newer can be loaded: there is nothing newer, or the client is offline and has no more. */
export function hasReachedEnd({connection}: Pick<AccountState, 'connection'>, {hasNewest, isStale}: Timeline): boolean {
  return hasNewest || (isStale && connection.phase === 'offline');
}
