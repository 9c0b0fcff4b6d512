import {forgetLoginAttempts, hashNewPassword, isPassword, limitLoginAttempts} from '#server/accounts/password.ts';
import {
  canonicalTimeZone,
  changedSettings,
  isSettingName,
  languageName,
  type UserSettings,
  userSettingDefaults,
  userSettings,
} from '#server/accounts/user-settings.ts';
import {
  emitAvatarUpdate,
  emitExportConsent,
  emitUserEvent,
  emitUserUpdate,
} from '#server/actions/events/user-events.ts';
import {accountProblem, addressProblem} from '#server/actions/inputs.ts';
import type {ActionContext} from '#server/context.ts';
import {saveStatus, statusOf} from '#server/db/personal-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {reloadUser} from '#server/db/users.ts';
import {badRequest, check} from '#server/errors.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {canSeeEmail} from '#server/permissions/user-access.ts';
import {type AsyncRequestContext, asyncRoute, type Route} from '#server/route.ts';
import {apiEmail} from '#server/views/user.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {applyPresenceSharing} from './presence.ts';
import {changeFullName, isOwnAddress} from './update-user.ts';

export const settingsRoutes: readonly Route[] = [
  asyncRoute(endpoints.updateSettings, 'person', changeSettings),
  asyncRoute(otherEndpoints.updateDisplaySettings, 'person', changeSettings),
  asyncRoute(otherEndpoints.updateNotificationSettings, 'person', changeSettings),
];

async function changeSettings(
  request: AsyncRequestContext<UserRow>,
  params: ParamsOf<typeof endpoints.updateSettings>,
): Promise<void> {
  const {actor} = request;
  const {full_name: fullName, email, old_password, new_password, ...settings} = params;
  const passwordHash =
    new_password === undefined ? undefined : await changedPassword(request, actor, old_password ?? '', new_password);
  request.runAction((call) => updateAccount(call, call.actor, {settings, fullName, email, passwordHash}));
}

/** Returns the hash of a new password after checking the old one; wrong guesses count as failed logins. */
async function changedPassword(
  {server, address}: AsyncRequestContext,
  user: UserRow,
  oldPassword: string,
  newPassword: string,
): Promise<string> {
  await limitLoginAttempts(server, {username: user.delivery_email, network: address}, async () => {
    check(await isPassword(user.password_hash, oldPassword, server.passwordCost), 'Wrong password!');
  });
  return hashNewPassword(server, newPassword);
}

/** The changes of `PATCH /settings`. The password is hashed before, because hashing is asynchronous. */
interface AccountChanges {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly fullName: string | undefined;
  readonly email: string | undefined;
  readonly passwordHash: string | undefined;
}

export function updateAccount(act: ActionContext, actor: UserRow, changes: AccountChanges): void {
  const {name_changes_disabled, email_changes_disabled} = organization(act);
  let user = reloadUser(act, actor.id);
  if (changes.passwordHash !== undefined) {
    act.db.updateRow('user', user.id, {password_hash: changes.passwordHash});
    const {delivery_email: address} = user;
    act.afterCommit(() => forgetLoginAttempts(act.server, address));
  }
  if (changes.email !== undefined && changes.email.trim() !== user.delivery_email) {
    check(!email_changes_disabled || isAdmin(user), 'Email address changes are disabled in this organization.');
    const email = changes.email.trim();
    const problem = isOwnAddress(user, email) ? undefined : (addressProblem(act, email) ?? accountProblem(act, email));
    throw badRequest(
      problem ?? 'This server sends no mail to confirm a new address. An organization owner can change your address.',
    );
  }
  if (changes.fullName !== undefined && changes.fullName.trim() !== user.full_name) {
    // Zulip's servers ignore the new name instead of refusing it.
    if (!name_changes_disabled || isAdmin(user)) user = changeFullName(act, user, user, changes.fullName);
  }
  changeUserSettings(act, user, changes.settings);
}

/** Writes the settings that changed and emits an event for each. */
export function changeUserSettings(
  act: ActionContext,
  user: UserRow,
  input: Readonly<Record<string, unknown>>,
): UserRow {
  const changed = changedSettings(userSettings(user), input);
  if (changed.length === 0) return user;
  saveSettings(act, user, Object.fromEntries(changed));
  const after = reloadUser(act, user.id);
  // Without events: the user's clients keep their drafts when synchronization is turned off.
  if (!userSettings(after).enable_drafts_synchronization) act.db.deleteRows('draft', {user_id: user.id});
  for (const [property, value] of changed) {
    const extra = property === 'default_language' ? {language_name: languageName(String(value))} : {};
    act.emit('user_settings', [user.id], {op: 'update', property, value, ...extra});
    emitToOthers(act, property, user, after);
  }
  return after;
}

/** Stores the settings without those that have their default value, so that most rows stay `{}`. */
function saveSettings({db}: ActionContext, user: UserRow, changes: Readonly<Record<string, unknown>>): void {
  const {timezone, ...rest} = {timezone: user.timezone, ...JSON.parse(user.settings), ...changes};
  const own = Object.entries(rest).filter(
    ([name, value]) => isSettingName(name) && userSettingDefaults[name] !== value,
  );
  db.updateRow('user', user.id, {settings: JSON.stringify(Object.fromEntries(own)), timezone});
}

/** Emits the few settings that other users see. */
function emitToOthers(act: ActionContext, name: keyof UserSettings, before: UserRow, after: UserRow): void {
  switch (name) {
    case 'timezone':
      emitUserUpdate(act, after, {email: apiEmail(act.server, after), timezone: canonicalTimeZone(after.timezone)});
      break;
    case 'allow_private_data_export':
      emitExportConsent(act, after);
      break;
    case 'email_address_visibility':
      emitEmailVisibility(act, before, after);
      break;
    case 'presence_enabled': {
      const shares = userSettings(after).presence_enabled;
      setAway(act, after, !shares);
      applyPresenceSharing(act, after, shares);
      break;
    }
  }
}

/** Sets `away`, the legacy name of not sharing one's presence. As on Zulip's servers, only `POST /users/me/status` emits it. */
function setAway(act: ActionContext, user: UserRow, away: boolean): void {
  const before = statusOf(act.db, user.id);
  saveStatus(act.db, {...before, away: away ? 1 : 0});
}

function emitEmailVisibility(act: ActionContext, before: UserRow, after: UserRow): void {
  const shown = {op: 'update' as const, person: {user_id: after.id, delivery_email: after.delivery_email}};
  const hidden = {op: 'update' as const, person: {user_id: after.id, delivery_email: null}};
  const changesFor = (viewer: UserRow) => canSeeEmail(viewer, before) !== canSeeEmail(viewer, after);
  emitUserEvent(act, 'realm_user', after, (viewer) => {
    if (!changesFor(viewer)) return undefined;
    return canSeeEmail(viewer, after) ? shown : hidden;
  });
  if (apiEmail(act.server, before) !== apiEmail(act.server, after)) {
    emitUserUpdate(act, after, {new_email: apiEmail(act.server, after)});
  }
  if (after.avatar_source !== 'U') emitAvatarUpdate(act, after, changesFor);
}
