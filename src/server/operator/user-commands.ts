import {hashNewPassword} from '#server/accounts/password.ts';
import {passwordLink} from '#server/accounts/password-link.ts';
import {regenerateApiKey} from '#server/actions/users/api-keys.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import {deactivateOther, deactivateUser, reactivateUser} from '#server/actions/users/deactivate-user.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import {updateUser} from '#server/actions/users/update-user.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {listUsers} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {int, object, s} from '#wire/schema.ts';
import {command, type OperatorSession, operatorUser, requireAccount} from './operator-command.ts';

const email = {email: s.string()};

/** Runs an action on the account with this address, in the operator's name. */
function onAccount<T>(
  {server}: OperatorSession,
  address: string,
  body: (act: ActionContext, target: UserRow, actor: UserRow) => T,
): T {
  return server.runAction((act) => body(act, requireAccount(server, address), operatorUser(server)));
}

export const userCommands = {
  listUsers: command(object({}), ({server}) =>
    listUsers(server.db).map((user) => ({
      id: user.id,
      email: user.delivery_email,
      name: user.full_name,
      role: user.role,
      isActive: user.is_active === 1,
      isBot: user.is_bot === 1,
    })),
  ),
  createUser: command(object({...email, name: s.string(), role: int}), ({server}, {email: address, name, role}) =>
    server.runAction((act) => ({
      id: createUser(act, {email: address, fullName: name, role, actor: operatorUser(server)}).id,
    })),
  ),
  deactivateUser: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => {
      if (target.is_bot === 0) deactivateOther(act, actor, target);
      else if (target.is_active === 1) deactivateUser(act, target);
    }),
  ),
  reactivateUser: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => reactivateUser(act, actor, target)),
  ),
  setUserRole: command(object({...email, role: int}), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => updateUser(act, actor, target, {role: params.role})),
  ),
  /** Replaces the API key. */
  newUserKey: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target) => {
      if (target.is_active === 0) throw badRequest(`${target.delivery_email} is deactivated.`);
      return {email: target.delivery_email, key: regenerateApiKey(act, target), site: session.server.url};
    }),
  ),
  passwordLink: command(object(email), ({server}, params) => {
    const user = requireAccount(server, params.email);
    if (user.is_bot === 1) throw badRequest('Bots have no password.');
    if (user.is_active === 0) throw badRequest(`${user.delivery_email} is deactivated.`);
    return passwordLink(server, user);
  }),
  setUserPassword: command(object({...email, password: s.string()}), async (session, params) => {
    if (requireAccount(session.server, params.email).is_bot === 1) throw badRequest('Bots have no password.');
    const passwordHash = await hashNewPassword(session.server, params.password);
    onAccount(session, params.email, (act, target) =>
      updateAccount(act, target, {settings: {}, fullName: undefined, email: undefined, passwordHash}),
    );
  }),
};
