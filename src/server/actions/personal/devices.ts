import type {RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const deviceRoutes: readonly Route[] = [
  route(otherEndpoints.registerDevice, 'person', ({db, actor, emit}) => {
    const id = db.insertRow('client_device', {user_id: actor.id});
    emit('device', [actor.id], {op: 'add', device_id: id});
    return {device_id: id};
  }),
  route(otherEndpoints.removeDevice, 'person', ({db, actor, emit}, {device_id: id}) => {
    const removed = db.deleteRows('client_device', {id, user_id: actor.id});
    check(removed !== 0, 'Invalid `device_id`');
    emit('device', [actor.id], {op: 'remove', device_id: id});
  }),
  route(otherEndpoints.addApplePushToken, 'person', (call, {token, appid}) => {
    check(/^[.a-zA-Z0-9-]+$/.test(appid), 'appid has invalid format');
    addPushToken(call, 'apple', token);
  }),
  route(otherEndpoints.removeApplePushToken, 'person', (call, {token}) => removePushToken(call, 'apple', token)),
  route(otherEndpoints.addAndroidPushToken, 'person', (call, {token}) => addPushToken(call, 'android', token)),
  route(otherEndpoints.removeAndroidPushToken, 'person', (call, {token}) => removePushToken(call, 'android', token)),
  route(otherEndpoints.registerPushDevice, 'person', () => {
    throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
  }),
  route(otherEndpoints.testPush, 'person', ({db, actor}, {token}) => {
    if (token === undefined || db.has('push_token', {user_id: actor.id, token})) return;
    throw new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized');
  }),
  route(otherEndpoints.testEncryptedPush, 'person', () => {
    throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
  }),
];

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
  check(db.run(sql, actor.id, kind, token) !== 0, 'Token does not exist');
}

function checkToken(kind: PushKind, token: string): void {
  check(token !== '' && token.length <= maxTokenLength, 'Empty or invalid length token');
  if (kind === 'apple' && !/^(?:[\da-f]{2})+$/i.test(token)) throw badRequest('Invalid APNS token');
}
