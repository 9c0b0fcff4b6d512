import {userSettings} from '#server/accounts/user-settings.ts';
import {emitUserEvent} from '#server/actions/events/user-events.ts';
import type {ActionContext, ReadContext, RequestContext, ServerAccess} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {check, required} from '#server/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {
  accessibleUserIds,
  requireAccessibleUser,
  requireAccessibleUserByEmail,
} from '#server/permissions/user-access.ts';
import {type Route, route} from '#server/route.ts';
import {apiEmail} from '#server/views/user.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import type {AnyPresences, ClientPresence, LegacyPresences, SinglePresence, WirePresence} from '#wire/objects/user.ts';

export type PresenceStatus = 'active' | 'idle';

/** Reports within this time are written once, because several open clients report every minute each. */
const writeEverySeconds = 55;
/** Larger organizations emit no presence events, because users come online all the time; clients poll instead. */
const maxUsersForEvents = 100;

const defaultHistoryDays = 14;

export const presenceRoutes: readonly Route[] = [
  route(endpoints.updatePresence, 'person', updatePresence),
  route(endpoints.getUserPresence, 'account', (call, params) =>
    userPresence(call, requireAccessibleUser(call, call.actor, params.user_id), String(params.user_id)),
  ),
  route(endpoints.getUserPresenceByEmail, 'account', (call, params) =>
    userPresence(call, requireAccessibleUserByEmail(call, call.actor, params.email), params.email),
  ),
  route(endpoints.getRealmPresence, 'account', (call) => {
    const query = {modern: false, historyDays: defaultHistoryDays};
    // The query asks for the legacy format, so the table has this type.
    const presences = presenceTable(call, call.actor, query).presences as LegacyPresences;
    return {presences, server_timestamp: serverTimestamp(call)};
  }),
];

function updatePresence(
  call: RequestContext,
  params: ParamsOf<typeof endpoints.updatePresence>,
): ResultOf<typeof endpoints.updatePresence> {
  reportPresence(call, call.actor, params.status, userSettings(call.actor).presence_enabled);
  const sinceId = params.last_update_id;
  // No presences are returned, so the client's last update id stays the same.
  if (params.ping_only) return {presence_last_update_id: sinceId ?? -1};
  const {presences, lastUpdateId} = presenceTable(call, call.actor, {
    modern: sinceId !== undefined || params.slim_presence,
    sinceId,
    historyDays: params.history_limit_days ?? defaultHistoryDays,
  });
  return {presences, presence_last_update_id: lastUpdateId, server_timestamp: serverTimestamp(call)};
}

function userPresence(call: RequestContext, user: UserRow, requested: string) {
  check(user.is_active !== 0 && user.is_system_bot !== 1, 'No such user');
  check(user.is_bot !== 1, 'Presence is not supported for bot users.');
  const presence = required(singlePresenceView(call, user), `No presence data for ${requested}`);
  return {presence, server_timestamp: serverTimestamp(call)};
}

/** Records that a client is active or idle. Does nothing for users who do not share their presence. */
export function reportPresence(act: ActionContext, user: UserRow, status: PresenceStatus, shares: boolean): void {
  if (!shares) return;
  const {now} = act;
  const before = presenceOf(act, user);
  const sinceActive = now - (before?.active_at ?? Number.NEGATIVE_INFINITY);
  const sinceIdle = now - (before?.idle_at ?? Number.NEGATIVE_INFINITY);
  const newlyActive = status === 'active' && sinceActive > writeEverySeconds;
  if (!newlyActive && sinceIdle <= writeEverySeconds) return;
  write(act, user, newlyActive ? now : (before?.active_at ?? null), now);
  const cameOnline = status === 'active' && sinceActive > offlineAfterSeconds;
  if (before === undefined || cameOnline) emitPresence(act, user);
}

/**
 * Applies a change of the presence setting at once: a user who stops sharing appears as last seen a while ago, a user
 * who starts sharing appears online without waiting for the next report.
 */
export function applyPresenceSharing(act: ActionContext, user: UserRow, shares: boolean): void {
  const {now} = act;
  const before = presenceOf(act, user);
  if (!shares && before === undefined) return;
  const past = now - offlineAfterSeconds - 120;
  const active_at = shares ? now : Math.min(before?.active_at ?? past, past);
  const idle_at = shares ? now : Math.min(before?.idle_at ?? past, past);
  write(act, user, active_at, idle_at);
  emitPresence(act, user);
}

function presenceOf({db}: ActionContext, user: UserRow): PresenceRow | undefined {
  return db.find<PresenceRow>('presence', {user_id: user.id});
}

/**
 * Writes the times with an update number that is unique in the organization, so that clients can fetch newer updates
 * only.
 */
function write({db}: ActionContext, user: UserRow, activeAt: number | null, idleAt: number): void {
  const sql = `INSERT OR REPLACE INTO presence (user_id, active_at, idle_at, update_id)
     SELECT ?, ?, ?, COALESCE(MAX(update_id), 0) + 1 FROM presence`;
  db.run(sql, user.id, activeAt, idleAt);
}

function emitPresence(act: ActionContext, user: UserRow): void {
  const row = presenceOf(act, user);
  if (row === undefined || organization(act).presence_disabled || isLarge(act)) return;
  const timed = {...row, joined_at: user.joined_at};
  const modern: OutgoingBody<'presence'> = {presences: {[user.id]: modernPresenceView(timed)}};
  const legacy: OutgoingBody<'presence'> = {
    user_id: user.id,
    email: apiEmail(act.server, user),
    server_timestamp: serverTimestamp(act),
    presence: {website: legacyPresenceView(timed).website},
  };
  emitUserEvent(act, 'presence', user, (_viewer, {options}) =>
    options.capabilities.simplified_presence_events === true ? modern : legacy,
  );
}

function isLarge({db}: ActionContext): boolean {
  const some = 'SELECT COUNT(*) FROM (SELECT 1 FROM user WHERE is_active = 1 AND is_bot = 0 LIMIT ?)';
  return (db.value(some, maxUsersForEvents + 1) ?? 0) > maxUsersForEvents;
}

/** A user is active while they were last active at most this long before they were last idle. */
const activeBeforeIdleSeconds = 70;
/** The age of the last report from which on a user is shown as offline. */
const offlineAfterSeconds = 200;
const daySeconds = 86_400;

interface PresenceRow {
  readonly user_id: number;
  readonly active_at: number | null;
  readonly idle_at: number | null;
  readonly update_id: number;
}

type PresenceTimes = Pick<PresenceRow, 'active_at' | 'idle_at'> & Pick<UserRow, 'joined_at'>;

type ModernPresence = {active_timestamp: number; idle_timestamp: number};

/** Returns a user's presence in the modern format. A user without reports counts as last seen when they joined. */
function modernPresenceView({active_at, idle_at, joined_at}: PresenceTimes): ModernPresence {
  return {active_timestamp: active_at ?? joined_at, idle_timestamp: idle_at ?? active_at ?? joined_at};
}

/** Returns a user's presence in the legacy format, by client. */
function legacyPresenceView(row: PresenceTimes): Record<'aggregated' | 'website', ClientPresence> {
  const {active_timestamp, idle_timestamp} = modernPresenceView(row);
  const active = idle_timestamp - active_timestamp <= activeBeforeIdleSeconds;
  const aggregated = {
    client: 'website',
    status: active ? 'active' : 'idle',
    timestamp: active ? active_timestamp : idle_timestamp,
  };
  return {aggregated, website: {...aggregated, pushable: false}};
}

interface PresenceQuery {
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
export function serverTimestamp({server}: ServerAccess): number {
  return server.clock.now() / 1000;
}

/** Returns a user's presence in both formats, with `offline` status; undefined for a user without reports. */
function singlePresenceView(act: ReadContext, user: UserRow): SinglePresence | undefined {
  if (organization(act).presence_disabled) return undefined;
  const row = act.server.db.find<PresenceRow>('presence', {user_id: user.id});
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
