import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import {withTimelinesRechecked} from '#state/unreads/muting-changes.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {MutedUsersEvent} from '#wire/events/muted-users.ts';

export function applyMutedUsers(state: AccountState, event: MutedUsersEvent): AccountState {
  const mutedUsers = SortedMap.by(event.muted_users, ({id}) => id);
  const after = withSlices(state, {mutedUsers: keepIfEqual(state.mutedUsers, mutedUsers)});
  return after === state ? state : withTimelinesRechecked(after, event);
}
