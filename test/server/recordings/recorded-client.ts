import {request} from 'undici';
import type {Json, RecordedRequest} from './recording.ts';

/** An email address and an API key; undefined without a login. */
export type Credentials = readonly [email: string, key: string] | undefined;

interface SentRequest {
  readonly method: string;
  /** With `/api/v1`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly files?: RecordedRequest['files'];
}

export interface Answer {
  readonly status: number;
  /** The start of the body if it is not JSON. */
  readonly body: Json;
}

/** Sends a request as it was recorded: form fields, a body as it is, or a form with files. */
export async function sendRecorded(url: string, credentials: Credentials, sent: SentRequest): Promise<Answer> {
  const {query, body, type} = encode(sent);
  const response = await request(url + escapePath(sent.path) + query, {
    method: sent.method as 'GET',
    headers: {
      'User-Agent': 'ReplayClient/1.0',
      ...(credentials === undefined ? {} : {Authorization: `Basic ${btoaUtf8(credentials.join(':'))}`}),
      ...(type === null ? {} : {'Content-Type': type}),
      ...sent.headers,
    },
    body,
  });
  const text = await response.body.text();
  try {
    return {status: response.statusCode, body: JSON.parse(text)};
  } catch {
    return {status: response.statusCode, body: `NOT JSON: ${text.slice(0, 200)}`};
  }
}

interface EncodedRequest {
  readonly query: string;
  readonly body: string | Uint8Array | null;
  /** The type of the body. */
  readonly type: string | null;
}

function encode({method, params = {}, files}: SentRequest): EncodedRequest {
  if (typeof params === 'string') return {query: '', body: params, type: null};
  if (files !== undefined)
    return {query: '', body: multipart(params, files), type: `multipart/form-data; boundary=${boundary}`};
  const text = new URLSearchParams(params).toString();
  if (text === '') return {query: '', body: null, type: null};
  if (method === 'GET') return {query: `?${text}`, body: null, type: null};
  return {query: '', body: text, type: 'application/x-www-form-urlencoded'};
}

const boundary = 'boundary-of-a-recorded-form';

/** Not `FormData`, which replaces an empty file name. */
function multipart(params: Readonly<Record<string, string>>, files: NonNullable<RecordedRequest['files']>): Buffer {
  const part = (name: string, rest: string, content: Buffer) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...Object.entries(params).flatMap(([name, value]) => part(name, '', Buffer.from(value))),
    ...Object.entries(files).flatMap(([field, [name, base64, type]]) =>
      part(field, `; filename="${name}"\r\nContent-Type: ${type}`, Buffer.from(base64, 'base64')),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

/** Escapes what a URL must not contain; escapes that are already there stay. */
function escapePath(path: string): string {
  return encodeURI(path).replaceAll('%25', '%').replaceAll('#', '%23');
}

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}
