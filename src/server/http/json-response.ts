import type {IncomingMessage, ServerResponse} from 'node:http';
import {promisify} from 'node:util';
import {constants, gzip} from 'node:zlib';
import {ApiError} from '#server/errors.ts';
import {type JsonBody, JsonText} from '#server/json-text.ts';

const gzipAsync = promisify(gzip);
/** Responses below the size of one packet are not compressed. */
const minCompressedLength = 1400;

export type ResponseHeaders = Record<string, string | number>;

export function successJson(body: Readonly<Record<string, unknown>> | JsonText, ignored: readonly string[]): JsonBody {
  const members = body instanceof JsonText ? body.members : JSON.stringify(body).slice(1, -1);
  const head = '{"result":"success","msg":""';
  const tail = ignored.length === 0 ? '}' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}}`;
  if (typeof members !== 'string') return [`${head},`, ...members, tail];
  return `${head}${members === '' ? '' : `,${members}`}${tail}`;
}

export function errorJson(error: ApiError): string {
  // Zulip's servers report a webhook event that they do not know with status 200.
  const result = error.status < 300 ? 'success' : 'error';
  return JSON.stringify({result, msg: error.message, code: error.code, ...error.extra});
}

export const internalError = new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error', 500);

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: JsonBody,
  headers: ResponseHeaders,
): void {
  const head: ResponseHeaders = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...headers,
  };
  const isLong = typeof body !== 'string' || body.length >= minCompressedLength;
  const bytes = encoded(body);
  if (!isLong || !/\bgzip\b/.test(String(request.headers['accept-encoding']))) {
    send(response, status, bytes, head);
    return;
  }
  gzipAsync(typeof bytes === 'string' ? bytes : Buffer.concat(bytes), {level: constants.Z_BEST_SPEED})
    .then(
      (compressed) => send(response, status, [compressed], {...head, 'content-encoding': 'gzip'}),
      () => send(response, status, bytes, head),
    )
    .catch((error: unknown) => response.destroy(error as Error));
}

/** Longer texts are encoded once, for their length and for the socket. */
const maxStringBody = 65_536;

function encoded(body: JsonBody): string | readonly Buffer[] {
  if (typeof body !== 'string') return body.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  return body.length <= maxStringBody ? body : [Buffer.from(body)];
}

/** Sends the response; a string body goes out in one write with the headers, buffers in others. */
function send(
  response: ServerResponse,
  status: number,
  body: string | readonly Buffer[],
  headers: ResponseHeaders,
): void {
  if (response.destroyed || response.headersSent) return;
  const isText = typeof body === 'string';
  const length = isText ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + piece.length, 0);
  headers['content-length'] = length;
  response.writeHead(status, headers);
  if (!isText) for (const piece of body) response.write(piece);
  response.end(isText ? body : undefined);
}
