import {changeFlag} from '#server/actions/messages/change-flags.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unreadSql, writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {badRequest} from '#server/http/errors.ts';
import type {MutedUser} from '#wire/objects/user.ts';

export function mutedUsers(db: Database, userId: number): MutedUser[] {
  return db.all<MutedUser & Record<string, unknown>>(
    'SELECT muted_id AS id, muted_at AS timestamp FROM muted_user WHERE user_id = ? ORDER BY muted_at, muted_id',
    userId,
  );
}

export function muteUser(act: ActionContext, actor: UserRow, target: UserRow): void {
  if (target.id === actor.id) throw badRequest('Cannot mute self');
  // Messages without a row would become read without an event.
  writeAllUnreadRows(act.db, actor.id);
  const added = act.db.run(
    'INSERT OR IGNORE INTO muted_user (user_id, muted_id, muted_at) VALUES (?, ?, ?)',
    actor.id,
    target.id,
    act.now,
  );
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
  const messages = act.db.pluck(
    `SELECT u.id FROM ${unreadSql} AS u JOIN message AS m ON m.id = u.id AND m.sender_id = ?2 ORDER BY u.id`,
    actor.id,
    target.id,
  );
  if (messages.length > 0) changeFlag(act, actor, {op: 'add', flag: 'read'}, messages);
}
