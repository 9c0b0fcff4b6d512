import {apiKeyForPassword, apiKeyWithoutPassword, regenerateApiKey} from '#server/actions/users/api-keys.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/http/route.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import {serverSettings} from '#server/views/server-settings.ts';
import {endpoints} from '#wire/endpoints.ts';
import {botsRoutes} from './bots.ts';
import {invitesRoutes} from './invites.ts';

export const accountsRoutes: readonly Route[] = [
  asyncRoute(endpoints.getServerSettings, async ({server}) => serverSettings(server)),
  asyncRoute(endpoints.fetchApiKey, async ({server}, {username, password}) => ({
    ...(await apiKeyForPassword(server, username, password)),
  })),
  asyncRoute(endpoints.devFetchApiKey, async (request, {username}) => {
    const {server} = request;
    requireDemo(request);
    return {...apiKeyWithoutPassword(server, username)};
  }),
  asyncRoute(endpoints.devListUsers, async (request) => {
    requireDemo(request);
    return demoUsers(request.server);
  }),
  route(endpoints.regenerateApiKey, (call) => ({api_key: regenerateApiKey(call, call.actor)})),
  ...botsRoutes,
  ...invitesRoutes,
];

function requireDemo({server, headers}: AsyncRequestContext): void {
  if (!server.demo) throw badRequest('Only a demo server gives out keys without a password.');
  if (headers.origin !== undefined && headers.origin !== server.url) throw badRequest('Other sites get no keys.');
}

function demoUsers(server: ServerContext) {
  const people = server.db.all<UserRow>('SELECT * FROM user WHERE is_active = 1 AND is_bot = 0 ORDER BY name_key');
  const entry = ({delivery_email}: UserRow) => ({email: delivery_email, realm_url: server.url});
  return {
    direct_admins: people.filter(isAdmin).map(entry),
    direct_users: people.filter((user) => !isAdmin(user)).map(entry),
  };
}
