import {PlainFailure} from './failures.ts';
import type {CliIo} from './io.ts';

const mebibyte = 1024 * 1024;

/** Reads all of standard input as text. The limit is far above the length of any message or key. */
export async function readStdin(io: Pick<CliIo, 'stdin'>, maxBytes = 16 * mebibyte): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.stdin) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += buffer.length;
    if (bytes > maxBytes) throw new PlainFailure(`Standard input is longer than ${byteSize(maxBytes)}.`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function byteSize(bytes: number): string {
  return bytes < mebibyte ? `${bytes / 1024} KiB` : `${bytes / mebibyte} MiB`;
}
