import {createReadStream, lstatSync, mkdirSync, readdirSync, statSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline, type Readable} from 'node:stream';
import {createGunzip} from 'node:zlib';
import type {Database} from '#server/db/database.ts';
import {ImportError} from './import-error.ts';
import {JsonTables} from './json-tables.ts';
import {tarEntries} from './tar-entries.ts';

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
    return this.#work.get<{location: string; size: number}>(
      'SELECT location, size FROM work.source WHERE path = ?',
      path,
    );
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
