import {withSlices, withValue} from '#state/immutable-updates.ts';
import {statusFromWire} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import type {UserStatusEvent} from '#wire/events/user-status.ts';

export function applyUserStatus(state: AccountState, event: UserStatusEvent): AccountState {
  const {statuses} = state;
  const status = statusFromWire(event, statuses.get(event.user_id));
  return withSlices(state, {
    statuses:
      status === undefined ? statuses.without(event.user_id) : withValue(statuses, event.user_id, status),
  });
}
