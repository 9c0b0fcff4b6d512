import {noUsers, type Users, usersFromText, usersFromWire} from '#state/model/user.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {userKeys} from '#wire/events/event-schema.ts';
import {savedMap, savedObject} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** The user of the account. */
export const self: Slice<{readonly userId: number}> = {
  initial: {userId: 0},
  registered: fromSnapshot(['user_id'], (_snapshot, {selfId}) => ({userId: selfId})),
  saved: savedObject({userId: 'number'}),
  appliers: {},
};

export const users: Slice<Users> = {
  initial: noUsers,
  registered: fromSnapshot(
    userKeys,
    ({realm_users = [], realm_non_active_users = [], cross_realm_bots = []}, {knownUsers}) => {
      const deactivated = realm_non_active_users.map((wire) => ({is_active: false, ...wire}));
      return usersFromWire([...cross_realm_bots, ...deactivated, ...realm_users], knownUsers);
    },
  ),
  saved: {toBytes: (value) => value.toBytes(), fromText: usersFromText},
  appliers: {},
};

export const mutedUsers: Slice<SortedMap<number, {readonly id: number; readonly timestamp: number}>> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['muted_users'], ({muted_users = []}) => SortedMap.by(muted_users, ({id}) => id)),
  saved: savedMap('number', {id: 'number', timestamp: 'number'}),
  appliers: {},
};
