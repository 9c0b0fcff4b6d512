import {PlainFailure} from './failures.ts';
import type {CliIo} from './io.ts';

const mebibyte = 1024 * 1024;

/** All of standard input as text, up to a bound that no message or key comes near. */
export async function readStdin(io: Pick<CliIo, 'stdin'>, mostBytes = 16 * mebibyte): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.stdin) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += buffer.length;
    if (bytes > mostBytes) throw new PlainFailure(`Standard input is longer than ${shown(mostBytes)}.`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function shown(bytes: number): string {
  return bytes < mebibyte ? `${bytes / 1024} KiB` : `${bytes / mebibyte} MiB`;
}
