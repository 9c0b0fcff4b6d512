import {isPassword, limitLoginAttempts} from '#server/accounts/password.ts';
import {emitSystemGroupChanges} from '#server/actions/events/user-events.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail, reloadUser} from '#server/db/users.ts';
import {ApiError, badRequest, check, invalidApiKey} from '#server/errors.ts';
import {isAdmin, requireActiveOrganization} from '#server/permissions/has-permission.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/route.ts';
import {authenticationMethods} from '#server/views/server-settings.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const apiKeyRoutes: readonly Route[] = [
  asyncRoute(endpoints.fetchApiKey, 'public', async (request, {username, password}) => ({
    ...(await apiKeyForPassword(request, username, password)),
  })),
  // Without a password, so that one machine can act as several users.
  asyncRoute(endpoints.devFetchApiKey, 'public', async (request, {username}) => {
    requireDemo(request);
    const user = findUserByEmail(request.server.db, username);
    if (user === undefined || user.is_bot === 1) throw loginFailed();
    return {...apiKeyResponse(request.server, user)};
  }),
  asyncRoute(endpoints.devListUsers, 'public', async (request) => {
    requireDemo(request);
    const {db, url} = request.server;
    const people = db.all<UserRow>('SELECT * FROM user WHERE is_active = 1 AND is_bot = 0 ORDER BY name_key');
    const entry = ({delivery_email}: UserRow) => ({email: delivery_email, realm_url: url});
    return {
      direct_admins: people.filter(isAdmin).map(entry),
      direct_users: people.filter((user) => !isAdmin(user)).map(entry),
    };
  }),
  asyncRoute(otherEndpoints.fetchJwtApiKey, 'public', async () => {
    throw badRequest('JWT authentication is not enabled for this organization');
  }),
  route(endpoints.regenerateApiKey, 'account', (call) => ({api_key: regenerateApiKey(call, call.actor)})),
];

/** Sets the joining date of an account that another user created, at its first login. */
function recordFirstLogin(act: ActionContext, user: UserRow): void {
  if (user.awaits_login === 0) return;
  act.db.updateRow('user', user.id, {awaits_login: 0, joined_at: act.now});
  const after = reloadUser(act, user.id);
  emitSystemGroupChanges(act, user, after);
}

interface ApiKeyResponse {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

function requireDemo({server, headers}: AsyncRequestContext): void {
  check(server.demo, 'Only a demo server gives out keys without a password.');
  if (headers.origin !== undefined && headers.origin !== server.url) throw badRequest('Other sites get no keys.');
}

function loginFailed(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
}

/**
 * Returns the API key for a password. Only with the right password does the error say that an account is deactivated.
 */
async function apiKeyForPassword(
  {server, address}: AsyncRequestContext,
  username: string,
  password: string,
): Promise<ApiKeyResponse> {
  check(/^[^@\s]+@[^@\s]+$/.test(username.trim()), 'Enter a valid email address.');
  if (!authenticationMethods(server).password) {
    throw new ApiError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in your organization', 401);
  }
  const user = findUserByEmail(server.db, username);
  return limitLoginAttempts(server, {username, network: address}, async () => {
    const isCorrect = await isPassword(user?.password_hash, password, server.passwordCost);
    if (!isCorrect || user === undefined || user.is_bot === 1) throw loginFailed();
    return apiKeyResponse(server, user);
  });
}

function apiKeyResponse(server: ServerContext, user: UserRow): ApiKeyResponse {
  requireActiveOrganization(server);
  if (user.is_active === 0) {
    throw new ApiError('USER_DEACTIVATED', 'Account is deactivated', 401);
  }
  if (user.awaits_login === 1) server.runAction((act) => recordFirstLogin(act, user));
  return {api_key: server.secrets.apiKey(user), email: user.delivery_email, user_id: user.id};
}

/** Replaces the user's API key. The old key stops working at once, also for polls that wait; event queues stay. */
export function regenerateApiKey(act: ActionContext, user: UserRow): string {
  const key_generation = user.key_generation + 1;
  act.db.updateRow('user', user.id, {key_generation});
  act.afterCommit(() => act.server.queues.refusePolls(user.id, invalidApiKey()));
  return act.server.secrets.apiKey({id: user.id, key_generation});
}
