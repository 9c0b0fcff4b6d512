import {limitLoginAttempts} from '#server/accounts/login-attempts.ts';
import {isPassword} from '#server/accounts/secrets.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';
import {recordFirstLogin} from './create-user.ts';

export interface ApiKeyResponse {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

/** That an account is deactivated is told only to whoever knows its password. */
export async function apiKeyForPassword(
  world: ServerContext,
  username: string,
  password: string,
): Promise<ApiKeyResponse> {
  const user = findUserByEmail(world.db, username);
  return limitLoginAttempts(world, username, async () => {
    const right = await isPassword(user?.password_hash, password);
    if (!right || user === undefined || user.is_bot === 1) {
      throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
    }
    return keyAnswer(world, user);
  });
}

/** Demo servers only: one machine plays several people. */
export function apiKeyWithoutPassword(world: ServerContext, username: string): ApiKeyResponse {
  const user = findUserByEmail(world.db, username);
  if (user === undefined || user.is_bot === 1) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
  }
  return keyAnswer(world, user);
}

function keyAnswer(world: ServerContext, user: UserRow): ApiKeyResponse {
  if (user.is_active === 0) {
    throw new ApiError('USER_DEACTIVATED', 'Your account has been deactivated', 401);
  }
  if (user.awaits_login === 1) world.runAction((act) => recordFirstLogin(act, user));
  return {api_key: world.secrets.apiKey(user), email: user.delivery_email, user_id: user.id};
}

/** The old key stops working with the next request; event queues stay, they belong to the user. */
export function regenerateApiKey(act: ActionContext, user: UserRow): string {
  const key_generation = user.key_generation + 1;
  act.db.run('UPDATE user SET key_generation = ? WHERE id = ?', key_generation, user.id);
  return act.world.secrets.apiKey({id: user.id, key_generation});
}
