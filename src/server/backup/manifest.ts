import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {type FileHandle, mkdir, open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {isRecord, parseJson} from '#std/parse-json.ts';
import {decode, type Infer, nat, object, type Schema, s} from '#wire/schema.ts';

/**
 * The list of a backup's files: a line of JSON about the backup, one for each file, and one with their number. It is read
 * and written line by line, because an organization may have any number of files. Paths are in the order of `listFiles`.
 */
const manifestName = 'manifest.jsonl';
const format = 1;

const header = object({parley_backup: nat, schema: nat, taken_at: s.string()});
const entry = object({path: s.string(), size: nat, sha256: s.string()});
const footer = object({files: nat, bytes: nat});
export type BackupHeader = Pick<Infer<typeof header>, 'schema' | 'taken_at'>;
export type BackupEntry = Infer<typeof entry>;
type BackupTotals = Infer<typeof footer>;

/** The error when a backup is not whole, or is none. Its message is one sentence. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

/** Writes the manifest of a backup from the entries that it is given. */
export class ManifestWriter {
  readonly #lines: string[] = [];
  readonly #file: FileHandle;
  #totals: BackupTotals = {files: 0, bytes: 0};

  private constructor(file: FileHandle, {schema, taken_at}: BackupHeader) {
    this.#file = file;
    this.#lines.push(JSON.stringify({parley_backup: format, schema, taken_at}));
  }

  static async create(directory: string, about: BackupHeader): Promise<ManifestWriter> {
    return new ManifestWriter(await open(join(directory, manifestName), 'wx', 0o600), about);
  }

  async add({path, size, sha256}: BackupEntry): Promise<void> {
    this.#totals = {files: this.#totals.files + 1, bytes: this.#totals.bytes + size};
    this.#lines.push(JSON.stringify({path, size, sha256}));
    if (this.#lines.length >= 500) await this.#flush();
  }

  async finish(): Promise<BackupTotals> {
    this.#lines.push(JSON.stringify(this.#totals));
    await this.#flush();
    await this.#file.sync();
    return this.#totals;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    await this.#file.appendFile(`${this.#lines.splice(0).join('\n')}\n`);
  }
}

/** Yields the header of a backup, then its entries. Throws `BackupDamaged` at the first line that is wrong or missing. */
export async function* readManifest(directory: string): AsyncGenerator<BackupHeader | BackupEntry, void> {
  const totals = {files: 0, bytes: 0};
  let isFirst = true;
  let isComplete = false;
  try {
    for await (const line of createInterface({input: createReadStream(join(directory, manifestName))})) {
      const value = lineValue(line);
      if (isFirst) yield headerOf(value, directory);
      else if (isComplete) throw wrongLine();
      else if (isRecord(value) && 'files' in value) {
        const read = decoded(footer, value);
        isComplete = read.files === totals.files && read.bytes === totals.bytes;
        if (!isComplete) throw wrongLine();
      } else {
        const next = decoded(entry, value);
        if (!isSafePath(next.path)) throw wrongLine();
        totals.files += 1;
        totals.bytes += next.size;
        yield next;
      }
      isFirst = false;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new BackupDamaged(`${directory} is not a backup: it has no ${manifestName}.`);
    }
    throw error;
  }
  if (!isComplete) throw new BackupDamaged(`The end of ${manifestName} is missing: the backup is not complete.`);
}

export function isEntry(line: BackupHeader | BackupEntry): line is BackupEntry {
  return 'path' in line;
}

function headerOf(value: unknown, directory: string): BackupHeader {
  const read = decode(header, value);
  if (!read.ok) throw new BackupDamaged(`${directory} is not a backup: its ${manifestName} is another file.`);
  if (read.value.parley_backup <= format) return read.value;
  throw new BackupDamaged('This backup was made by a newer Parley. Update Parley.');
}

function lineValue(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    throw wrongLine();
  }
}

/** The key by which clients of SSH know the server, where SSH was served. */
export const hostKey = 'ssh/host_key';

/** The folders of people who use SSH. */
export const peopleFolder = 'ssh/people';

/** A backup may come from anywhere: its paths must stay in its directory. */
export function isSafePath(path: string): boolean {
  if (['parley.db', 'secret', hostKey].includes(path)) return true;
  const isInFolder = path.startsWith('files/') || path.startsWith(`${peopleFolder}/`);
  return isInFolder && !/[\0\\]/.test(path) && path.split('/').every((part) => !/^\.{0,2}$/.test(part));
}

function decoded<T>(schema: Schema<T>, value: unknown): T {
  const read = decode(schema, value);
  if (!read.ok) throw wrongLine();
  return read.value;
}

function wrongLine(): BackupDamaged {
  return new BackupDamaged(`${manifestName} is damaged.`);
}

export interface FileFacts {
  readonly size: number;
  readonly sha256: string;
}

const maxChunkBytes = 1024 * 1024;

/** Returns the size and hash of a file. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<FileFacts> {
  const source = await open(path, 'r');
  try {
    return await readHashed(source, signal, async () => {});
  } finally {
    await source.close();
  }
}

/** Copies a file into a new, private one, to the disk, and returns what was copied. */
export async function copyHashed(from: string, to: string, signal?: AbortSignal): Promise<FileFacts> {
  const source = await open(from, 'r');
  try {
    await mkdir(dirname(to), {recursive: true, mode: 0o700});
    const target = await open(to, 'wx', 0o600);
    try {
      const facts = await readHashed(source, signal, (chunk) => target.appendFile(chunk));
      await target.datasync();
      return facts;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function readHashed(
  source: FileHandle,
  signal: AbortSignal | undefined,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<FileFacts> {
  const hash = createHash('sha256');
  // One byte more than the file has, so that its end is found with the first read.
  const buffer = Buffer.allocUnsafe(Math.min(maxChunkBytes, (await source.stat()).size + 1));
  for (let size = 0; ; ) {
    signal?.throwIfAborted();
    const {bytesRead} = await source.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return {size, sha256: hash.digest('hex')};
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await onChunk(chunk);
    size += bytesRead;
  }
}
