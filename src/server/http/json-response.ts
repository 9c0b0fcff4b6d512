import type {IncomingMessage, ServerResponse} from 'node:http';
import {promisify} from 'node:util';
import {constants, gzip} from 'node:zlib';
import {ApiError} from './errors.ts';
import {JsonText} from './json-text.ts';

const gzipAsync = promisify(gzip);
/** Responses below the size of one packet are not compressed. */
const minCompressedLength = 1400;

export type ResponseHeaders = Record<string, string | number>;

export function successJson(body: Readonly<Record<string, unknown>> | JsonText, ignored: readonly string[]): string {
  const members = body instanceof JsonText ? body.members : JSON.stringify(body).slice(1, -1);
  const tail = ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`;
  return `{"result":"success","msg":""${members === '' ? '' : `,${members}`}${tail}}`;
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
  text: string,
  headers: ResponseHeaders,
): void {
  const head: ResponseHeaders = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...headers,
  };
  const compress = text.length >= minCompressedLength && /\bgzip\b/.test(String(request.headers['accept-encoding']));
  if (!compress) {
    send(response, status, text, head);
    return;
  }
  gzipAsync(text, {level: constants.Z_BEST_SPEED}).then(
    (bytes) => send(response, status, bytes, {...head, 'content-encoding': 'gzip'}),
    () => send(response, status, text, head),
  );
}

/** Longer texts are encoded once, for their length and for the socket. */
const maxStringBody = 65_536;

/** Sends the response; a string body goes out in one write with the headers, a buffer in two. */
function send(response: ServerResponse, status: number, text: string | Buffer, headers: ResponseHeaders): void {
  if (response.destroyed || response.headersSent) return;
  const body = typeof text === 'string' && text.length > maxStringBody ? Buffer.from(text) : text;
  response.writeHead(status, {...headers, 'content-length': Buffer.byteLength(body)});
  response.end(body);
}
