import {countingAttempt} from '#server/accounts/login-attempts.ts';
import {isPassword} from '#server/accounts/secrets.ts';
import type {Act, World} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';
import {noteLogin} from './create-user.ts';

export interface KeyAnswer {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

/** That an account is deactivated is told only to whoever knows its password. */
export async function keyForPassword(world: World, username: string, password: string): Promise<KeyAnswer> {
  const user = findUserByEmail(world.db, username);
  return countingAttempt(world, username, async () => {
    const right = await isPassword(user?.password_hash, password);
    if (!right || user === undefined || user.is_bot === 1) {
      throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
    }
    return keyAnswer(world, user);
  });
}

/** Demo servers only: one machine plays several people. */
export function keyWithoutPassword(world: World, username: string): KeyAnswer {
  const user = findUserByEmail(world.db, username);
  if (user === undefined || user.is_bot === 1) {
    throw new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
  }
  return keyAnswer(world, user);
}

function keyAnswer(world: World, user: UserRow): KeyAnswer {
  if (user.is_active === 0) {
    throw new ApiError('USER_DEACTIVATED', 'Your account has been deactivated', 401);
  }
  if (user.awaits_login === 1) world.act((act) => noteLogin(act, user));
  return {api_key: world.secrets.apiKey(user), email: user.delivery_email, user_id: user.id};
}

/** The old key stops working with the next request; event queues stay, they belong to the user. */
export function regenerateKey(act: Act, user: UserRow): string {
  const key_generation = user.key_generation + 1;
  act.db.run('UPDATE user SET key_generation = ? WHERE id = ?', key_generation, user.id);
  return act.world.secrets.apiKey({id: user.id, key_generation});
}
