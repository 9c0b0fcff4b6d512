import {endpoint, pathId, pathRest} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {attachment} from '#wire/objects/attachment.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';

const uploaded = object({}, {url: s.string(), uri: s.string(), filename: s.string()});

/** Returns the URL of an uploaded file; the field is `uri` on servers below level 272. */
export function uploadedUrl(response: Infer<typeof uploaded>): string | undefined {
  return response.url ?? response.uri;
}

export const uploadFile = endpoint('upload.create', 'POST /user_uploads', {upload: true, result: uploaded});

/** Returns a temporary URL of a file, which needs no credentials for a minute. */
export const getTemporaryUrl = endpoint('upload.temporary-url', 'GET /user_uploads/{realm_id}/{filename}', {
  params: {realm_id: pathId, filename: pathRest},
  result: object({url: s.string()}),
});

export const getThumbnailStatus = endpoint('upload.thumbnail-status', 'GET /thumbnail/status/{realm_id}/{filename}', {
  since: levels.thumbnailStatus,
  params: {realm_id: pathId, filename: pathRest},
});

export const getAttachments = endpoint('attachment.list', 'GET /attachments', {
  result: object({attachments: s.array(attachment)}, {upload_space_used: int}),
});

export const deleteAttachment = endpoint('attachment.delete', 'DELETE /attachments/{attachment_id}', {
  params: {attachment_id: pathId},
});
