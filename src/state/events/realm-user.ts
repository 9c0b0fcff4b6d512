import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {userFields, userFromWire} from '#state/model/user.ts';
import type {AccountState} from '#state/state.ts';
import type {PersonUpdate} from '#wire/events/people.ts';
import type {EventOf} from '#wire/events.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {withSubscriberChange} from './subscriber-changes.ts';

export function applyRealmUser(state: AccountState, event: EventOf<'realm_user'>): AccountState {
  switch (event.op) {
    case 'add':
      return withUser(state, event.person);
    case 'update':
      return withUserChange(state, event.person);
    case 'remove':
      return state.server.abilities.removedUsersAreHidden
        ? withoutUser(state, event.person.user_id)
        : withUserChange(state, {user_id: event.person.user_id, is_active: false});
  }
}

/** Adds a user. Below level 222 it may be a reactivated one: the known address stays if the record has none. */
function withUser(state: AccountState, wire: WireUser): AccountState {
  const user = userFromWire(wire);
  const known = wire.delivery_email === undefined ? state.users.get(user.id)?.deliveryEmail : undefined;
  return withSlices(state, {
    users: withValue(state.users, user.id, known === undefined ? user : {...user, deliveryEmail: known}),
  });
}

function withUserChange(state: AccountState, change: PersonUpdate): AccountState {
  const before = state.users.get(change.user_id);
  if (before === undefined) return state;
  const after = withSlices(state, {
    users: withFields(state.users, change.user_id, userFields(change, before)),
  });
  return change.is_active === false ? withoutMembership(after, change.user_id) : after;
}

/**
 * Removes a deactivated user from all groups and subscriber lists. Servers that send partial subscriber lists report
 * each channel separately, so partial lists and their counts wait for that. Visits every group and channel.
 */
function withoutMembership(state: AccountState, userId: number): AccountState {
  const groups = [...state.groups.values()].filter(({members}) => members.has(userId));
  const channelIds = [...state.subscribers]
    .filter(([, {complete, ids}]) => complete && ids.has(userId))
    .map(([channelId]) => channelId);
  const after = withSubscriberChange(state, 'remove', channelIds, [userId]);
  if (groups.length === 0) return after;
  return withSlices(after, {
    groups: after.groups.edit((draft) => {
      for (const group of groups) draft.set(group.id, {...group, members: group.members.without(userId)});
    }),
  });
}

/** Removes a user who became invisible: no event will update their data any more. */
function withoutUser(state: AccountState, userId: number): AccountState {
  const {presences} = state;
  const byUser = presences.byUser.without(userId);
  return withSlices(state, {
    users: state.users.without(userId),
    statuses: state.statuses.without(userId),
    presences: byUser === presences.byUser ? presences : {...presences, byUser},
  });
}
