import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import type {AnyPresences, ClientPresence, SinglePresence, WirePresence} from '#wire/objects/user.ts';
import {apiEmail} from './user.ts';

/** A user is active while they were last active at most this long before they were last idle. */
const activeWithinSeconds = 70;
/** The age of the last report from which on a user is shown as offline. */
export const offlineAfterSeconds = 200;
const daySeconds = 86_400;

export interface PresenceRow {
  readonly user_id: number;
  readonly active_at: number | null;
  readonly idle_at: number | null;
  readonly update_id: number;
}

type PresenceTimes = Pick<PresenceRow, 'active_at' | 'idle_at'> & Pick<UserRow, 'joined_at'>;

type ModernPresence = {active_timestamp: number; idle_timestamp: number};

/** Returns a user's presence in the modern format. A user without reports counts as last seen when they joined. */
export function modernPresenceView({active_at, idle_at, joined_at}: PresenceTimes): ModernPresence {
  return {active_timestamp: active_at ?? joined_at, idle_timestamp: idle_at ?? active_at ?? joined_at};
}

/** Returns a user's presence in the legacy format, by client. */
export function legacyPresenceView(row: PresenceTimes): Record<'aggregated' | 'website', ClientPresence> {
  const {active_timestamp, idle_timestamp} = modernPresenceView(row);
  const active = idle_timestamp - active_timestamp <= activeWithinSeconds;
  const aggregated = {
    client: 'website',
    status: active ? 'active' : 'idle',
    timestamp: active ? active_timestamp : idle_timestamp,
  };
  return {aggregated, website: {...aggregated, pushable: false}};
}

export interface PresenceQuery {
  /** Whether the table is keyed by user id with two times each; else by e-mail address, for older clients. */
  readonly modern: boolean;
  /** Limits the table to changes after this update; undefined or not positive means everything recent enough. */
  readonly sinceId?: number | undefined;
  readonly historyDays: number;
}

type PresenceQueryRow = PresenceRow & Pick<UserRow, 'id' | 'joined_at' | 'is_bot' | 'settings' | 'delivery_email'>;

/** Returns the presence of the users that `viewer` may access, and the id of the newest update in it. */
export function presenceTable(
  act: ReadContext,
  viewer: UserRow,
  query: PresenceQuery,
): {presences: AnyPresences; lastUpdateId: number} {
  const sinceId = query.sinceId ?? -1;
  if (organization(act).presence_disabled) return {presences: {}, lastUpdateId: sinceId};
  const allowed = accessibleUserIds(act, viewer);
  const presences: Record<string, WirePresence | Record<string, ClientPresence>> = {};
  let lastUpdateId = sinceId;
  for (const row of presenceRows(act, query)) {
    if (allowed !== 'everyone' && !allowed.has(row.user_id)) continue;
    lastUpdateId = Math.max(lastUpdateId, row.update_id);
    if (query.modern) presences[row.user_id] = modernPresenceView(row);
    else presences[apiEmail(act.server, row)] = legacyPresenceView(row);
  }
  return {presences: presences as AnyPresences, lastUpdateId};
}

function presenceRows({server, now}: ReadContext, {sinceId = -1, historyDays}: PresenceQuery): PresenceQueryRow[] {
  const select = `SELECT p.*, u.id, u.joined_at, u.is_bot, u.settings, u.delivery_email
    FROM presence AS p JOIN user AS u ON u.id = p.user_id AND u.is_active = 1 AND u.is_bot = 0`;
  if (sinceId > 0) return server.db.all<PresenceQueryRow>(`${select} WHERE p.update_id > ?`, sinceId);
  const oldest = now - historyDays * daySeconds;
  return server.db.all<PresenceQueryRow>(`${select} WHERE COALESCE(p.idle_at, p.active_at, 0) >= ?`, oldest);
}

/** Returns the server's time in UNIX seconds with a fraction. */
export function serverTimestamp({server}: Pick<ActionContext, 'server'>): number {
  return server.clock.now() / 1000;
}

/** Returns a user's presence in both formats, with `offline` status; undefined for a user without reports. */
export function singlePresenceView(act: ReadContext, user: UserRow): SinglePresence | undefined {
  if (organization(act).presence_disabled) return undefined;
  const sql = 'SELECT * FROM presence WHERE user_id = ?';
  const row = act.server.db.get<PresenceRow>(sql, user.id);
  if (row === undefined) return undefined;
  const times = {...row, joined_at: user.joined_at};
  const {status, timestamp} = legacyPresenceView(times).website;
  const offline = act.now - timestamp > offlineAfterSeconds;
  return {
    ...modernPresenceView(times),
    website: {status, timestamp},
    aggregated: {status: offline ? 'offline' : status, timestamp},
  };
}
