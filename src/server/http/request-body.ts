import type {IncomingMessage} from 'node:http';
import type {Readable} from 'node:stream';
import {Busboy, type BusboyHeaders} from '@fastify/busboy';
import {type FileStore, FileTooLarge, type ReceivedFile} from '#server/uploads/file-store.ts';
import {ApiError, badRequest} from './errors.ts';
import type {Upload} from './route.ts';

const formLimit = 4 * 1024 * 1024;
const smallBody = 16 * 1024;
/** No endpoint has half as many, and each costs a search. */
const maxFields = 200;

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

export async function readBody(
  request: IncomingMessage,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<RequestBody> {
  if (!hasBody(request)) return noBody;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readMultipart(request, files, uploadLimit);
  const text = await readText(request);
  // Only forms contain parameters.
  const isForm = type === '' || type.startsWith('application/x-www-form-urlencoded');
  return {fields: isForm ? formFields(text) : new URLSearchParams(), text, upload: undefined};
}

function formFields(text: string): URLSearchParams {
  let from = -1;
  for (let count = 0; ; count++) {
    from = text.indexOf('&', from + 1);
    if (from < 0) return new URLSearchParams(text);
    if (count > maxFields) throw badRequest('Too many parameters.');
  }
}

export function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= formLimit) chunks.push(chunk);
      else reject(new ApiError('BAD_REQUEST', 'Request is too large.', 413));
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
    request.on('aborted', () => reject(badRequest('The request was cut off.')));
  });
}

/** Returns whether the body is so small that it practically arrives with the headers. */
export function hasSmallBody({headers}: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBody;
}

interface FilePart {
  readonly filename: string;
  readonly contentType: string;
  readonly stream: Readable;
  readonly receiving: Promise<ReceivedFile>;
}

/** Reads the fields and at most one file part, with any field name. */
async function readMultipart(
  request: IncomingMessage,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<RequestBody> {
  const fields = new URLSearchParams();
  const parts: FilePart[] = [];
  try {
    await parse(request, fields, (filename, contentType, stream) => {
      if (files === undefined || filename === '') {
        stream.resume();
        return undefined;
      }
      const receiving = files.receive(stream, uploadLimit);
      parts.push({filename, contentType, stream, receiving});
      return receiving;
    });
    const [part, ...more] = parts;
    if (part === undefined) return {fields, text: '', upload: undefined};
    if (more.length > 0) throw badRequest('You may only upload one file at a time');
    const {filename, contentType} = part;
    return {fields, text: '', upload: {filename, contentType, file: await part.receiving}};
  } catch (error) {
    await Promise.all(parts.map(discardPart));
    if (!(error instanceof FileTooLarge)) throw error;
    const mib = Math.floor(uploadLimit / 1024 / 1024);
    throw badRequest(`File is larger than the allowed maximum of ${mib} MiB.`);
  }
}

/** Parses the body; rejects at the first error, also when `take` cannot store a file. */
function parse(
  request: IncomingMessage,
  fields: URLSearchParams,
  take: (filename: string, contentType: string, stream: Readable) => Promise<ReceivedFile> | undefined,
): Promise<void> {
  const parser = makeParser(request);
  return new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      request.unpipe(parser);
      reject(error);
    };
    parser.on('field', (name, value) => fields.append(name, value));
    parser.on('file', (_field, stream, filename, _encoding, contentType) => {
      // The reader of the stream handles its errors; without a reader they must not count as unhandled.
      stream.on('error', () => {});
      take(filename ?? '', contentType, stream)?.catch(fail);
    });
    parser.on('finish', resolve);
    parser.on('error', () => fail(badRequest('Malformed multipart body.')));
    request.on('error', fail);
    request.on('aborted', () => fail(badRequest('The upload was cut off.')));
    request.pipe(parser);
  });
}

async function discardPart({stream, receiving}: FilePart): Promise<void> {
  stream.destroy(new Error('Upload refused'));
  await receiving.then(
    (file) => file.discard(),
    () => {},
  );
}

function makeParser(request: IncomingMessage) {
  const headers: BusboyHeaders = {...request.headers, 'content-type': request.headers['content-type'] ?? ''};
  try {
    return new Busboy({
      headers,
      limits: {fieldSize: formLimit, fields: maxFields, files: 2, parts: maxFields + 50},
    });
  } catch {
    throw badRequest('Malformed multipart body.');
  }
}
