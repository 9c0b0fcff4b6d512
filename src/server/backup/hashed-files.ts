import {createHash} from 'node:crypto';
import {type FileHandle, mkdir, open} from 'node:fs/promises';
import {dirname} from 'node:path';

export interface FileFacts {
  readonly size: number;
  readonly sha256: string;
}

const maxChunkBytes = 1024 * 1024;

/** Returns the size and hash of a file. */
export async function hashFile(path: string, signal: AbortSignal): Promise<FileFacts> {
  const source = await open(path, 'r');
  try {
    return await readHashed(source, signal, async () => {});
  } finally {
    await source.close();
  }
}

/** Copies a file into a new, private one, to the disk, and returns what was copied. */
export async function copyHashed(from: string, to: string, signal: AbortSignal): Promise<FileFacts> {
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
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<FileFacts> {
  const hash = createHash('sha256');
  // One byte more than the file has, so that its end is found with the first read.
  const buffer = Buffer.allocUnsafe(Math.min(maxChunkBytes, (await source.stat()).size + 1));
  for (let size = 0; ; ) {
    signal.throwIfAborted();
    const {bytesRead} = await source.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return {size, sha256: hash.digest('hex')};
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await onChunk(chunk);
    size += bytesRead;
  }
}
