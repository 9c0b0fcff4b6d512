import {createReadStream} from 'node:fs';
import {mkdir, open, readdir, rename, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join, normalize, sep} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';

export class FileTooLarge extends Error {}

/**
 * A received file that is not stored yet: `keep` stores it under a path, `discard` deletes it. The API handler discards
 * the file of a failed request.
 */
export interface ReceivedFile {
  readonly size: number;
  /** The first bytes, enough to find the type and size of an image. */
  readonly head: Buffer;
  keep(pathId: string): Promise<void>;
  discard(): Promise<void>;
}

export interface StoredFile {
  readonly size: number;
  stream(start?: number, end?: number): Readable;
}

/** The storage of uploads, avatars and custom emoji, by a server-generated path such as `1/ab/cd…/name.png`. */
export interface FileStore {
  receive(source: AsyncIterable<Uint8Array>, limit: number): Promise<ReceivedFile>;
  put(pathId: string, bytes: Buffer): Promise<void>;
  open(pathId: string): Promise<StoredFile | undefined>;
  delete(pathId: string): Promise<void>;
  /** Delays deletions until the returned function is called, for a copy of the files. */
  holdDeletions(): () => void;
}

/** A JPEG may contain a whole preview before its size. */
const headLength = 64 * 1024;

async function* limited(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw new FileTooLarge();
    yield bytes;
  }
}

export function memoryFileStore(): FileStore {
  const files = new Map<string, Buffer>();
  return {
    async receive(source, limit) {
      const chunks: Buffer[] = [];
      for await (const chunk of limited(source, limit)) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      return {
        size: bytes.length,
        head: bytes.subarray(0, headLength),
        keep: async (pathId) => void files.set(pathId, bytes),
        discard: async () => {},
      };
    },
    put: async (pathId, bytes) => void files.set(pathId, bytes),
    async open(pathId) {
      const bytes = files.get(pathId);
      if (bytes === undefined) return undefined;
      const stream = (start = 0, end = bytes.length - 1) => Readable.from([bytes.subarray(start, end + 1)]);
      return {size: bytes.length, stream};
    },
    delete: async (pathId) => void files.delete(pathId),
    // The files cannot be copied: no other process sees them.
    holdDeletions: () => () => {},
  };
}

export function directoryFileStore(directory: string): FileStore {
  let serial = 0;
  /** The number of copies that are being made, and what is to be deleted after the last of them. */
  let holders = 0;
  const held = new Set<string>();
  // The server generates all path ids; this check ensures that no file outside the directory is ever touched.
  function storedPath(pathId: string): string {
    const path = normalize(join(directory, pathId));
    if (!path.startsWith(directory + sep)) throw new Error('Path escapes the upload directory');
    return path;
  }
  async function put(pathId: string, bytes: Buffer): Promise<void> {
    const path = storedPath(pathId);
    await mkdir(dirname(path), {recursive: true, mode: 0o700});
    await writeFile(path, bytes, {mode: 0o600});
  }
  return {
    async receive(source, limit) {
      const temporary = join(directory, `.incoming-${process.pid}-${serial++}`);
      await mkdir(directory, {recursive: true, mode: 0o700});
      // Opened before writing: a stream that opens its own file may still create it after it was destroyed.
      const file = await open(temporary, 'w', 0o600);
      try {
        await pipeline(limited(source, limit), file.createWriteStream());
      } catch (error) {
        await rm(temporary, {force: true});
        throw error;
      }
      const {size} = await stat(temporary);
      return {
        size,
        head: await readHead(temporary),
        async keep(pathId) {
          const path = storedPath(pathId);
          await mkdir(dirname(path), {recursive: true, mode: 0o700});
          await rename(temporary, path);
        },
        discard: () => rm(temporary, {force: true}),
      };
    },
    put,
    async open(pathId) {
      const path = storedPath(pathId);
      const info = await stat(path).catch(() => undefined);
      if (info === undefined || !info.isFile()) return undefined;
      return {
        size: info.size,
        stream: (start, end) =>
          // Its reader gets the errors as well. It may not have begun to read, and then they would end the process.
          createReadStream(path, {
            ...(start === undefined ? {} : {start}),
            ...(end === undefined ? {} : {end}),
          }).on('error', () => {}),
      };
    },
    async delete(pathId) {
      if (holders > 0) held.add(storedPath(pathId));
      else await rm(storedPath(pathId), {force: true});
    },
    holdDeletions() {
      holders += 1;
      return () => {
        holders -= 1;
        if (holders > 0) return;
        // A failed deletion only wastes space.
        for (const path of held) rm(path, {force: true}).catch(() => {});
        held.clear();
      };
    },
  };
}

/** Yields the content of a file, for `receive`. It is opened when the reading begins, so that its errors have a reader. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path)) yield chunk;
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Yields the paths of all files below a directory, folder by folder in the order of their names; nothing if it does not
 * exist.
 */
export async function* listFiles(directory: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(directory, below), {withFileTypes: true}).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(directory, path);
    else if (entry.isFile()) yield path;
  }
}
