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
  statusView,
} from '#server/actions/events/user-events.ts';
import {accountProblem, addressProblem, resolveEmoji} from '#server/actions/inputs.ts';
import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {alertWordWatchers, type StatusRow, saveStatus, statusOf} from '#server/db/personal-items.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {unreadSql, writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {reloadUser} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {
  canSeeEmail,
  requireAccessibleUser,
  requireActivePerson,
  requireAdmin,
} from '#server/permissions/user-access.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/route.ts';
import {apiEmail} from '#server/views/user.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {MutedUser} from '#wire/objects/user.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {applyPresenceSharing} from './presence.ts';
import {changeFullName, isOwnAddress} from './update-user.ts';

export const settingsRoutes: readonly Route[] = [
  asyncRoute(endpoints.updateSettings, 'person', changeSettings),
  asyncRoute(otherEndpoints.updateDisplaySettings, 'person', changeSettings),
  asyncRoute(otherEndpoints.updateNotificationSettings, 'person', changeSettings),

  route(endpoints.getAlertWords, 'account', ({db, actor}) => ({alert_words: alertWords(db, actor.id)})),
  // Words that differ only in case count as one; the first spelling stays.
  route(endpoints.addAlertWords, 'account', (call, params) => {
    for (const word of cleanedWords(params.alert_words)) {
      call.db.insertNewRow('alert_word', {user_id: call.actor.id, word_key: fold(word), word});
    }
    return {alert_words: currentWords(call)};
  }),
  route(endpoints.removeAlertWords, 'account', (call, params) => {
    const sql = 'DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))';
    call.db.run(sql, call.actor.id, JSON.stringify(params.alert_words.map(fold)));
    return {alert_words: currentWords(call)};
  }),

  route(endpoints.muteUser, 'account', (call, params) => {
    const {actor, db} = call;
    const target = requireAccessibleUser(call, actor, params.muted_user_id);
    if (target.id === actor.id) throw badRequest('Cannot mute self');
    // Messages without a row would become read without an event.
    writeAllUnreadRows(db, actor.id);
    const sql = 'INSERT OR IGNORE INTO muted_user (user_id, muted_id, muted_at) VALUES (?, ?, ?)';
    if (db.run(sql, actor.id, target.id, call.now) === 0) throw badRequest('User already muted');
    emitMuted(call);
    markReadFrom(call, target);
  }),
  route(endpoints.unmuteUser, 'account', (call, params) => {
    const {actor, db} = call;
    const target = requireAccessibleUser(call, actor, params.muted_user_id);
    // Otherwise the messages that the user sent while muted would become unread.
    writeAllUnreadRows(db, actor.id);
    const removed = db.run('DELETE FROM muted_user WHERE user_id = ? AND muted_id = ?', actor.id, target.id);
    if (removed === 0) throw badRequest('User is not muted');
    emitMuted(call);
  }),

  route(endpoints.updateStatus, 'person', (call, params) => setUserStatus(call, call.actor, params)),
  route(endpoints.getUserStatus, 'account', (call, params) => {
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {status: statusView(statusOf(call.db, user.id))};
  }),
  route(endpoints.updateUserStatus, 'person', (call, {user_id, ...changes}) => {
    const user = requireActivePerson(call, call.actor, user_id);
    requireAdmin(call.actor);
    setUserStatus(call, user, changes);
  }),

  route(otherEndpoints.registerDevice, 'person', ({db, actor, emit}) => {
    const id = db.insertRow('client_device', {user_id: actor.id});
    emit('device', [actor.id], {op: 'add', device_id: id});
    return {device_id: id};
  }),
  route(otherEndpoints.removeDevice, 'person', ({db, actor, emit}, {device_id: id}) => {
    const removed = db.run('DELETE FROM client_device WHERE id = ? AND user_id = ?', id, actor.id);
    if (removed === 0) throw badRequest('Invalid `device_id`');
    emit('device', [actor.id], {op: 'remove', device_id: id});
  }),
  route(otherEndpoints.addApplePushToken, 'person', (call, {token, appid}) => {
    if (!/^[.a-zA-Z0-9-]+$/.test(appid)) throw badRequest('appid has invalid format');
    addPushToken(call, 'apple', token);
  }),
  route(otherEndpoints.removeApplePushToken, 'person', (call, {token}) => removePushToken(call, 'apple', token)),
  route(otherEndpoints.addAndroidPushToken, 'person', (call, {token}) => addPushToken(call, 'android', token)),
  route(otherEndpoints.removeAndroidPushToken, 'person', (call, {token}) => removePushToken(call, 'android', token)),
  route(otherEndpoints.registerPushDevice, 'person', () => {
    throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
  }),
  route(otherEndpoints.testPush, 'person', ({db, actor}, {token}) => {
    const known = 'SELECT 1 FROM push_token WHERE user_id = ? AND token = ?';
    if (token === undefined || db.get(known, actor.id, token) !== undefined) return;
    throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized');
  }),
  route(otherEndpoints.testEncryptedPush, 'person', () => {
    throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
  }),
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
    if (!(await isPassword(user.password_hash, oldPassword, server.passwordCost))) throw badRequest('Wrong password!');
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
    act.db.run('UPDATE user SET password_hash = ? WHERE id = ?', changes.passwordHash, user.id);
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
  if (!userSettings(after).enable_drafts_synchronization) act.db.run('DELETE FROM draft WHERE user_id = ?', user.id);
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
  const sql = 'UPDATE user SET settings = ?, timezone = ? WHERE id = ?';
  db.run(sql, JSON.stringify(Object.fromEntries(own)), timezone, user.id);
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
  const shown = {op: 'update', person: {user_id: after.id, delivery_email: after.delivery_email}};
  const hidden = {op: 'update', person: {user_id: after.id, delivery_email: null}};
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

export function alertWords(db: Database, userId: number): string[] {
  return db.pluck<string>('SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key', userId);
}

function cleanedWords(words: readonly string[]): string[] {
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== '');
  for (const word of trimmed) {
    if (word.includes('\0')) throw badRequest('Alert words must not contain null bytes');
  }
  return trimmed;
}

/** Returns the user's alert words and emits them, as Zulip's servers do also if they did not change. */
function currentWords(act: RequestContext): string[] {
  const {actor} = act;
  const words = alertWords(act.db, actor.id);
  act.server.derivedFacts.invalidate(alertWordWatchers);
  act.emit('alert_words', [actor.id], {alert_words: words});
  return words;
}

export function mutedUsers(db: Database, userId: number): MutedUser[] {
  return db.all<MutedUser>(
    'SELECT muted_id AS id, muted_at AS timestamp FROM muted_user WHERE user_id = ? ORDER BY muted_at, muted_id',
    userId,
  );
}

function emitMuted({db, actor, emit}: RequestContext): void {
  emit('muted_users', [actor.id], {muted_users: mutedUsers(db, actor.id)});
}

/** Marks the muted user's messages read. */
function markReadFrom(act: RequestContext, target: UserRow): void {
  const sql = `SELECT u.id FROM ${unreadSql} AS u JOIN message AS m ON m.id = u.id AND m.sender_id = ?2 ORDER BY u.id`;
  const messages = act.db.pluck(sql, act.actor.id, target.id);
  if (messages.length > 0) changeFlag(act, act.actor, {op: 'add', flag: 'read'}, messages);
}

/** `away` is the legacy name of not sharing one's presence. */
type StatusInput = Partial<ParamsOf<typeof endpoints.updateStatus>>;

/** Changes the fields of the status that are defined in `input`. */
export function setUserStatus(act: ActionContext, user: UserRow, input: StatusInput): void {
  const {status_text, emoji_name, away} = input;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw badRequest('Client did not pass any new values.');
  }
  const changes = {...checkedStatusText(status_text), ...checkedStatusEmoji(act, input)};
  if (away !== undefined) changeUserSettings(act, user, {presence_enabled: !away});
  saveStatus(act.db, {...statusOf(act.db, user.id), ...changes});
  emitUserEvent(act, 'user_status', user, {user_id: user.id, ...changes, ...(away === undefined ? {} : {away})});
}

type StatusChange = Partial<Omit<StatusRow, 'user_id' | 'away'>>;

function checkedStatusText(input: string | undefined): StatusChange {
  if (input === undefined) return {};
  const status_text = input.trim();
  if (status_text.includes('\0')) throw badRequest('status_text must not contain null bytes');
  return {status_text};
}

function checkedStatusEmoji(act: ActionContext, {emoji_name, emoji_code, reaction_type}: StatusInput): StatusChange {
  if (emoji_name === undefined) {
    if (emoji_code || reaction_type) {
      throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
    }
    return {};
  }
  if (emoji_name === '') return {emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'};
  return resolveEmoji(act, {emoji_name, emoji_code, reaction_type});
}

type PushKind = 'apple' | 'android';

const maxTokenLength = 4096;

/** Without a push service, no device is registered for notifications. */
const withoutPush = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** Returns the user's devices by id. */
export function devicesOf(db: Database, userId: number) {
  const ids = db.pluck('SELECT id FROM client_device WHERE user_id = ? ORDER BY id', userId);
  return Object.fromEntries(ids.map((id) => [id, withoutPush]));
}

/** Stores the token of a device. Nothing is sent to it, because this server has no push service. */
function addPushToken({db, actor}: RequestContext, kind: PushKind, token: string): void {
  checkToken(kind, token);
  db.insertNewRow('push_token', {user_id: actor.id, kind, token});
}

function removePushToken({db, actor}: RequestContext, kind: PushKind, token: string): void {
  checkToken(kind, token);
  const sql = 'DELETE FROM push_token WHERE user_id = ? AND kind = ? AND token = ?';
  if (db.run(sql, actor.id, kind, token) === 0) throw badRequest('Token does not exist');
}

function checkToken(kind: PushKind, token: string): void {
  if (token === '' || token.length > maxTokenLength) throw badRequest('Empty or invalid length token');
  if (kind === 'apple' && !/^(?:[\da-f]{2})+$/i.test(token)) throw badRequest('Invalid APNS token');
}
