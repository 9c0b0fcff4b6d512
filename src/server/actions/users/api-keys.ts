import {limitLoginAttempts} from '#server/accounts/password.ts';
import {isPassword} from '#server/accounts/secrets.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {invalidApiKey, requireActiveOrganization} from '#server/http/auth.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {authenticationMethods} from '#server/views/server-settings.ts';
import {recordFirstLogin} from './create-user.ts';

interface ApiKeyResponse {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

/**
 * Returns the API key for a password. Only with the right password does the error say that an account is deactivated.
 */
export async function apiKeyForPassword(
  server: ServerContext,
  username: string,
  password: string,
): Promise<ApiKeyResponse> {
  if (!/^[^@\s]+@[^@\s]+$/.test(username.trim())) throw badRequest('Enter a valid email address.');
  if (!authenticationMethods(server).password) {
    throw new ApiError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in your organization', 401);
  }
  const user = findUserByEmail(server.db, username);
  return limitLoginAttempts(server, username, async () => {
    const isCorrect = await isPassword(user?.password_hash, password, server.passwordCost);
    if (!isCorrect || user === undefined || user.is_bot === 1) {
      throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
    }
    return apiKeyResponse(server, user);
  });
}

/**
 * Returns a user's API key without a password. Only demo servers offer this, so that one machine can act as several
 * users.
 */
export function apiKeyWithoutPassword(server: ServerContext, username: string): ApiKeyResponse {
  const user = findUserByEmail(server.db, username);
  if (user === undefined || user.is_bot === 1) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
  }
  return apiKeyResponse(server, user);
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
  act.db.run('UPDATE user SET key_generation = ? WHERE id = ?', key_generation, user.id);
  act.afterCommit(() => act.server.queues.refusePolls(user.id, invalidApiKey()));
  return act.server.secrets.apiKey({id: user.id, key_generation});
}
