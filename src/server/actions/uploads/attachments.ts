import type {ActionContext, RequestContext} from '#server/context.ts';
import {
  type AttachmentRow,
  attachmentsOf,
  findAttachment,
  findAttachmentByPath,
  uploadSpaceUsed,
} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError, badRequest, notFoundError} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/http/route.ts';
import {isGuest, organization} from '#server/permissions/has-permission.ts';
import {canReadAttachment} from '#server/permissions/message.ts';
import {isImageType} from '#server/uploads/image.ts';
import {displayFilename, findUpload, newPathId, temporaryPath} from '#server/uploads/upload-path.ts';
import {attachmentView} from '#server/views/organization-items.ts';
import {imageSize} from '#std/image-size.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireAttachment} from '#wire/objects/personal.ts';

export const uploadRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadFile, async (request) => {
    const {name, path_id} = await storeUpload(request);
    const url = `/user_uploads/${path_id}`;
    return {url, uri: url, filename: name};
  }),
  route(endpoints.getTemporaryUrl, (call, {realm_id, filename}) => ({
    url: temporaryPath(call.server, readableUpload(call, `${realm_id}/${filename}`).path_id),
  })),
  // Images are served unchanged, so there is never a thumbnail to wait for.
  route(endpoints.getThumbnailStatus, (call, {realm_id, filename}) => {
    readableUpload(call, `${realm_id}/${filename}`);
  }),
  route(endpoints.getAttachments, (call) => ({
    attachments: attachmentsOf(call.db, call.actor.id).map((row) => attachmentView(call, row)),
    upload_space_used: uploadSpaceUsed(call.db),
  })),
  // Links in messages stay, but no longer work.
  route(endpoints.deleteAttachment, (call, {attachment_id: id}) => deleteAttachment(call, call.actor, id)),
];

export function deleteAttachment({db, emit, ...act}: ActionContext, owner: UserRow, id: number): void {
  const file = findAttachment(db, id);
  if (file === undefined || file.owner_id !== owner.id) throw badRequest('Invalid attachment');
  db.run('DELETE FROM attachment_message WHERE attachment_id = ?', id);
  db.run('DELETE FROM attachment WHERE id = ?', id);
  const body = {op: 'remove', attachment: {id}, upload_space_used: uploadSpaceUsed(db)};
  emit({type: 'attachment', to: [owner.id], body});
  // A file without a row cannot be accessed, so a failed deletion only wastes space.
  act.afterCommit(() => void act.server.files.delete(file.path_id).catch(() => {}));
}

function readableUpload(call: RequestContext, pathId: string): AttachmentRow {
  const file = findUpload(call.server, call.actor, pathId);
  if (file === 'missing') throw notFoundError('File not found');
  if (file === 'forbidden') throw new ApiError('BAD_REQUEST', 'You do not have access to this file', 403);
  return file;
}

async function storeUpload(request: AsyncRequestContext): Promise<Pick<AttachmentRow, 'name' | 'path_id'>> {
  const {server, upload} = request;
  if (upload === undefined) throw badRequest('You must specify a file to upload');
  const {file: received, filename, contentType: content_type} = upload;
  const size = isImageType(content_type) ? imageSize(received.head) : undefined;
  const file = {
    name: displayFilename(filename),
    path_id: newPathId(filename),
    size: received.size,
    content_type,
    width: size?.width ?? null,
    height: size?.height ?? null,
  };
  await received.keep(file.path_id);
  try {
    request.runAction((call) => addAttachment(call, file));
  } catch (error) {
    await server.files.delete(file.path_id);
    throw error;
  }
  return file;
}

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

function addAttachment(act: RequestContext, file: Omit<AttachmentRow, 'id' | 'owner_id' | 'created_at'>): void {
  const {actor} = act;
  checkUploadQuota(act, actor, file.size);
  const row = {owner_id: actor.id, created_at: act.now, ...file};
  const id = act.db.insertRow('attachment', row);
  const body = {op: 'add', attachment: attachmentView(act, {id, ...row}), upload_space_used: uploadSpaceUsed(act.db)};
  act.emit({type: 'attachment', to: [actor.id], body});
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
