import {keepIfEqual} from '#state/model/immutable-updates.ts';
import type {Users} from '#state/model/user.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {type AnyPresences, isLegacyPresences, modernPresence, type WirePresence} from '#wire/objects/user.ts';
import type {Snapshot} from '#wire/register.ts';

export interface Presences {
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
export function newestPresence(a: Presence, b: Presence): Presence {
  return {activeAt: newest(a.activeAt, b.activeAt), idleAt: newest(a.idleAt, b.idleAt)};
}

function newest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Events and responses may arrive in any order: an older report never replaces a newer one. */
export function withNewestPresences(
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

export function presencesSlice(snapshot: Snapshot, users: Users, now: number): Presences {
  const {presences = {}, presence_last_update_id = -1, server_timestamp} = snapshot;
  return {
    byUser: SortedMap.from(presenceEntries(presences, users)),
    lastUpdateId: presence_last_update_id,
    serverOffset: server_timestamp === undefined ? 0 : server_timestamp - now / 1000,
    registeredAt: now,
  };
}

function presenceEntries(table: AnyPresences, users: Users): (readonly [number, Presence])[] {
  if (!isLegacyPresences(table)) {
    return Object.entries(table).map(([id, wire]) => [Number(id), presenceFromWire(wire)]);
  }
  const ids = new Map([...users.values()].map(({email, id}) => [email, id]));
  return Object.entries(table).flatMap(([email, wire]) => {
    const id = ids.get(email);
    return id === undefined ? [] : [[id, presenceFromWire(modernPresence(wire))] as const];
  });
}
