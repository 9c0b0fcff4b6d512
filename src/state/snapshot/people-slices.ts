import {groupFromWire} from '#state/model/group.ts';
import {botFromWire} from '#state/model/organization.ts';
import {type Presence, presenceFromWire, statusFromWire, type UserStatus} from '#state/model/personal.ts';
import {type Users, usersFromWire} from '#state/model/users.ts';
import type {AccountState, Presences} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {type AnyPresences, isLegacyPresences, modernPresence} from '#wire/objects/presence.ts';
import type {Snapshot} from '#wire/register.ts';

type PeopleSlices = Pick<AccountState, 'users' | 'bots' | 'groups' | 'statuses' | 'presences' | 'mutedUsers'>;

/** Builds the slices about users from a registration's response that arrived at `now` (milliseconds). */
export function peopleSlices(snapshot: Snapshot, now: number, known?: Users): PeopleSlices {
  const {realm_users = [], realm_non_active_users = [], cross_realm_bots = []} = snapshot;
  const deactivated = realm_non_active_users.map((wire) => ({is_active: false, ...wire}));
  const users = usersFromWire([...cross_realm_bots, ...deactivated, ...realm_users], known);
  return {
    users,
    bots: SortedMap.by((snapshot.realm_bots ?? []).map(botFromWire), ({userId}) => userId),
    groups: SortedMap.by((snapshot.realm_user_groups ?? []).map(groupFromWire), ({id}) => id),
    statuses: statusMap(snapshot.user_status ?? {}),
    presences: presencesSlice(snapshot, users, now),
    mutedUsers: SortedMap.by(snapshot.muted_users ?? [], ({id}) => id),
  };
}

function statusMap(statuses: NonNullable<Snapshot['user_status']>): AccountState['statuses'] {
  return SortedMap.empty<number, UserStatus>().edit((draft) => {
    for (const [id, wire] of Object.entries(statuses)) {
      const status = statusFromWire(wire);
      if (status !== undefined) draft.set(Number(id), status);
    }
  });
}

function presencesSlice(snapshot: Snapshot, users: AccountState['users'], now: number): Presences {
  const {presences = {}, presence_last_update_id = -1, server_timestamp} = snapshot;
  return {
    byUser: SortedMap.from(presenceEntries(presences, users)),
    lastUpdateId: presence_last_update_id,
    serverOffset: server_timestamp === undefined ? 0 : server_timestamp - now / 1000,
    registeredAt: now,
  };
}

function presenceEntries(table: AnyPresences, users: AccountState['users']): (readonly [number, Presence])[] {
  if (!isLegacyPresences(table)) {
    return Object.entries(table).map(([id, wire]) => [Number(id), presenceFromWire(wire)]);
  }
  const ids = new Map([...users.values()].map(({email, id}) => [email, id]));
  return Object.entries(table).flatMap(([email, wire]) => {
    const id = ids.get(email);
    return id === undefined ? [] : [[id, presenceFromWire(modernPresence(wire))] as const];
  });
}
