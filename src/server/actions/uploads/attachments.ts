import type {ActionContext} from '#server/context.ts';
import {
  type AttachmentRow,
  findAttachment,
  findAttachmentByPath,
  uploadSpaceUsed,
} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {isGuest, organization} from '#server/permissions/has-permission.ts';
import {canReadAttachment} from '#server/permissions/message.ts';
import type {ImageSize} from '#server/uploads/image.ts';
import {attachmentView} from '#server/views/organization-items.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';

const mib = 1024 * 1024;

/** Applies to organizations that set no quota, so that uploads cannot fill the disk. */
export const defaultQuotaMib = 10 * 1024;
/** The space of one guest, so that guests cannot use up the quota of the members. */
export const guestQuotaMib = 500;

export function checkUploadQuota(act: Pick<ActionContext, 'server'>, actor: UserRow, size: number): void {
  const {db} = act.server;
  const quota = organization(act).upload_quota_mib ?? defaultQuotaMib;
  if (uploadSpaceUsed(db) + size > quota * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed your organization’s upload quota.');
  }
  if (isGuest(actor) && uploadSpaceUsed(db, actor.id) + size > guestQuotaMib * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed the upload quota of a guest.');
  }
}

export function addAttachment(
  act: ActionContext,
  actor: UserRow,
  {
    dimensions,
    ...file
  }: Pick<AttachmentRow, 'name' | 'path_id' | 'size' | 'content_type'> & {
    readonly dimensions: ImageSize | undefined;
  },
): void {
  checkUploadQuota(act, actor, file.size);
  const {width, height} = dimensions ?? {width: null, height: null};
  const row = {owner_id: actor.id, created_at: act.now, width, height, ...file};
  const id = act.db.insertRow('attachment', row);
  const body = {op: 'add', attachment: attachmentView(act, {id, ...row}), upload_space_used: uploadSpaceUsed(act.db)};
  act.emit({type: 'attachment', to: [actor.id], body});
}

/** Deletes a file. Links in messages stay, but no longer work. */
export function deleteAttachment(act: ActionContext, actor: UserRow, id: number): void {
  const file = findAttachment(act.db, id);
  if (file === undefined || file.owner_id !== actor.id) throw badRequest('Invalid attachment');
  act.db.run('DELETE FROM attachment_message WHERE attachment_id = ?', id);
  act.db.run('DELETE FROM attachment WHERE id = ?', id);
  const body = {op: 'remove', attachment: {id}, upload_space_used: uploadSpaceUsed(act.db)};
  act.emit({type: 'attachment', to: [actor.id], body});
  act.afterCommit(() => {
    // A file without a row cannot be accessed, so a failed deletion only wastes space.
    act.server.files.delete(file.path_id).catch(() => {});
  });
}

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
  const select = `SELECT a.* FROM attachment_message AS am JOIN attachment AS a ON a.id = am.attachment_id
     WHERE am.message_id = ? AND a.path_id NOT IN (SELECT value FROM json_each(?)) ORDER BY a.id`;
  const files = act.db.all<AttachmentRow>(select, messageId, JSON.stringify(linkedPaths));
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
