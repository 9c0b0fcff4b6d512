import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unreadSql, writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {check} from '#server/errors.ts';
import {requireAccessibleUser} from '#server/permissions/user-access.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {MutedUser} from '#wire/objects/user.ts';

export const mutedUserRoutes: readonly Route[] = [
  route(endpoints.muteUser, 'account', (call, params) => {
    const {actor, db} = call;
    const target = requireAccessibleUser(call, actor, params.muted_user_id);
    check(target.id !== actor.id, 'Cannot mute self');
    // Messages without a row would become read without an event.
    writeAllUnreadRows(db, actor.id);
    const sql = 'INSERT OR IGNORE INTO muted_user (user_id, muted_id, muted_at) VALUES (?, ?, ?)';
    check(db.run(sql, actor.id, target.id, call.now) !== 0, 'User already muted');
    emitMuted(call);
    markReadFrom(call, target);
  }),
  route(endpoints.unmuteUser, 'account', (call, params) => {
    const {actor, db} = call;
    const target = requireAccessibleUser(call, actor, params.muted_user_id);
    // Otherwise the messages that the user sent while muted would become unread.
    writeAllUnreadRows(db, actor.id);
    const removed = db.deleteRows('muted_user', {user_id: actor.id, muted_id: target.id});
    check(removed !== 0, 'User is not muted');
    emitMuted(call);
  }),
];

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
