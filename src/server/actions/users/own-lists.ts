import {emitUserEvent} from '#server/actions/events/user-events.ts';
import {resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {alertWordWatchers, type StatusRow, saveStatus, statusOf} from '#server/db/personal-items.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {unreadSql, writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import type {MutedUser} from '#wire/objects/user.ts';
import {changeUserSettings} from './update-account.ts';

export function alertWords(db: Database, userId: number): string[] {
  return db.pluck<string>('SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key', userId);
}

/**
 * Adds words and returns all of the user's words. Words that differ only in case count as one; the first spelling
 * stays.
 */
export function addAlertWords(act: ActionContext, actor: UserRow, words: readonly string[]): string[] {
  for (const word of cleaned(words)) {
    act.db.insertNewRow('alert_word', {user_id: actor.id, word_key: fold(word), word});
  }
  return currentWords(act, actor);
}

export function removeAlertWords(act: ActionContext, actor: UserRow, words: readonly string[]): string[] {
  const sql = 'DELETE FROM alert_word WHERE user_id = ? AND word_key IN (SELECT value FROM json_each(?))';
  act.db.run(sql, actor.id, JSON.stringify(words.map(fold)));
  return currentWords(act, actor);
}

function cleaned(words: readonly string[]): string[] {
  const trimmed = words.map((word) => word.trim()).filter((word) => word !== '');
  for (const word of trimmed) {
    if (word.includes('\0')) throw badRequest('Alert words must not contain null bytes');
  }
  return trimmed;
}

/** Returns the user's alert words and emits them, as Zulip's servers do also if they did not change. */
function currentWords(act: ActionContext, actor: UserRow): string[] {
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

export function muteUser(act: ActionContext, actor: UserRow, target: UserRow): void {
  if (target.id === actor.id) throw badRequest('Cannot mute self');
  // Messages without a row would become read without an event.
  writeAllUnreadRows(act.db, actor.id);
  const sql = 'INSERT OR IGNORE INTO muted_user (user_id, muted_id, muted_at) VALUES (?, ?, ?)';
  const added = act.db.run(sql, actor.id, target.id, act.now);
  if (added === 0) throw badRequest('User already muted');
  emitMuted(act, actor);
  markReadFrom(act, actor, target);
}

export function unmuteUser(act: ActionContext, actor: UserRow, target: UserRow): void {
  // Otherwise the messages that the user sent while muted would become unread.
  writeAllUnreadRows(act.db, actor.id);
  const removed = act.db.run('DELETE FROM muted_user WHERE user_id = ? AND muted_id = ?', actor.id, target.id);
  if (removed === 0) throw badRequest('User is not muted');
  emitMuted(act, actor);
}

function emitMuted(act: ActionContext, actor: UserRow): void {
  act.emit({type: 'muted_users', to: [actor.id], body: {muted_users: mutedUsers(act.db, actor.id)}});
}

/** Marks the muted user's messages read. */
function markReadFrom(act: ActionContext, actor: UserRow, target: UserRow): void {
  const sql = `SELECT u.id FROM ${unreadSql} AS u JOIN message AS m ON m.id = u.id AND m.sender_id = ?2 ORDER BY u.id`;
  const messages = act.db.pluck(sql, actor.id, target.id);
  if (messages.length > 0) changeFlag(act, actor, {op: 'add', flag: 'read'}, messages);
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

export function registerDevice(act: ActionContext, user: UserRow): number {
  const id = act.db.insertRow('client_device', {user_id: user.id});
  act.emit({type: 'device', to: [user.id], body: {op: 'add', device_id: id}});
  return id;
}

export function removeDevice(act: ActionContext, user: UserRow, id: number): void {
  const removed = act.db.run('DELETE FROM client_device WHERE id = ? AND user_id = ?', id, user.id);
  if (removed === 0) throw badRequest('Invalid `device_id`');
  act.emit({type: 'device', to: [user.id], body: {op: 'remove', device_id: id}});
}

/** Stores the token of a device. Nothing is sent to it, because this server has no push service. */
export function addPushToken(act: ActionContext, user: UserRow, kind: PushKind, token: string): void {
  checkToken(kind, token);
  act.db.insertNewRow('push_token', {user_id: user.id, kind, token});
}

export function removePushToken(act: ActionContext, user: UserRow, kind: PushKind, token: string): void {
  checkToken(kind, token);
  const sql = 'DELETE FROM push_token WHERE user_id = ? AND kind = ? AND token = ?';
  if (act.db.run(sql, user.id, kind, token) === 0) throw badRequest('Token does not exist');
}

/** Throws if the token of a test notification is not known. */
export function checkPushToken({db}: ActionContext, user: UserRow, token: string): void {
  if (db.get('SELECT 1 FROM push_token WHERE user_id = ? AND token = ?', user.id, token) === undefined) {
    throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized');
  }
}

function checkToken(kind: PushKind, token: string): void {
  if (token === '' || token.length > maxTokenLength) throw badRequest('Empty or invalid length token');
  if (kind === 'apple' && !/^(?:[\da-f]{2})+$/i.test(token)) throw badRequest('Invalid APNS token');
}
