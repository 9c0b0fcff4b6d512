import {byId, type Infer, object, openEnum, s, timestamp} from '#wire/schema.ts';

/** Modern: keyed by user id. */
export const presence = object({}, {active_timestamp: timestamp, idle_timestamp: timestamp});
export type WirePresence = Infer<typeof presence>;
export const presences = byId(presence);
export type WirePresences = Infer<typeof presences>;

export const clientPresence = object(
  {status: openEnum('active', 'idle', 'offline'), timestamp},
  {client: s.string(), pushable: s.boolean()},
);
export type ClientPresence = Infer<typeof clientPresence>;

/** Legacy: by client name (since level 178 only `website` and `aggregated`). */
export const legacyPresence = s.record(s.string(), clientPresence);
export type LegacyPresence = Infer<typeof legacyPresence>;
/** Legacy: keyed by API email. */
export const legacyPresences = s.record(s.string(), legacyPresence);
export type LegacyPresences = Infer<typeof legacyPresences>;

/** Either format, as the request asked. The modern one comes second because its entries fit anything. */
export const anyPresences = s.union([legacyPresences, presences]);
export type AnyPresences = Infer<typeof anyPresences>;

/** Legacy data is keyed by email; an empty table counts as modern. */
export function isLegacyPresences(table: AnyPresences): table is LegacyPresences {
  return Object.keys(table).some((key) => key.includes('@'));
}

/** One user's presence as `GET /users/{id}/presence` gives it: old servers the last two keys, new ones all. */
export const singlePresence = object(
  {},
  {
    active_timestamp: timestamp,
    idle_timestamp: timestamp,
    website: clientPresence,
    aggregated: clientPresence,
  },
);
export type SinglePresence = Infer<typeof singlePresence>;

/** Legacy data as modern: the newest `active` report, and the newest report of any kind. */
export function modernPresence(legacy: Readonly<Record<string, ClientPresence>>): WirePresence {
  let active: number | undefined;
  let idle: number | undefined;
  for (const report of Object.values(legacy)) {
    // An odd report makes a whole table pass for a modern one, whose entries fit anything.
    if (typeof report?.timestamp !== 'number') continue;
    idle = Math.max(idle ?? report.timestamp, report.timestamp);
    if (report.status === 'active') active = Math.max(active ?? report.timestamp, report.timestamp);
  }
  return {active_timestamp: active, idle_timestamp: idle};
}
