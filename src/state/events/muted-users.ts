import {settled, withSlices} from '#state/change.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {MutedUsersEvent} from '#wire/events/muted-users.ts';

export function applyMutedUsers(state: AccountState, event: MutedUsersEvent): AccountState {
  const mutedUsers = SortedMap.by(event.muted_users, ({id}) => id);
  return withSlices(state, {mutedUsers: settled(state.mutedUsers, mutedUsers)});
}
