import type {ActionContext, ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import type {AnyPresences, ClientPresence, SinglePresence, WirePresence} from '#wire/objects/presence.ts';
import {apiEmail} from './user.ts';

/** Somebody connected is active if they were so this recently before. */
const activeWithinSeconds = 70;
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

/** Who never was there was there when they joined. */
export function modernPresenceView({active_at, idle_at, joined_at}: PresenceTimes): ModernPresence {
  return {active_timestamp: active_at ?? joined_at, idle_timestamp: idle_at ?? active_at ?? joined_at};
}

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
  /** By user id with two times each; else by address, as older clients read it. */
  readonly modern: boolean;
  /** Only what changed after this update; undefined or not positive = everything recent enough. */
  readonly sinceId?: number | undefined;
  readonly historyDays: number;
}

type PresenceQueryRow = PresenceRow &
  Pick<UserRow, 'id' | 'joined_at' | 'is_bot' | 'settings' | 'delivery_email'>;

/** What `viewer` may know of who is there, and the number of the newest update in it. */
export function presenceTable(
  act: ReadContext,
  viewer: UserRow,
  query: PresenceQuery,
): {presences: AnyPresences; lastUpdateId: number} {
  const nothingNew = query.sinceId ?? -1;
  if (organization(act).presence_disabled) return {presences: {}, lastUpdateId: nothingNew};
  const allowed = accessibleUserIds(act, viewer);
  const presences: Record<string, WirePresence | Record<string, ClientPresence>> = {};
  let lastUpdateId = nothingNew;
  for (const row of rows(act, query)) {
    if (allowed !== 'everyone' && !allowed.has(row.user_id)) continue;
    lastUpdateId = Math.max(lastUpdateId, row.update_id);
    if (query.modern) presences[row.user_id] = modernPresenceView(row);
    else presences[apiEmail(act.server, row)] = legacyPresenceView(row);
  }
  return {presences: presences as AnyPresences, lastUpdateId};
}

function rows({server, now}: ReadContext, {sinceId = -1, historyDays}: PresenceQuery): PresenceQueryRow[] {
  const select = `SELECT p.*, u.id, u.joined_at, u.is_bot, u.settings, u.delivery_email
    FROM presence AS p JOIN user AS u ON u.id = p.user_id AND u.is_active = 1 AND u.is_bot = 0`;
  if (sinceId > 0) return server.db.all<PresenceQueryRow>(`${select} WHERE p.update_id > ?`, sinceId);
  const oldest = now - Math.max(historyDays, 0) * daySeconds;
  return server.db.all<PresenceQueryRow>(`${select} WHERE COALESCE(p.idle_at, p.active_at, 0) >= ?`, oldest);
}

/** UNIX seconds with a fraction. */
export function serverTimestamp({server}: Pick<ActionContext, 'server'>): number {
  return server.clock.now() / 1000;
}

/** Both formats at once, and whether the user is still there; undefined for somebody who never was. */
export function singlePresenceView(act: ReadContext, user: UserRow): SinglePresence | undefined {
  if (organization(act).presence_disabled) return undefined;
  const row = act.server.db.get<PresenceRow & Record<string, unknown>>(
    'SELECT * FROM presence WHERE user_id = ?',
    user.id,
  );
  if (row === undefined) return undefined;
  const timed = {...row, joined_at: user.joined_at};
  const {status, timestamp} = legacyPresenceView(timed).website;
  const offline = act.now - timestamp > offlineAfterSeconds;
  return {
    ...modernPresenceView(timed),
    website: {status, timestamp},
    aggregated: {status: offline ? 'offline' : status, timestamp},
  };
}
