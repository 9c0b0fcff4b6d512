import {emitUserEvent} from '#server/actions/events/user-events.ts';
import {resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {alertWordWatchers, type StatusRow, saveStatus, statusOf} from '#server/db/personal-items.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {unreadSql, writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {requireAccessibleUser, requireActivePerson, requireAdmin} from '#server/permissions/user-access.ts';
import {statusView} from '#server/views/personal-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {MutedUser} from '#wire/objects/user.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {changeUserSettings} from './update-account.ts';

/** Alert words, muted users, the status, and devices. */
export const ownListRoutes: readonly Route[] = [
  route(endpoints.getAlertWords, ({db, actor}) => ({alert_words: alertWords(db, actor.id)})),
  // Words that differ only in case count as one; the first spelling stays.
  route(endpoints.addAlertWords, (call, params) => {
    for (const word of cleaned(params.alert_words)) {
      call.db.insertNewRow('alert_word', {user_id: call.actor.id, word_key: fold(word), word});
    }
    return {alert_words: currentWords(call)};
  }),
  route(endpoints.removeAlertWords, (call, params) => {
    const sql = 'DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))';
    call.db.run(sql, call.actor.id, JSON.stringify(params.alert_words.map(fold)));
    return {alert_words: currentWords(call)};
  }),

  route(endpoints.muteUser, (call, params) => {
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
  route(endpoints.unmuteUser, (call, params) => {
    const {actor, db} = call;
    const target = requireAccessibleUser(call, actor, params.muted_user_id);
    // Otherwise the messages that the user sent while muted would become unread.
    writeAllUnreadRows(db, actor.id);
    const removed = db.run('DELETE FROM muted_user WHERE user_id = ? AND muted_id = ?', actor.id, target.id);
    if (removed === 0) throw badRequest('User is not muted');
    emitMuted(call);
  }),

  route(endpoints.updateStatus, (call, params) => setUserStatus(call, call.actor, params)),
  route(endpoints.getUserStatus, (call, params) => {
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {status: statusView(statusOf(call.db, user.id))};
  }),
  route(endpoints.updateUserStatus, (call, {user_id, ...changes}) => {
    const user = requireActivePerson(call, call.actor, user_id);
    requireAdmin(call.actor);
    setUserStatus(call, user, changes);
  }),

  route(otherEndpoints.registerDevice, ({db, actor, emit}) => {
    const id = db.insertRow('client_device', {user_id: actor.id});
    emit({type: 'device', to: [actor.id], body: {op: 'add', device_id: id}});
    return {device_id: id};
  }),
  route(otherEndpoints.removeDevice, ({db, actor, emit}, {device_id: id}) => {
    const removed = db.run('DELETE FROM client_device WHERE id = ? AND user_id = ?', id, actor.id);
    if (removed === 0) throw badRequest('Invalid `device_id`');
    emit({type: 'device', to: [actor.id], body: {op: 'remove', device_id: id}});
  }),
  route(otherEndpoints.addApplePushToken, (call, {token, appid}) => {
    if (!/^[.a-zA-Z0-9-]+$/.test(appid)) throw badRequest('appid has invalid format');
    addPushToken(call, 'apple', token);
  }),
  route(otherEndpoints.removeApplePushToken, (call, {token}) => removePushToken(call, 'apple', token)),
  route(otherEndpoints.addAndroidPushToken, (call, {token}) => addPushToken(call, 'android', token)),
  route(otherEndpoints.removeAndroidPushToken, (call, {token}) => removePushToken(call, 'android', token)),
  route(otherEndpoints.registerPushDevice, () => {
    throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
  }),
  route(otherEndpoints.testPush, ({db, actor}, {token}) => {
    const known = 'SELECT 1 FROM push_token WHERE user_id = ? AND token = ?';
    if (token === undefined || db.get(known, actor.id, token) !== undefined) return;
    throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized');
  }),
  route(otherEndpoints.testEncryptedPush, () => {
    throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
  }),
];

export function alertWords(db: Database, userId: number): string[] {
  return db.pluck<string>('SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key', userId);
}

function cleaned(words: readonly string[]): string[] {
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
  act.emit({type: 'alert_words', to: [actor.id], body: {alert_words: words}});
  return words;
}

export function mutedUsers(db: Database, userId: number): MutedUser[] {
  return db.all<MutedUser>(
    'SELECT muted_id AS id, muted_at AS timestamp FROM muted_user WHERE user_id = ? ORDER BY muted_at, muted_id',
    userId,
  );
}

function emitMuted({db, actor, emit}: RequestContext): void {
  emit({type: 'muted_users', to: [actor.id], body: {muted_users: mutedUsers(db, actor.id)}});
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
  const changes = {...checkedText(status_text), ...checkedEmoji(act, input)};
  if (away !== undefined) changeUserSettings(act, user, {presence_enabled: !away});
  saveStatus(act.db, {...statusOf(act.db, user.id), ...changes});
  emitUserEvent(act, 'user_status', user, {user_id: user.id, ...changes, ...(away === undefined ? {} : {away})});
}

type StatusChange = Partial<Omit<StatusRow, 'user_id' | 'away'>>;

function checkedText(input: string | undefined): StatusChange {
  if (input === undefined) return {};
  const status_text = input.trim();
  if (status_text.includes('\0')) throw badRequest('status_text must not contain null bytes');
  return {status_text};
}

function checkedEmoji(act: ActionContext, {emoji_name, emoji_code, reaction_type}: StatusInput): StatusChange {
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
