import {ImportError} from './import-error.ts';

/** A file in a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly size: number;
  /** The bytes of the file; what the caller does not read is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

const blockLength = 512;
/** Long names and other attributes of a file come before it as a small file. */
const maxAttributesLength = 64 * 1024;

/**
 * Yields the regular files of a tar archive (ustar, pax and GNU formats) in their order. Directories are skipped;
 * everything else that is no regular file, such as a link or a device, is refused.
 */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(source);
  let attributes: Attributes = {};
  for (;;) {
    const header = await reader.read(blockLength);
    if (header === undefined) throw new ImportError('The archive ends early: its end mark is missing.');
    if (header.every((byte) => byte === 0)) return;
    const entry = parseHeader(header);
    if (entry.type in attributeReaders) {
      if (entry.size > maxAttributesLength) throw new ImportError('The archive has a name that is too long.');
      const text = await reader.readPadded(entry.size);
      attributes = {...attributes, ...attributeReaders[entry.type]?.(text)};
      continue;
    }
    const path = attributes.path ?? entry.path;
    const size = attributes.size ?? entry.size;
    attributes = {};
    if (entry.type === '0' || entry.type === '7') yield {path, size, content: reader.content(size)};
    else if (entry.type !== '5') {
      throw new ImportError(`The archive contains “${path}”, which is neither a file nor a directory.`);
    }
    await reader.finishContent(entry.type === '5' ? 0 : size);
  }
}

interface Attributes {
  readonly path?: string;
  readonly size?: number;
}

const attributeReaders: Readonly<Record<string, (content: Buffer) => Attributes>> = {
  // The long name of GNU tar.
  L: (content) => ({path: textOf(content)}),
  // The attributes of the next file, and those of all files.
  x: paxAttributes,
  g: () => ({}),
};

/** Reads records such as `27 path=uploads/name.png\n`; each begins with its length in bytes. */
function paxAttributes(content: Buffer): Attributes {
  const found: {path?: string; size?: number} = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 ? 0 : Number(content.toString('latin1', at, space));
    const record = content.toString('utf8', space + 1, at + length - 1);
    const separator = record.indexOf('=');
    if (!Number.isInteger(length) || length <= 0 || separator < 0) throw damaged();
    const [key, value] = [record.slice(0, separator), record.slice(separator + 1)];
    if (key === 'path') found.path = value;
    if (key === 'size') found.size = checkedSize(Number(value));
    at += length;
  }
  return found;
}

function parseHeader(header: Buffer): {path: string; size: number; type: string} {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octal(header.subarray(148, 156))) throw damaged();
  const [name, prefix] = [textOf(header.subarray(0, 100)), textOf(header.subarray(345, 500))];
  // Only the standard's format has a prefix; GNU tar stores something else there.
  const isStandard = header.toString('latin1', 257, 263) === 'ustar\0';
  const type = header.toString('latin1', 156, 157);
  return {
    path: isStandard && prefix !== '' ? `${prefix}/${name}` : name,
    size: checkedSize(sizeOf(header.subarray(124, 136))),
    type: type === '\0' ? '0' : type,
  };
}

/** GNU tar writes sizes from 8 GiB on in base 256. */
function sizeOf(field: Buffer): number {
  if ((field[0] ?? 0) !== 0x80) return octal(field);
  return field.subarray(1).reduce((total, byte) => total * 256 + byte, 0);
}

function octal(field: Buffer): number {
  const digits = textOf(field).trim();
  return digits === '' ? 0 : Number.parseInt(/^[0-7]+$/.test(digits) ? digits : 'x', 8);
}

function checkedSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw damaged();
  return size;
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

function damaged(): ImportError {
  return new ImportError('The archive is damaged, or no tar archive.');
}

/** Cuts a stream of bytes into pieces of known lengths. */
class BlockReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #unread = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; undefined at the end of the stream. */
  async read(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.#next(missing);
      if (part === undefined && missing === length) return undefined;
      if (part === undefined) throw new ImportError('The archive ends early.');
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  async readPadded(length: number): Promise<Buffer> {
    const bytes = (await this.read(length)) ?? Buffer.alloc(0);
    this.#unread = 0;
    await this.finishContent(length);
    return bytes;
  }

  /** Starts a file of this size and returns its bytes. */
  content(size: number): AsyncGenerator<Buffer> {
    this.#unread = size;
    return this.#parts();
  }

  async *#parts(): AsyncGenerator<Buffer> {
    while (this.#unread > 0) {
      const part = await this.#next(this.#unread);
      if (part === undefined) throw new ImportError('The archive ends early.');
      this.#unread -= part.length;
      yield part;
    }
  }

  /** Passes the rest of a file and the zero bytes that fill its last block. */
  async finishContent(size: number): Promise<void> {
    let missing = this.#unread + ((blockLength - (size % blockLength)) % blockLength);
    this.#unread = 0;
    while (missing > 0) {
      const part = await this.#next(missing);
      if (part === undefined) throw new ImportError('The archive ends early.');
      missing -= part.length;
    }
  }

  async #next(length: number): Promise<Buffer | undefined> {
    while (this.#chunk.length === 0) {
      const {done, value} = await this.#chunks.next();
      if (done === true) return undefined;
      this.#chunk = value;
    }
    const part = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(part.length);
    return part;
  }
}
