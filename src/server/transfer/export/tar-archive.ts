import {createReadStream, createWriteStream} from 'node:fs';
import {opendir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';

const blockSize = 512;
/** More compression takes several times as long and saves little of JSON. */
const gzipLevel = 4;

/** Writes a directory as a compressed tar archive, in which it is the only top directory. */
export async function writeTarGz(
  directory: string,
  topName: string,
  archive: string,
  signal?: AbortSignal,
): Promise<void> {
  await pipeline(
    () => tarBlocks(directory, topName),
    createGzip({level: gzipLevel}),
    createWriteStream(archive, {flags: 'wx', mode: 0o600}),
    ...(signal === undefined ? [] : [{signal}]),
  );
}

async function* tarBlocks(directory: string, topName: string): AsyncGenerator<Buffer> {
  for await (const path of filesBelow(directory)) {
    const {size} = await stat(path);
    yield* header(topName + path.slice(directory.length), size);
    for await (const chunk of createReadStream(path, {highWaterMark: 1 << 18})) yield chunk;
    yield padding(size);
  }
  yield Buffer.alloc(2 * blockSize);
}

async function* filesBelow(directory: string): AsyncGenerator<string> {
  for await (const entry of await opendir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** The header of a file; a name or size that does not fit into it is in a record (pax) before it. */
function* header(name: string, size: number): Generator<Buffer> {
  const fits = Buffer.byteLength(name) <= 100 && /^[\x20-\x7e]*$/.test(name) && size < 8 ** 11;
  if (!fits) {
    const records = Buffer.from(paxRecord('path', name) + paxRecord('size', String(size)));
    yield headerBlock('PaxHeader', records.length, 'x');
    yield records;
    yield padding(records.length);
  }
  yield headerBlock(fits ? name : 'file', fits ? size : Math.min(size, 8 ** 11 - 1), '0');
}

/** A record begins with its own length in bytes. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  length = bytes + String(length).length;
  return `${length}${rest}`;
}

function headerBlock(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write(`        ${type}`, 148, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  block.writeUInt8(0, 154);
  return block;
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}
