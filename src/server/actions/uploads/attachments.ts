import type {ActionContext, RequestContext} from '#server/context.ts';
import {
  type AttachmentRow,
  attachmentsOf,
  findAttachment,
  findAttachmentByPath,
  uploadSpaceUsed,
} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError, check, notFoundError} from '#server/errors.ts';
import {canReadAttachment} from '#server/permissions/read-message.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/route.ts';
import {isImageType} from '#server/uploads/image.ts';
import {displayFilename, findUpload, newPathId, temporaryPath} from '#server/uploads/upload-path.ts';
import {checkUploadQuota} from '#server/uploads/upload-quota.ts';
import {attachmentView} from '#server/views/organization-items.ts';
import {imageSize} from '#std/image-size.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireAttachment} from '#wire/objects/personal.ts';

export const uploadRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadFile, 'account', async (request) => {
    const {name, path_id} = await storeUpload(request);
    const url = `/user_uploads/${path_id}`;
    return {url, uri: url, filename: name};
  }),
  route(endpoints.getTemporaryUrl, 'account', (call, {realm_id, filename}) => ({
    url: temporaryPath(call.server, readableUpload(call, `${realm_id}/${filename}`).path_id),
  })),
  // Images are served unchanged, so there is never a thumbnail to wait for.
  route(endpoints.getThumbnailStatus, 'account', (call, {realm_id, filename}) => {
    const file = findUpload(call.server, call.actor, `${realm_id}/${filename}`);
    check(typeof file !== 'string' && file.width !== null, 'Invalid attachment');
    return {has_thumbnail: true};
  }),
  route(endpoints.getAttachments, 'account', (call) => ({
    attachments: attachmentsOf(call.db, call.actor.id).map((row) => attachmentView(call, row)),
    upload_space_used: uploadSpaceUsed(call.db),
  })),
  // Links in messages stay, but no longer work.
  route(endpoints.deleteAttachment, 'account', (call, {attachment_id: id}) => deleteAttachment(call, call.actor, id)),
];

export function deleteAttachment({db, emit, ...act}: ActionContext, owner: UserRow, id: number): void {
  const file = findAttachment(db, id);
  check(file !== undefined && file.owner_id === owner.id, 'Invalid attachment');
  db.deleteRows('attachment_message', {attachment_id: id});
  db.run('DELETE FROM attachment WHERE id = ?', id);
  emit('attachment', [owner.id], {op: 'remove', attachment: {id}, upload_space_used: uploadSpaceUsed(db)});
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
  const {upload} = request;
  check(!request.hasSeveralFiles, 'You may only upload one file at a time');
  check(upload !== undefined, 'You must specify a file to upload');
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
  await keepUpload(request, upload, file.path_id, (call) => addAttachment(call, file));
  return file;
}

/** Keeps an uploaded file under a path, and deletes it again if the action fails. */
export async function keepUpload<T>(
  {server, runAction}: AsyncRequestContext,
  {file}: Upload,
  path: string,
  action: (call: RequestContext) => T,
): Promise<T> {
  await file.keep(path);
  try {
    return runAction(action);
  } catch (error) {
    await server.files.delete(path);
    throw error;
  }
}

function addAttachment(act: RequestContext, file: Omit<AttachmentRow, 'id' | 'owner_id' | 'created_at'>): void {
  const {actor} = act;
  checkUploadQuota(act, actor, file.size);
  const row = {owner_id: actor.id, created_at: act.now, ...file};
  const id = act.db.insertRow('attachment', row);
  const body = {
    op: 'add' as const,
    attachment: attachmentView(act, {id, ...row}),
    upload_space_used: uploadSpaceUsed(act.db),
  };
  act.emit('attachment', [actor.id], body);
}

/**
 * Records the files that a message links to, as far as its sender may read them. Their owners are told of each path, so twice
 * of an inline image, as on Zulip's servers.
 */
export function linkUploads(act: ActionContext, sender: UserRow, messageId: number, paths: readonly string[]): void {
  const linked = new Set<number>();
  for (const path of paths) {
    const file = findAttachmentByPath(act.db, path);
    if (file === undefined || !canReadAttachment(act, sender, file)) continue;
    const sql = 'INSERT OR IGNORE INTO attachment_message (attachment_id, message_id) VALUES (?, ?)';
    if (act.db.run(sql, file.id, messageId) > 0) linked.add(file.id);
    if (linked.has(file.id)) emitAttachment(act, file);
  }
}

/**
 * Removes the records of files that a message no longer links to, without an event, as on Zulip's servers. Returns the files
 * that no message links to any more.
 */
export function unlinkUploads(act: ActionContext, messageId: number, linkedPaths: readonly string[]): WireAttachment[] {
  const select = `SELECT a.* FROM attachment_message AS am JOIN attachment AS a ON a.id = am.attachment_id
     WHERE am.message_id = ? AND a.path_id NOT IN (SELECT value FROM json_each(?)) ORDER BY a.id`;
  const files = act.db.all<AttachmentRow>(select, messageId, JSON.stringify(linkedPaths));
  for (const file of files) {
    act.db.deleteRows('attachment_message', {attachment_id: file.id, message_id: messageId});
  }
  return files.map((file) => attachmentView(act, file)).filter((file) => file.message_ids?.length === 0);
}

function emitAttachment(act: ActionContext, file: AttachmentRow): void {
  const body = {
    op: 'update' as const,
    attachment: attachmentView(act, file),
    upload_space_used: uploadSpaceUsed(act.db),
  };
  act.emit('attachment', [file.owner_id], body);
}
