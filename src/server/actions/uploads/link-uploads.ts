import type {ActionContext} from '#server/context.ts';
import {type AttachmentRow, findAttachmentByPath, uploadSpaceUsed} from '#server/db/attachments.ts';
import type {UserRow} from '#server/db/rows.ts';
import {canReadAttachment} from '#server/permissions/attachment.ts';
import {attachmentView} from '#server/views/attachment.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';

/** Records the files that a message links to, as far as its sender may read them. */
export function linkUploads(act: ActionContext, sender: UserRow, messageId: number, paths: readonly string[]): void {
  for (const path of paths) {
    const file = findAttachmentByPath(act.db, path);
    if (file === undefined || !canReadAttachment(act, sender, file)) continue;
    const sql = 'INSERT OR IGNORE INTO attachment_message (attachment_id, message_id) VALUES (?, ?)';
    if (act.db.run(sql, file.id, messageId) > 0) emitUpdate(act, file);
  }
}

/**
 * Removes the records of files that a message no longer links to. Returns the files that no message links to any more.
 */
export function unlinkUploads(act: ActionContext, messageId: number, linkedPaths: readonly string[]): WireAttachment[] {
  const files = act.db.all<AttachmentRow>(
    `SELECT a.* FROM attachment_message AS am JOIN attachment AS a ON a.id = am.attachment_id
     WHERE am.message_id = ? AND a.path_id NOT IN (SELECT value FROM json_each(?)) ORDER BY a.id`,
    messageId,
    JSON.stringify(linkedPaths),
  );
  for (const file of files) {
    const sql = 'DELETE FROM attachment_message WHERE attachment_id = ? AND message_id = ?';
    act.db.run(sql, file.id, messageId);
    emitUpdate(act, file);
  }
  return files.map((file) => attachmentView(act, file)).filter((file) => file.message_ids?.length === 0);
}

function emitUpdate(act: ActionContext, file: AttachmentRow): void {
  const body = {
    op: 'update',
    attachment: attachmentView(act, file),
    upload_space_used: uploadSpaceUsed(act.db),
  };
  act.emit({type: 'attachment', to: [file.owner_id], body});
}
