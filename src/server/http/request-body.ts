import type {IncomingMessage} from 'node:http';
import {ApiError, badRequest} from '#server/errors.ts';
import type {Upload} from '#server/route.ts';
import {type FileStore, FileTooLarge} from '#server/uploads/file-store.ts';
import type {Clock} from '#std/clock.ts';
import {typeByName} from '#std/media-type.ts';

const formLimit = 4 * 1024 * 1024;
/** Without credentials, bodies are login forms and the like. */
const anonymousLimit = 64 * 1024;
const smallBody = 16 * 1024;
/** Each piece costs time, however small it is. Beyond some, which slow clients send, they must have this size on average. */
const freePieces = 4096;
const minPieceBytes = 32;
/** What may have arrived before the reader wants it. */
const maxUnread = 1024 * 1024;
/** No endpoint has half as many, and each costs a search. */
const maxFields = 200;
/** The time for a text to arrive, and for the next piece of a multipart body. The listener limits the time for all of it. */
const arrivalMs = 60_000;

export interface RequestBody {
  readonly fields: URLSearchParams;
  /** The body as it was sent; empty for multipart. */
  readonly text: string;
  /** The file; undefined if there are several. */
  readonly upload: Upload | undefined;
  readonly hasSeveralFiles?: boolean;
}

/** The result for a request without a body. */
const noBody: RequestBody = {fields: new URLSearchParams(), text: '', upload: undefined};

/** Reads the body; a file in it is streamed to `files`, if these are given. Anonymous clients may send less. */
export async function readBody(
  request: IncomingMessage,
  clock: Clock,
  isAnonymous: boolean,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<RequestBody> {
  if (!hasBody(request)) return noBody;
  const limit = isAnonymous ? anonymousLimit : formLimit;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) {
    const chunks = receive(request, clock, limit + (files === undefined ? 0 : uploadLimit));
    return readMultipart(chunks, boundaryOf(type), files, uploadLimit);
  }
  const text = await readText(request, clock, limit);
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

function hasBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Calls `receive` with each piece of the body until it is too large, or in too many pieces: then nothing more is read, and
 * `refuse` is called. Returns a function that ends it.
 */
function onPieces(
  request: IncomingMessage,
  limit: number,
  receive: (piece: Buffer) => void,
  refuse: (error: ApiError) => void,
): () => void {
  let pieces = 0;
  let size = 0;
  const stop = () => void request.off('data', onPiece);
  function onPiece(piece: Buffer): void {
    pieces++;
    size += piece.length;
    const areTooSmall = pieces > freePieces + size / minPieceBytes;
    if (size <= limit && !areTooSmall) {
      receive(piece);
      return;
    }
    stop();
    // What has arrived would be parsed piece by piece, which costs more than all the rest.
    if (areTooSmall) request.socket.pause();
    refuse(areTooSmall ? tooSmallPieces() : tooLarge());
  }
  request.on('data', onPiece);
  return stop;
}

/**
 * Skips the rest of a body, because it would be parsed as the next request on this connection. A body in too small pieces ends
 * the connection.
 */
export function skipBody(request: IncomingMessage): void {
  // It was refused because of its pieces, and the connection ends with the response.
  if (request.complete || request.socket.isPaused()) return;
  onPieces(
    request,
    Number.POSITIVE_INFINITY,
    () => {},
    // After the response, if that is being written.
    () => request.socket.destroySoon(),
  );
}

/** Reads a body as text. Uses events, because an iterator would take a fifth of the time of a small request. */
export async function readText(request: IncomingMessage, clock: Clock, limit = anonymousLimit): Promise<string> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  const cancel = clock.after(arrivalMs, () => reject(timedOut()));
  const chunks: Buffer[] = [];
  onPieces(request, limit, (piece) => void chunks.push(piece), reject);
  request.on('end', resolve);
  request.on('close', () => {
    if (!request.complete) reject(cutOff());
  });
  await promise.finally(cancel);
  return Buffer.concat(chunks).toString('utf8');
}

/** Yields the body: each time all that has arrived. Throws if it is refused, stops arriving or is cut off. */
async function* receive(request: IncomingMessage, clock: Clock, limit: number): AsyncGenerator<Buffer> {
  let arrived: Buffer[] = [];
  let size = 0;
  let isOver = false;
  let failure: ApiError | undefined;
  let change = Promise.withResolvers<void>();
  const end = (error?: ApiError) => {
    isOver = true;
    failure ??= error;
    change.resolve();
  };
  const stop = onPieces(
    request,
    limit,
    (piece) => {
      arrived.push(piece);
      size += piece.length;
      if (size > maxUnread) request.pause();
      change.resolve();
    },
    end,
  );
  request.on('end', () => end());
  request.on('close', () => end(request.complete ? undefined : cutOff()));
  try {
    for (;;) {
      if (arrived.length === 0 && !isOver) {
        const cancel = clock.after(arrivalMs, () => end(timedOut()));
        await change.promise.finally(cancel);
      }
      if (failure !== undefined) throw failure;
      if (arrived.length === 0) return;
      const bytes = Buffer.concat(arrived);
      arrived = [];
      size = 0;
      change = Promise.withResolvers();
      if (isOver) change.resolve();
      request.resume();
      yield bytes;
    }
  } finally {
    stop();
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

function tooSmallPieces(): ApiError {
  return badRequest('The request arrives in too many small pieces.');
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
  let hasSeveralFiles = false;
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
      hasSeveralFiles = upload !== undefined;
      if (hasSeveralFiles) break;
      // As on Zulip's servers, a given type is believed, and a missing one guessed from the name.
      const type = contentType || (typeByName(filename) ?? 'application/octet-stream');
      upload = {filename, contentType: type, file: await files.receive(content, uploadLimit)};
    }
    if (!hasSeveralFiles) return {fields, text: '', upload};
    await upload?.file.discard();
    return {fields, text: '', upload: undefined, hasSeveralFiles};
  } catch (error) {
    await upload?.file.discard();
    if (!(error instanceof FileTooLarge)) throw error;
    const mib = Math.floor(uploadLimit / 1024 / 1024);
    throw badRequest(`File is larger than the allowed maximum of ${mib} MiB.`);
  }
}

const lineEnd = Buffer.from('\r\n');
const headersEnd = Buffer.from('\r\n\r\n');
const maxHeaderBytes = 8 * 1024;

function malformed() {
  return badRequest('Malformed multipart body.');
}

/** Returns the boundary that a Content-Type header names. */
function boundaryOf(contentType: string): string {
  const boundary = parameters(contentType).get('boundary') ?? '';
  if (!/^[!-~ ]{1,70}$/.test(boundary)) throw malformed();
  return boundary;
}

/**
 * Yields the parts of a multipart body while it arrives; content that is not read is skipped with the next part. Nothing runs
 * ahead of the reader: an error of the source or a malformed body is thrown to whoever asks for the next part or for content,
 * so no error can be without a handler.
 */
export async function* readParts(source: AsyncIterable<Buffer>, boundary: string) {
  const chunks = source[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line end before it.
  let rest: Buffer = lineEnd;

  function take(length: number): Buffer {
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return bytes;
  }

  async function receive(): Promise<void> {
    const {done, value} = await chunks.next();
    if (done === true) throw malformed();
    rest = Buffer.concat([rest, value]);
  }

  /** Yields what comes before the next delimiter, and skips the delimiter. */
  async function* untilDelimiter(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = rest.indexOf(delimiter);
      // The end of what has arrived may be the begin of a delimiter.
      const length = at >= 0 ? at : rest.length - delimiter.length + 1;
      if (length > 0) yield take(length);
      if (at >= 0) {
        take(delimiter.length);
        return;
      }
      await receive();
    }
  }

  /** Returns the lines between a delimiter and the content of its part; undefined after the last delimiter. */
  async function headers(): Promise<string[] | undefined> {
    while (rest.length < lineEnd.length) await receive();
    if (rest.toString('latin1', 0, 2) === '--') return undefined;
    if (!rest.subarray(0, 2).equals(lineEnd)) throw malformed();
    for (;;) {
      const at = rest.indexOf(headersEnd);
      if (at > maxHeaderBytes || (at < 0 && rest.length > maxHeaderBytes)) throw malformed();
      if (at >= 0)
        return take(at + headersEnd.length)
          .toString('utf8')
          .split('\r\n');
      await receive();
    }
  }

  await drain(untilDelimiter());
  for (let lines = await headers(); lines !== undefined; lines = await headers()) {
    const content = untilDelimiter();
    const disposition = parameters(header(lines, 'content-disposition'));
    yield {
      name: disposition.get('name'),
      filename: filenameOf(disposition),
      contentType: header(lines, 'content-type').split(';')[0]?.trim() ?? '',
      content,
    };
    await drain(content);
  }
  // The connection can be used again only after all of the body.
  while ((await chunks.next()).done !== true);
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

function header(lines: readonly string[], name: string): string {
  const line = lines.find((text) => text.toLowerCase().startsWith(`${name}:`)) ?? '';
  return line.slice(name.length + 1).trim();
}

/** Returns the parameters of a header such as `form-data; name="a"; filename="b.txt"`. */
function parameters(value: string): Map<string, string> {
  const matches = value.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g);
  return new Map(
    [...matches].map(([, name = '', quoted, token = '']) => [
      name.toLowerCase(),
      // Other backslashes are those of a path.
      quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token,
    ]),
  );
}

/** Returns the name of the file without folders, which some clients send. */
function filenameOf(disposition: ReadonlyMap<string, string>): string | undefined {
  const extended = /^utf-8'[^']*'(.*)$/i.exec(disposition.get('filename*') ?? '')?.[1];
  const name = (extended === undefined ? undefined : decoded(extended)) ?? disposition.get('filename');
  return name?.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
