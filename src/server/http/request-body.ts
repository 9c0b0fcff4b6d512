import type {IncomingMessage} from 'node:http';
import {type FileStore, FileTooLarge} from '#server/uploads/file-store.ts';
import type {Clock} from '#std/clock.ts';
import {typeByName} from '#std/media-type.ts';
import {ApiError, badRequest} from './errors.ts';
import {boundaryOf, readParts} from './multipart.ts';
import type {Upload} from './route.ts';

const formLimit = 4 * 1024 * 1024;
const smallBody = 16 * 1024;
/** No endpoint has half as many, and each costs a search. */
const maxFields = 200;
/** The time for a text to arrive, and for the next piece of a multipart body. The listener limits the time for all of it. */
const arrivalMs = 60_000;

export interface RequestBody {
  readonly fields: URLSearchParams;
  /** The body as it was sent; empty for multipart. */
  readonly text: string;
  readonly upload: Upload | undefined;
}

/** The result for a request without a body. */
const noBody: RequestBody = {fields: new URLSearchParams(), text: '', upload: undefined};

function hasBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Reads the body; a file in it is streamed to `files`, if these are given. */
export async function readBody(
  request: IncomingMessage,
  clock: Clock,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<RequestBody> {
  if (!hasBody(request)) return noBody;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) {
    const chunks = receive(request, clock, formLimit + (files === undefined ? 0 : uploadLimit));
    return readMultipart(chunks, boundaryOf(type), files, uploadLimit);
  }
  const text = await readText(request, clock);
  // Only forms contain parameters.
  const isForm = type === '' || type.startsWith('application/x-www-form-urlencoded');
  return {fields: isForm ? formFields(text) : new URLSearchParams(), text, upload: undefined};
}

function formFields(text: string): URLSearchParams {
  let from = -1;
  for (let count = 0; ; count++) {
    from = text.indexOf('&', from + 1);
    if (from < 0) return new URLSearchParams(text);
    if (count > maxFields) throw tooManyFields();
  }
}

function tooManyFields(): ApiError {
  return badRequest('Too many parameters.');
}

/** Reads a body as text. Uses events, because an iterator would take a fifth of the time of a small request. */
export async function readText(request: IncomingMessage, clock: Clock): Promise<string> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  const cancel = clock.after(arrivalMs, () => reject(timedOut()));
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= formLimit) chunks.push(chunk);
    else reject(tooLarge());
  });
  request.on('end', resolve);
  request.on('close', () => {
    if (!request.complete) reject(cutOff());
  });
  await promise.finally(cancel);
  return Buffer.concat(chunks).toString('utf8');
}

/** Yields the body in pieces. Throws if it is too large, stops arriving or is cut off. */
async function* receive(request: IncomingMessage, clock: Clock, limit: number): AsyncGenerator<Buffer> {
  const chunks = request.iterator({destroyOnReturn: false});
  let size = 0;
  for (;;) {
    const {promise, reject} = Promise.withResolvers<never>();
    const cancel = clock.after(arrivalMs, () => reject(timedOut()));
    const arriving = chunks.next().catch(() => Promise.reject(cutOff()));
    const {done, value} = await Promise.race([arriving, promise]).finally(cancel);
    if (done) return;
    size += value.length;
    if (size > limit) throw tooLarge();
    yield value;
  }
}

function timedOut(): ApiError {
  return new ApiError('REQUEST_TIMEOUT', 'The rest of the request did not arrive.', 408);
}

function cutOff(): ApiError {
  return badRequest('The request was cut off.');
}

function tooLarge(): ApiError {
  return new ApiError('BAD_REQUEST', 'Request is too large.', 413);
}

/** Returns whether the body is so small that it practically arrives with the headers. */
export function hasSmallBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBody;
}

/** Reads the fields and at most one file part, with any field name. */
async function readMultipart(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<RequestBody> {
  const fields = new URLSearchParams();
  let upload: Upload | undefined;
  let partCount = 0;
  let fieldBytes = 0;
  async function* counted(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of content) {
      fieldBytes += bytes.length;
      if (fieldBytes > formLimit) throw tooLarge();
      yield bytes;
    }
  }
  try {
    for await (const {name, filename, contentType, content} of readParts(chunks, boundary)) {
      partCount += 1;
      if (partCount > maxFields) throw tooManyFields();
      if (filename === undefined && name !== undefined) {
        fields.append(name, Buffer.concat(await Array.fromAsync(counted(content))).toString('utf8'));
      }
      if (files === undefined || filename === undefined || filename === '') continue;
      if (upload !== undefined) throw badRequest('You may only upload one file at a time');
      // As on Zulip's servers, a given type is believed, and a missing one guessed from the name.
      const type = contentType || (typeByName(filename) ?? 'application/octet-stream');
      upload = {filename, contentType: type, file: await files.receive(content, uploadLimit)};
    }
    return {fields, text: '', upload};
  } catch (error) {
    await upload?.file.discard();
    if (!(error instanceof FileTooLarge)) throw error;
    const mib = Math.floor(uploadLimit / 1024 / 1024);
    throw badRequest(`File is larger than the allowed maximum of ${mib} MiB.`);
  }
}
