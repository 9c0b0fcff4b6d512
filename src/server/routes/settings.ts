import {limitLoginAttempts} from '#server/accounts/login-attempts.ts';
import {hashNewPassword} from '#server/accounts/password.ts';
import {isPassword} from '#server/accounts/secrets.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorized} from '#server/http/auth.ts';
import {badRequest} from '#server/http/errors.ts';
import {asyncRoute, type Route} from '#server/http/route.ts';
import {endpoints} from '#wire/endpoints.ts';

export const settingsRoutes: readonly Route[] = [
  asyncRoute(endpoints.updateSettings, async (visit, params) => {
    const {actor, world} = visit;
    if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
    if (actor.is_bot === 1) throw badRequest('This endpoint does not accept bot requests.');
    const {full_name: fullName, email, old_password, new_password, ...settings} = params;
    const passwordHash =
      new_password === undefined
        ? undefined
        : await changedPassword(world, actor, old_password ?? '', new_password);
    visit.runAction((call) => updateAccount(call, call.actor, {settings, fullName, email, passwordHash}));
    return {};
  }),
];

/** Guesses at the old password count like failed logins. */
async function changedPassword(
  world: ServerContext,
  user: UserRow,
  old: string,
  fresh: string,
): Promise<string> {
  await limitLoginAttempts(world, user.delivery_email, async () => {
    if (!(await isPassword(user.password_hash, old))) throw badRequest('Wrong password!');
  });
  return hashNewPassword(fresh, 'New password is too weak!');
}
