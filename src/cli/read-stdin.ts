import {PlainFailure} from './failures.ts';
import type {CliIo} from './io.ts';

const mebibyte = 1024 * 1024;

/** Reads all of standard input as text. The limit is far above the length of any message or key. */
export async function readStdin(io: Pick<CliIo, 'stdin'>, maxBytes = 16 * mebibyte): Promise<string> {
  const limit = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`;
  return Buffer.concat(await stdinChunks(io, maxBytes, `Standard input is longer than ${limit}.`)).toString('utf8');
}

/** Reads all of standard input. Throws a failure with this text when it is longer than the limit. */
export async function stdinChunks(io: Pick<CliIo, 'stdin'>, maxBytes: number, problem: string): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.stdin) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += buffer.length;
    if (bytes > maxBytes) throw new PlainFailure(problem);
    chunks.push(buffer);
  }
  return chunks;
}
