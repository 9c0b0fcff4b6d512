import {openAsBlob} from 'node:fs';
import {open, readFile} from 'node:fs/promises';
import {basename} from 'node:path';
import type {FileSource} from '#api/multipart.ts';
import {type CliIo, PlainFailure} from '#cli/io.ts';
import {refuseOverSsh} from '#cli/restriction.ts';
import {expandPath} from '#config/paths.ts';
import {errorText} from '#std/error-text.ts';
import {isApiFailure} from '#wire/failure.ts';

type PathBase = Pick<CliIo, 'cwd' | 'home' | 'restriction'>;

/** Opens a file for upload. It is read while it is sent, from its start on each attempt; a pipe is read at once. */
export async function openFileSource(name: string, io: PathBase): Promise<FileSource> {
  refuseOverSsh(io, 'files');
  const {cwd, home} = io;
  const path = expandPath(name, cwd, home);
  try {
    const file = await open(path);
    try {
      const isPlain = (await file.stat()).isFile();
      const data = isPlain ? await openAsBlob(path) : new Blob([await file.readFile()]);
      return {name: basename(path), size: data.size, data};
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readFailure(name, error);
  }
}

export async function readFileText(name: string, io: PathBase): Promise<string> {
  refuseOverSsh(io, 'files');
  const {cwd, home} = io;
  try {
    return await readFile(expandPath(name, cwd, home), 'utf8');
  } catch (error) {
    throw readFailure(name, error);
  }
}

/**
 * Runs a request that reads a file. Turns read errors into a PlainFailure; failures of the server are thrown
 * as they are.
 */
export async function withReadFailures<T>(name: string, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isApiFailure(error) || signal.aborted) throw error;
    throw readFailure(name, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
};

function readFailure(name: string, error: unknown): PlainFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new PlainFailure(`Cannot read ${name}: ${reasons[code] ?? errorText(error).replace(/\.$/, '')}.`);
}

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
