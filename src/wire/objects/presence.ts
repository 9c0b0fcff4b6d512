import {byId, type Infer, object, openEnum, s, timestamp} from '#wire/schema.ts';

/** The current format: keyed by user id. */
export const presence = object({}, {active_timestamp: timestamp, idle_timestamp: timestamp});
export type WirePresence = Infer<typeof presence>;
export const presences = byId(presence);
export type WirePresences = Infer<typeof presences>;

export const clientPresence = object(
  {status: openEnum('active', 'idle', 'offline'), timestamp},
  {client: s.string(), pushable: s.boolean()},
);
export type ClientPresence = Infer<typeof clientPresence>;

/** The legacy format: by client name (since level 178 only `website` and `aggregated`). */
export const legacyPresence = s.record(s.string(), clientPresence);
/** The legacy format: keyed by API e-mail. */
export const legacyPresences = s.record(s.string(), legacyPresence);
export type LegacyPresences = Infer<typeof legacyPresences>;

/** Either format, depending on the request. The current one comes second, because its schema matches anything. */
export const anyPresences = s.union([legacyPresences, presences]);
export type AnyPresences = Infer<typeof anyPresences>;

/** Returns whether a table has the legacy format, which is keyed by e-mail; an empty table does not. */
export function isLegacyPresences(table: AnyPresences): table is LegacyPresences {
  return Object.keys(table).some((key) => key.includes('@'));
}

/** The result of `GET /users/{id}/presence`: old servers send the last two keys, new ones all. */
export const singlePresence = object({...presence.entries}, {website: clientPresence, aggregated: clientPresence});
export type SinglePresence = Infer<typeof singlePresence>;

/** Converts the legacy format to the current one: the newest `active` report, and the newest report of any kind. */
export function modernPresence(legacy: Readonly<Record<string, ClientPresence>>): WirePresence {
  let active: number | undefined;
  let idle: number | undefined;
  for (const report of Object.values(legacy)) {
    // With a malformed report the table matches the current schema, which matches anything.
    if (typeof report?.timestamp !== 'number') continue;
    idle = Math.max(idle ?? report.timestamp, report.timestamp);
    if (report.status === 'active') active = Math.max(active ?? report.timestamp, report.timestamp);
  }
  return {active_timestamp: active, idle_timestamp: idle};
}
