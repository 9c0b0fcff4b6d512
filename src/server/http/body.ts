import type {IncomingMessage} from 'node:http';
import {Busboy, type BusboyHeaders} from '@fastify/busboy';
import {type FileStore, type Received, TooLarge} from '#server/files.ts';
import {ApiError, badRequest} from './errors.ts';
import type {Upload} from './route.ts';

const formLimit = 4 * 1024 * 1024;

export interface Body {
  readonly fields: URLSearchParams;
  readonly upload: Upload | undefined;
}

export async function readBody(
  request: IncomingMessage,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readMultipart(request, files, uploadLimit);
  const text = await readText(request);
  // A body that is not a form has no parameters of ours in it.
  const isForm = type === '' || type.startsWith('application/x-www-form-urlencoded');
  return {fields: new URLSearchParams(isForm ? text : ''), upload: undefined};
}

export async function readText(request: IncomingMessage): Promise<string> {
  if (request.headers['content-length'] === '0') return '';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > formLimit) throw new ApiError('BAD_REQUEST', 'Request is too large.', 413);
    chunks.push(chunk);
  }
  return (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8') ?? '';
}

/** Keeps the first file part, whatever its field name; other files are drained and dropped. */
async function readMultipart(
  request: IncomingMessage,
  files: FileStore | undefined,
  uploadLimit: number,
): Promise<Body> {
  const fields = new URLSearchParams();
  let receiving: Promise<Received> | undefined;
  let filename = '';
  let contentType = '';
  const parser = makeParser(request);
  parser.on('field', (name, value) => fields.append(name, value));
  parser.on('file', (_field, stream, name, _encoding, type) => {
    if (files === undefined || receiving !== undefined) {
      stream.resume();
      return;
    }
    filename = name ?? '';
    contentType = type;
    receiving = files.receive(stream, uploadLimit);
    // The failure is reported below; until then it must not count as unhandled. Drain what still comes.
    receiving.catch(() => stream.resume());
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', () => reject(badRequest('Malformed multipart body.')));
    request.on('error', reject);
    request.on('aborted', () => reject(badRequest('The upload was cut off.')));
    request.pipe(parser);
  });
  if (receiving === undefined) return {fields, upload: undefined};
  try {
    return {fields, upload: {filename, contentType, file: await receiving}};
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const mib = Math.floor(uploadLimit / 1024 / 1024);
    throw badRequest(`File is larger than the allowed maximum of ${mib} MiB.`);
  }
}

function makeParser(request: IncomingMessage) {
  const headers: BusboyHeaders = {...request.headers, 'content-type': request.headers['content-type'] ?? ''};
  try {
    return new Busboy({headers, limits: {fieldSize: formLimit, fields: 200, files: 4, parts: 250}});
  } catch {
    throw badRequest('Malformed multipart body.');
  }
}
