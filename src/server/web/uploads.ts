import {type AttachmentRow, findAttachmentByPath} from '#server/db/organization-items.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/route.ts';
import type {StoredFile} from '#server/uploads/file-store.ts';
import {
  exportFile,
  exportUrlPrefix,
  findUpload,
  isTemporaryPath,
  type UploadLookup,
} from '#server/uploads/upload-path.ts';
import {typeByName} from '#std/media-type.ts';

export const uploadWebRoutes: readonly WebRoute[] = [
  {method: 'GET', path: '/user_uploads/:realm/*', run: serveUpload},
  {method: 'GET', path: `${exportUrlPrefix}:token/:file`, run: serveExport},
];

async function serveUpload(request: WebRequest): Promise<WebResponse> {
  const file = lookUp(request);
  if (file === 'forbidden') return refusal(403, 'You do not have access to this file.');
  // Only paths that the server generated ever reach the file store.
  const stored = file === 'missing' ? undefined : await request.server.files.open(file.path_id);
  if (file === 'missing' || stored === undefined) return refusal(404, 'This file does not exist.');
  const reply = fileReply(file, stored, request.headers.range);
  if (!isDownload(request)) return reply;
  const headers = {...reply.headers, 'content-disposition': `attachment; ${filenameParameter(file.name)}`};
  return {...reply, headers};
}

/** Whether the path is that of a file to be saved, whatever its type: `/user_uploads/download/1/…`. */
function isDownload({path}: WebRequest): boolean {
  return path.realm === 'download';
}

/** Serves a data export to administrators: it has more than a picture whose address is known, which everybody may see. */
async function serveExport({server, actor, path: {token, file = ''}, headers}: WebRequest): Promise<WebResponse> {
  if (actor === undefined || !isAdmin(actor)) return refusal(403, 'You do not have access to this file.');
  const url = `${exportUrlPrefix}${token}/${file}`;
  const isKnown = server.db.has('data_export', {url});
  const stored = isKnown ? await server.files.open(exportFile(url)) : undefined;
  if (stored === undefined) return refusal(404, 'This file does not exist.');
  return fileReply({name: file, content_type: 'application/gzip'}, stored, headers.range);
}

function lookUp(request: WebRequest): UploadLookup {
  const {server, path, query, actor} = request;
  const pathId = isDownload(request) ? (path['*'] ?? '') : `${path.realm}/${path['*']}`;
  if (query.has('signature') && isTemporaryPath(server, pathId, query)) {
    return findAttachmentByPath(server.db, pathId) ?? 'missing';
  }
  return findUpload(server, actor, pathId);
}

function fileReply(
  file: Pick<AttachmentRow, 'name' | 'content_type'>,
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

/**
 * Returns the part of a file that a Range header requests, both ends included: undefined for the whole file, `unsatisfiable`
 * if the file has no such part. Headers with several ranges or other units are ignored, as the protocol allows.
 */
function byteRange(header: string | undefined, size: number) {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : {start: size - length, end: size - 1};
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : {start, end};
}

/** The types that a browser may display inline: none that can contain a script. */
const inlineTypes = new Set([
  'application/pdf',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/webm',
]);

/** Returns the headers of an uploaded file. Its uploader chose name and type, so neither may make a browser run it. */
function contentHeaders(name: string, claimedType: string): Record<string, string> {
  const claimed = claimedType.split(';')[0]?.trim().toLowerCase() ?? '';
  const type = inlineTypes.has(claimed) ? claimed : (typeByName(name) ?? '');
  // The claimed type can contain a script, whatever the file's extension is.
  const isActive = /html|svg|xml|script/.test(claimed);
  const isInline = inlineTypes.has(type) && !isActive;
  const shownType = isInline ? type : 'application/octet-stream';
  return {
    'content-type': shownType === 'text/plain' ? 'text/plain; charset=utf-8' : shownType,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${filenameParameter(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
}

function filenameParameter(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
