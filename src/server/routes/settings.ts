import {limitLoginAttempts} from '#server/accounts/login-attempts.ts';
import {hashNewPassword} from '#server/accounts/password.ts';
import {isPassword} from '#server/accounts/secrets.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorized} from '#server/http/auth.ts';
import {badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route} from '#server/http/route.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const settingsRoutes: readonly Route[] = [
  asyncRoute(endpoints.updateSettings, changeSettings),
  asyncRoute(otherEndpoints.updateDisplaySettings, changeSettings),
  asyncRoute(otherEndpoints.updateNotificationSettings, changeSettings),
];

async function changeSettings(
  request: AsyncRequestContext,
  params: ParamsOf<typeof endpoints.updateSettings>,
): Promise<Record<never, never>> {
  const {actor, server} = request;
  if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
  const {full_name: fullName, email, old_password, new_password, ...settings} = params;
  const passwordHash =
    new_password === undefined ? undefined : await changedPassword(server, actor, old_password ?? '', new_password);
  request.runAction((call) => updateAccount(call, call.actor, {settings, fullName, email, passwordHash}));
  return {};
}

/** Returns the hash of a new password after checking the old one; wrong guesses count as failed logins. */
async function changedPassword(
  server: ServerContext,
  user: UserRow,
  oldPassword: string,
  newPassword: string,
): Promise<string> {
  await limitLoginAttempts(server, user.delivery_email, async () => {
    if (!(await isPassword(user.password_hash, oldPassword, server.passwordCost))) throw badRequest('Wrong password!');
  });
  return hashNewPassword(server, newPassword, 'New password is too weak!');
}
