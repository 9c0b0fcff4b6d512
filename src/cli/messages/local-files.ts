import {openAsBlob} from 'node:fs';
import {open, readFile} from 'node:fs/promises';
import {basename} from 'node:path';
import {isApiFailure} from '#api/failure.ts';
import type {FileSource} from '#api/multipart.ts';
import {PlainFailure} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {expandPath} from '#config/paths.ts';

type PathBase = Pick<CliIo, 'cwd' | 'home'>;

/** Read while it is sent, from its beginning each time; what is no ordinary file (a pipe) is read at once. */
export async function openFileSource(name: string, {cwd, home}: PathBase): Promise<FileSource> {
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
    throw unreadable(name, error);
  }
}

export async function readFileText(name: string, {cwd, home}: PathBase): Promise<string> {
  try {
    return await readFile(expandPath(name, cwd, home), 'utf8');
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** What reading a file threw while it was being sent, as a sentence; failures of the server stay what they are. */
export async function withReadFailures<T>(
  name: string,
  call: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isApiFailure(error) || signal.aborted) throw error;
    throw unreadable(name, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a directory',
};

function unreadable(name: string, error: unknown): PlainFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = error instanceof Error ? error.message : String(error);
  return new PlainFailure(`${name} cannot be read: ${reasons[code] ?? words.replace(/\.$/, '')}.`);
}
