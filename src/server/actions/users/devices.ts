import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';

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
  act.db.insertRow('push_token', {user_id: user.id, kind, token}, 'OR IGNORE');
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
