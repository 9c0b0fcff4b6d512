import {badRequest} from './errors.ts';

/** A part of a multipart body. */
export interface BodyPart {
  readonly name: string | undefined;
  readonly filename: string | undefined;
  readonly contentType: string;
  /** What is not read of it is skipped when the next part is asked for. */
  readonly content: AsyncIterable<Buffer>;
}

const lineEnd = Buffer.from('\r\n');
const headersEnd = Buffer.from('\r\n\r\n');
const maxHeaderBytes = 8 * 1024;

function malformed() {
  return badRequest('Malformed multipart body.');
}

/** Returns the boundary that a Content-Type header names. */
export function boundaryOf(contentType: string): string {
  const boundary = parameters(contentType).get('boundary') ?? '';
  if (!/^[!-~ ]{1,70}$/.test(boundary)) throw malformed();
  return boundary;
}

/**
 * Yields the parts of a multipart body while it arrives. Nothing runs ahead of the reader: an error of the source or a
 * malformed body is thrown to whoever asks for the next part or for content, so no error can be without a handler.
 */
export async function* readParts(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<BodyPart> {
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
