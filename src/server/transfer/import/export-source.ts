import {createReadStream, lstatSync, mkdirSync, readdirSync, statSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline, type Readable} from 'node:stream';
import {createGunzip} from 'node:zlib';
import type {Database} from '#server/db/database.ts';
import {ImportError} from './import-context.ts';
import {JsonTables} from './json-tables.ts';

export interface SourceFile {
  /** Where the file is on this machine. */
  readonly location: string;
  readonly size: number;
}

/** The files and folders of an export that are imported, and the name that says that Zulip is still writing it. */
const jsonFile = /^(?:realm|attachment|migration_status|messages-\d{6,9})\.json$/;
const folder = /^(?:uploads|avatars|emoji|realm_icons)\//;
const unfinished = /^messages-\d+\.json\.partial$/;
/** A file takes at least this much space, so that many empty files reach the limit, too. */
const blockLength = 4096;

/**
 * The files of an export by their paths in it. The paths are somebody else's input: they are keys in a table and never
 * paths on this machine. The files of an archive are unpacked under numbers.
 */
export class ExportSource {
  readonly #work: Database;
  #left: number;
  #top: string | undefined;

  private constructor(work: Database, maxBytes: number) {
    this.#work = work;
    this.#left = maxBytes;
    work.exec('CREATE TABLE work.source (path TEXT PRIMARY KEY, location TEXT NOT NULL, size INTEGER NOT NULL)');
  }

  /** Opens an archive or an unpacked directory. `work` has a database of this name attached, `directory` is for files. */
  static async open(path: string, work: Database, directory: string, maxBytes: number): Promise<ExportSource> {
    const source = new ExportSource(work, maxBytes);
    if (statOf(path).isDirectory()) source.#addDirectory(path, '');
    else await source.#unpack(path, directory);
    if (source.find('realm.json') === undefined)
      throw new ImportError(`${path} is no Zulip export: it has no realm.json.`);
    return source;
  }

  find(path: string): SourceFile | undefined {
    const select = 'SELECT location, size FROM work.source WHERE path = ?';
    return this.#work.get<{location: string; size: number}>(select, path);
  }

  /** Opens a JSON file of the export; undefined if it is not there. */
  tables(path: string): JsonTables | undefined {
    const file = this.find(path);
    return file === undefined ? undefined : new JsonTables(file.location, path);
  }

  /** Returns the names of the files with messages, in their order. */
  messageFiles(): string[] {
    const paths = this.#work.pluck<string>(`SELECT path FROM work.source WHERE path LIKE 'messages-%' ORDER BY path`);
    const numbers = paths.map((path) => Number(/\d+/.exec(path)?.[0])).sort((a, b) => a - b);
    for (const [index, number] of numbers.entries()) {
      if (number !== index + 1) throw new ImportError(`The export has no messages file with the number ${index + 1}.`);
    }
    return paths;
  }

  async #unpack(archive: string, directory: string): Promise<void> {
    mkdirSync(directory, {mode: 0o700});
    let serial = 0;
    try {
      const bytes = pipeline(createReadStream(archive), createGunzip(), () => {});
      for await (const {path, size, content} of tarEntries(this.#counted(bytes))) {
        this.#take(0);
        const name = this.#checkedPath(path);
        if (name === undefined) continue;
        const location = join(directory, String(++serial));
        const file = await open(location, 'wx', 0o600);
        try {
          for await (const part of content) await file.write(part);
        } finally {
          await file.close();
        }
        this.#add(name, location, size);
      }
    } catch (error) {
      throw unpackingError(archive, error);
    }
  }

  /** Passes bytes on until they are more than the limit, whatever sizes the archive declares. */
  async *#counted(stream: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      this.#take(chunk.length);
      yield chunk;
    }
  }

  #take(bytes: number): void {
    this.#left -= Math.max(bytes, blockLength);
    if (this.#left < 0) throw new ImportError('The export is larger than --max-size allows when unpacked.');
  }

  #addDirectory(root: string, prefix: string): void {
    for (const name of readdirSync(join(root, prefix))) {
      const path = prefix === '' ? name : `${prefix}/${name}`;
      const location = join(root, path);
      const info = lstatSync(location);
      if (info.isDirectory()) this.#addDirectory(root, path);
      else if (isWanted(path)) {
        if (!info.isFile())
          throw new ImportError(`The export contains “${path}”, which is neither a file nor a directory.`);
        this.#take(info.size);
        this.#add(path, location, info.size);
      }
    }
  }

  /** Returns a path of the archive without its top directory; undefined if the file is not imported. */
  #checkedPath(path: string): string | undefined {
    const parts = path.split('/').filter((part) => part !== '.');
    if (path.startsWith('/') || parts.some((part) => part === '' || part === '..') || path.includes('\0')) {
      throw new ImportError(`The archive contains the path “${path}”, which may not be in an export.`);
    }
    const whole = parts.join('/');
    const inTop = parts.slice(1).join('/');
    const [top, name] = isWanted(whole) ? ['', whole] : [parts[0], inTop];
    if (!isWanted(name)) return undefined;
    this.#top ??= top;
    if (this.#top !== top) throw new ImportError(`The archive contains two exports, “${this.#top}” and “${top}”.`);
    return name;
  }

  #add(path: string, location: string, size: number): void {
    const sql = 'INSERT OR IGNORE INTO work.source (path, location, size) VALUES (?, ?, ?)';
    if (this.#work.run(sql, path, location, size) === 0) throw new ImportError(`The archive contains “${path}” twice.`);
  }
}

function isWanted(path: string): boolean {
  if (unfinished.test(path)) throw new ImportError(`The export is unfinished: it contains ${path}.`);
  return jsonFile.test(path) || folder.test(path);
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    throw new ImportError(`${path} cannot be read.`);
  }
}

function unpackingError(archive: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return new ImportError(`${archive} ends early.`);
  if (String(code).startsWith('Z_')) return new ImportError(`${archive} is damaged, or no .tar.gz archive.`);
  return error;
}

const tarBlockLength = 512;
/** Long names and other attributes of a file come before it as a small file. */
const maxAttributesLength = 64 * 1024;

/**
 * Yields the regular files of a tar archive (ustar, pax and GNU formats) in their order; content that is not read is
 * skipped. So are directories; everything else that is no regular file, such as a link or a device, is refused.
 */
export async function* tarEntries(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let chunk: Buffer = Buffer.alloc(0);
  /** Yields the next bytes, so many of them; `problem` says that there are none. */
  async function* take(length: number, problem = 'The archive ends early.'): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (chunk.length === 0) {
        const {done, value} = await chunks.next();
        if (done === true) throw new ImportError(missing === length ? problem : 'The archive ends early.');
        chunk = value;
      }
      const part = chunk.subarray(0, missing);
      chunk = chunk.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }
  const read = async (bytes: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(bytes));
  /** Zero bytes fill the last block of a file. */
  const padding = (size: number) => take((tarBlockLength - (size % tarBlockLength)) % tarBlockLength);
  let attributes: Attributes = {};
  for (;;) {
    const header = await read(take(tarBlockLength, 'The archive ends early: its end mark is missing.'));
    if (header.every((byte) => byte === 0)) return;
    const entry = parseHeader(header);
    const readAttributes = attributeReaders[entry.type];
    if (readAttributes !== undefined) {
      if (entry.size > maxAttributesLength) throw new ImportError('The archive has a name that is too long.');
      attributes = {...attributes, ...readAttributes(await read(take(entry.size)))};
      await read(padding(entry.size));
      continue;
    }
    const {type, path, size} = {...entry, ...attributes};
    attributes = {};
    if (type === '5') continue;
    if (type !== '0' && type !== '7') {
      throw new ImportError(`The archive contains “${path}”, which is neither a file nor a directory.`);
    }
    const content = take(size);
    yield {path, size, content};
    for await (const _ of content);
    await read(padding(size));
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
    const key = record.slice(0, separator);
    const value = record.slice(separator + 1);
    if (key === 'path') found.path = value;
    if (key === 'size') found.size = checkedSize(Number(value));
    at += length;
  }
  return found;
}

function parseHeader(header: Buffer): {path: string; size: number; type: string} {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octal(header.subarray(148, 156))) throw damaged();
  const name = textOf(header.subarray(0, 100));
  const prefix = textOf(header.subarray(345, 500));
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
