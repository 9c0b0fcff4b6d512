import type {AttachmentRow} from '#server/db/attachments.ts';
import {findAttachmentByPath} from '#server/db/attachments.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import type {StoredFile} from '#server/uploads/file-store.ts';
import {findUpload, isTemporaryPath, type UploadLookup} from '#server/uploads/upload-access.ts';
import {byteRange} from './byte-range.ts';
import {contentHeaders} from './content-headers.ts';

export const uploadWebRoutes: readonly WebRoute[] = [
  {method: 'GET', path: '/user_uploads/:realm/*', run: serveUpload},
];

async function serveUpload(request: WebRequest): Promise<WebResponse> {
  const found = lookUp(request);
  if (found === 'forbidden') return refusal(403, 'You do not have access to this file.');
  // Only a path that we gave out ourselves ever reaches the file store.
  const stored = found === 'missing' ? undefined : await request.world.files.open(found.path_id);
  if (found === 'missing' || stored === undefined) return refusal(404, 'There is no such file.');
  return fileReply(found, stored, request.headers.range);
}

function lookUp({world, path, query, actor}: WebRequest): UploadLookup {
  const pathId = `${path.realm}/${path['*']}`;
  if (query.has('signature') && isTemporaryPath(world, pathId, query)) {
    return findAttachmentByPath(world.db, pathId) ?? 'missing';
  }
  return findUpload(world, actor, pathId);
}

function fileReply(
  file: AttachmentRow,
  stored: StoredFile,
  header: string | string[] | undefined,
): WebResponse {
  const {size} = stored;
  const range = byteRange(Array.isArray(header) ? undefined : header, size);
  const headers = {
    ...contentHeaders(file.name, file.content_type),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  };
  if (range === 'unsatisfiable') {
    return {status: 416, headers: {...headers, 'content-range': `bytes */${size}`}, body: ''};
  }
  if (range === undefined) {
    return {status: 200, headers: {...headers, 'content-length': String(size)}, body: stored.stream()};
  }
  const {start, end} = range;
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    body: stored.stream(start, end),
  };
}

function refusal(status: number, sentence: string): WebResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    },
    body: `<!doctype html><title>${sentence}</title><p>${sentence}</p>\n`,
  };
}
