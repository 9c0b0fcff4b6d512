import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import {deleteMessages} from '#server/actions/messages/delete-messages.ts';
import {deleteAttachment} from '#server/actions/uploads/attachments.ts';
import {deactivateOther} from '#server/actions/users/deactivate-user.ts';
import {referencesTo} from '#server/check/check-data.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {reloadUser} from '#server/db/users.ts';
import {hostOf} from '#server/permissions/user-access.ts';
import {apiEmail} from '#server/views/user.ts';

/** The tables whose rows stay, because other people see them, or because they say who did what. */
const kept: ReadonlySet<string> = new Set([
  'administration_log',
  'attachment',
  'bot',
  'dm_member',
  'message',
  'message_mention',
  'reaction',
  'submessage',
  'user',
]);

/** The messages that one action erases: others wait meanwhile. */
const messagesPerAction = 200;

/**
 * Deletes a person as Zulip's servers do: the account and what belongs to it are gone, and messages are those of a
 * “Deleted user”, or are erased too. Files that no message links to any more are deleted.
 */
export async function deletePerson(
  server: ServerContext,
  {
    actor,
    target,
    erasesMessages,
  }: {readonly actor: UserRow; readonly target: UserRow; readonly erasesMessages: boolean},
) {
  server.runAction((act) => removeAccount(act, actor, target));
  let erased = 0;
  while (erasesMessages) {
    const count = server.runAction((act) => eraseMessages(act, target.id));
    if (count === 0) break;
    erased += count;
    await server.nextTurn();
  }
  const files = server.runAction((act) => deleteFiles(act, target, erasesMessages));
  server.deferredWork.emptyLogSoon();
  const kept = server.db.value('SELECT count(*) FROM message WHERE sender_id = ?', target.id) ?? 0;
  return {user_id: target.id, messages_kept: kept, messages_erased: erased, files_deleted: files};
}

function removeAccount(act: ActionContext, actor: UserRow, target: UserRow): void {
  const {db, server} = act;
  deactivateOther(act, actor, target, {delete_profile: true});
  const email = `deleteduser${target.id}@${hostOf(server)}`;
  db.updateRow('user', target.id, {
    delivery_email: email,
    email_key: email,
    password_hash: null,
    key_generation: target.key_generation + 1,
    settings: '{}',
    timezone: '',
    is_deleted: 1,
  });
  for (const {table, column} of referencesTo('user')) {
    if (!kept.has(table)) db.deleteRows(table, {[column]: target.id});
  }
  db.deleteRows('missed_message', {user_id: target.id});
  for (const [table, column] of [
    ['invite', 'email'],
    ['mail_queue', 'recipient'],
  ]) {
    db.run(`DELETE FROM ${table} WHERE lower(${column}) = lower(?)`, target.delivery_email);
  }
  server.derivedFacts.invalidateAll();
  const after = reloadUser(act, target.id);
  emitUserUpdate(act, after, {new_email: apiEmail(server, after)});
}

/** Deletes some messages of a user, also from the archive. Returns how many. */
function eraseMessages(act: ActionContext, userId: number): number {
  const {db} = act;
  const sql = 'SELECT * FROM message WHERE sender_id = ? ORDER BY id LIMIT ?';
  const messages = db.all<MessageRow>(sql, userId, messagesPerAction);
  const placeOf = ({channel_id, dm_id, topic}: MessageRow) => `${channel_id} ${dm_id} ${topic}`;
  for (const group of Map.groupBy(messages, placeOf).values()) deleteMessages(act, group);
  if (messages.length > 0) return messages.length;
  const archived = `SELECT id FROM archived_message WHERE json_extract(rows, '$.message[0].sender_id') = ? LIMIT ?`;
  const ids = db.pluck(archived, userId, messagesPerAction);
  for (const id of ids) {
    db.deleteRows('archived_message', {id});
    db.deleteRows('archived_attachment', {message_id: id});
  }
  return ids.length;
}

/** Deletes the files of a user: all, or those that no message links to. Returns how many. */
function deleteFiles(act: ActionContext, user: UserRow, all: boolean): number {
  const unused = `AND id NOT IN (SELECT attachment_id FROM attachment_message)
    AND id NOT IN (SELECT attachment_id FROM archived_attachment)`;
  const ids = act.db.pluck(`SELECT id FROM attachment WHERE owner_id = ? ${all ? '' : unused}`, user.id);
  for (const id of ids) deleteAttachment(act, user, id);
  return ids.length;
}
