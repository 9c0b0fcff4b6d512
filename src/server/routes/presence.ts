import {userSettings} from '#server/accounts/user-settings.ts';
import {reportPresence} from '#server/actions/users/presence.ts';
import {setUserStatus} from '#server/actions/users/user-status.ts';
import type {RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {statusOf} from '#server/db/user-status.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {
  requireAccessibleUser,
  requireAccessibleUserByEmail,
  requireActivePerson,
  requireAdmin,
} from '#server/permissions/user-access.ts';
import {presenceTable, serverTimestamp, singlePresenceView} from '#server/views/presence.ts';
import {statusView} from '#server/views/user-status.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {LegacyPresences} from '#wire/objects/presence.ts';

const defaultHistoryDays = 14;

export const presenceRoutes: readonly Route[] = [
  route(endpoints.updatePresence, updatePresence),
  route(endpoints.getUserPresence, (call, params) =>
    userPresence(call, requireAccessibleUser(call, call.actor, params.user_id), String(params.user_id)),
  ),
  route(endpoints.getUserPresenceByEmail, (call, params) =>
    userPresence(call, requireAccessibleUserByEmail(call, call.actor, params.email), params.email),
  ),
  route(endpoints.getRealmPresence, (call) => {
    const query = {modern: false, historyDays: defaultHistoryDays};
    // The query asks for the legacy format, so the table has this type.
    const presences = presenceTable(call, call.actor, query).presences as LegacyPresences;
    return {presences, server_timestamp: serverTimestamp(call)};
  }),
  route(endpoints.updateStatus, (call, params) => setUserStatus(call, call.actor, params)),
  route(endpoints.getUserStatus, (call, params) => {
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {status: statusView(statusOf(call.db, user.id))};
  }),
  route(endpoints.updateUserStatus, (call, params) => {
    const {user_id, ...changes} = params;
    const user = requireActivePerson(call, call.actor, user_id);
    requireAdmin(call.actor);
    setUserStatus(call, user, changes);
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

function userPresence(
  call: RequestContext,
  user: UserRow,
  requested: string,
): ResultOf<typeof endpoints.getUserPresence> {
  if (user.is_active === 0 || user.is_system_bot === 1) throw badRequest('No such user');
  if (user.is_bot === 1) throw badRequest('Presence is not supported for bot users.');
  const presence = singlePresenceView(call, user);
  if (presence === undefined) throw badRequest(`No presence data for ${requested}`);
  return {presence, server_timestamp: serverTimestamp(call)};
}
