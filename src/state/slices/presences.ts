import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {reuseIfEqual} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {userKeys} from '#wire/events/event-schema.ts';
import {presencesOf} from '#wire/events/people.ts';
import {type AnyPresences, isLegacyPresences, modernPresence, type WirePresence} from '#wire/objects/user.ts';
import type {Snapshot} from '#wire/register.ts';
import {fromSnapshot, type Slice} from './slice.ts';

interface Presences {
  readonly byUser: SortedMap<number, Presence>;
  /** The position where the next presence request continues; -1 before the first. */
  readonly lastUpdateId: number;
  /** The server's clock minus ours, in seconds. */
  readonly serverOffset: number;
  /** Our time of the registration, in milliseconds, for what depends on the time where no clock is at hand. */
  readonly registeredAt?: number;
}

/** UNIX seconds; both are undefined for a user who was never seen. */
export interface Presence {
  readonly activeAt: number | undefined;
  readonly idleAt: number | undefined;
}

export function presenceFromWire(wire: WirePresence): Presence {
  return {activeAt: wire.active_timestamp, idleAt: wire.idle_timestamp};
}

/** Merges two reports, which may arrive late: the newest time of each kind counts. */
function newestPresence(a: Presence, b: Presence): Presence {
  return {activeAt: newest(a.activeAt, b.activeAt), idleAt: newest(a.idleAt, b.idleAt)};
}

function newest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Events and responses may arrive in any order: an older report never replaces a newer one. */
function withNewestPresences(
  byUser: Presences['byUser'],
  reported: readonly (readonly [userId: number, presence: Presence])[],
): Presences['byUser'] {
  const newer = reported.flatMap(([userId, presence]): [number, Presence][] => {
    const before = byUser.get(userId);
    if (before === undefined) return [[userId, presence]];
    const after = newestPresence(before, presence);
    return keepIfEqual(before, after) === before ? [] : [[userId, after]];
  });
  if (newer.length === 0) return byUser;
  return byUser.edit((draft) => {
    for (const [userId, presence] of newer) draft.set(userId, presence);
  });
}

type UserRecords = Pick<Snapshot, (typeof userKeys)[number]>;

function presenceEntries(table: AnyPresences, records: UserRecords): (readonly [number, Presence])[] {
  if (!isLegacyPresences(table)) {
    return Object.entries(table).map(([id, wire]) => [Number(id), presenceFromWire(wire)]);
  }
  const {realm_users = [], realm_non_active_users = [], cross_realm_bots = []} = records;
  const all = [...cross_realm_bots, ...realm_non_active_users, ...realm_users];
  const ids = new Map(all.map(({email, user_id}) => [email, user_id]));
  return Object.entries(table).flatMap(([email, wire]) => {
    const id = ids.get(email);
    return id === undefined ? [] : [[id, presenceFromWire(modernPresence(wire))] as const];
  });
}

export const presences: Slice<Presences, 'presence' | 'presences_fetched'> = {
  initial: {byUser: SortedMap.empty(), lastUpdateId: -1, serverOffset: 0},
  registered: fromSnapshot(
    ['presences', 'presence_last_update_id', 'server_timestamp', ...userKeys],
    ({presences: table = {}, presence_last_update_id: lastUpdateId = -1, server_timestamp, ...records}, {now}) => ({
      byUser: SortedMap.from(presenceEntries(table, records)),
      lastUpdateId,
      serverOffset: server_timestamp === undefined ? 0 : server_timestamp - now / 1000,
      registeredAt: now,
    }),
  ),
  saved: 'no',
  appliers: {
    /** Events only speed up what polling reports anyway. */
    presence: (before, event) => {
      const reported = Object.entries(presencesOf(event)).map(
        ([id, wire]) => [Number(id), presenceFromWire(wire)] as const,
      );
      const byUser = withNewestPresences(before.byUser, reported);
      return byUser === before.byUser ? before : {...before, byUser};
    },
    presences_fetched: (before, event) => {
      const {lastUpdateId = before.lastUpdateId, serverOffset = before.serverOffset} = event;
      const byUser = withNewestPresences(before.byUser, event.presences);
      return reuseIfEqual(before, {...before, byUser, lastUpdateId, serverOffset});
    },
  },
};
