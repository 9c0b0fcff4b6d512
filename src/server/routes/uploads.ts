import {addAttachment, deleteAttachment} from '#server/actions/uploads/attachments.ts';
import type {RequestContext} from '#server/context.ts';
import {type AttachmentRow, attachmentsOf, uploadSpaceUsed} from '#server/db/attachments.ts';
import {ApiError, badRequest, notFoundError} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/http/route.ts';
import {imageSize, isImageType} from '#server/uploads/image.ts';
import {findUpload, temporaryPath} from '#server/uploads/upload-access.ts';
import {displayFilename, newPathId} from '#server/uploads/upload-path.ts';
import {attachmentView} from '#server/views/attachment.ts';
import {endpoints} from '#wire/endpoints.ts';

export const uploadsRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadFile, async (request) => {
    const {name, path_id} = await storeUpload(request);
    const url = `/user_uploads/${path_id}`;
    return {url, uri: url, filename: name};
  }),

  route(endpoints.getTemporaryUrl, (call, {realm_id, filename}) => ({
    url: temporaryPath(call.server, readableUpload(call, `${realm_id}/${filename}`).path_id),
  })),

  // Images are served unchanged, so there is never a thumbnail to wait for.
  route(endpoints.getThumbnailStatus, (call, {realm_id, filename}) => readableUpload(call, `${realm_id}/${filename}`)),

  route(endpoints.getAttachments, (call) => ({
    attachments: attachmentsOf(call.db, call.actor.id).map((row) => attachmentView(call, row)),
    upload_space_used: uploadSpaceUsed(call.db),
  })),

  route(endpoints.deleteAttachment, (call, {attachment_id}) => deleteAttachment(call, call.actor, attachment_id)),
];

async function storeUpload({
  server,
  upload,
  runAction,
}: AsyncRequestContext): Promise<Pick<AttachmentRow, 'name' | 'path_id'>> {
  if (upload === undefined) throw badRequest('You must specify a file to upload');
  const file = {
    name: displayFilename(upload.filename),
    path_id: newPathId(upload.filename),
    size: upload.file.size,
    content_type: upload.contentType,
    dimensions: isImageType(upload.contentType) ? imageSize(upload.file.head) : undefined,
  };
  await upload.file.keep(file.path_id);
  try {
    runAction((call) => addAttachment(call, call.actor, file));
  } catch (error) {
    await server.files.delete(file.path_id);
    throw error;
  }
  return file;
}

function readableUpload(call: RequestContext, pathId: string): AttachmentRow {
  const file = findUpload(call.server, call.actor, pathId);
  if (file === 'missing') throw notFoundError('File not found');
  if (file === 'forbidden') throw new ApiError('BAD_REQUEST', 'You do not have access to this file', 403);
  return file;
}
