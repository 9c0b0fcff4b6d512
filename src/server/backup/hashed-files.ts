import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir, open} from 'node:fs/promises';
import {dirname} from 'node:path';

export interface FileFacts {
  readonly size: number;
  readonly sha256: string;
}

const chunkBytes = 1024 * 1024;

/** Returns the size and hash of a file. */
export async function hashFile(path: string, signal: AbortSignal): Promise<FileFacts> {
  return hashWhile(path, signal, async () => {});
}

/** Copies a file into a new, private one, to the disk, and returns what was copied. */
export async function copyHashed(from: string, to: string, signal: AbortSignal): Promise<FileFacts> {
  await mkdir(dirname(to), {recursive: true, mode: 0o700});
  const target = await open(to, 'wx', 0o600);
  try {
    const facts = await hashWhile(from, signal, (chunk) => target.appendFile(chunk));
    await target.datasync();
    return facts;
  } finally {
    await target.close();
  }
}

async function hashWhile(
  path: string,
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => Promise<void>,
): Promise<FileFacts> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, {highWaterMark: chunkBytes, signal})) {
    hash.update(chunk);
    size += chunk.length;
    await onChunk(chunk);
  }
  return {size, sha256: hash.digest('hex')};
}
