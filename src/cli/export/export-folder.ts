import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {PlainFailure} from '#cli/io.ts';
import {ConfigError, writePrivateFile} from '#config/private-files.ts';
import {errorText} from '#std/error-text.ts';
import {hasPid} from '#std/has-pid.ts';
import {printableJson} from '#std/printable.ts';
import type {ExportedMessage} from './export-messages.ts';

const stateFile = 'parley-export.json';
const messagesFile = 'messages.jsonl';
/** Has the number of the process that writes to the folder. */
const lockFile = 'parley-export.lock';
const version = 1;

/** What an export contains: the account and the messages. The same folder cannot be continued with another source. */
interface ExportSource {
  readonly site: string;
  readonly userId: number;
  /** The narrow as JSON. */
  readonly narrow: string;
}

interface ExportProgress {
  /** The newest message that was saved; 0 before the first. */
  readonly lastId: number;
  readonly messages: number;
  /** The length of the saved messages. What follows in the file is from a page that was interrupted. */
  readonly bytes: number;
}

export type ExportFolder = ReturnType<typeof openExportFolder>;

/**
 * Opens or creates the folder of an export. Throws when it has something else, or when another process writes to it. The messages
 * are lines of one file, and a small file says up to where they are complete. It is replaced after each page, so a run that is
 * killed at any moment is continued after its last complete page.
 */
export function openExportFolder(path: string, source: ExportSource) {
  mkdirSync(path, {recursive: true, mode: 0o700});
  const isNew = !existsSync(join(path, stateFile));
  if (isNew && readdirSync(path).length > 0) {
    throw new PlainFailure(`${path} is not empty and is not an export. Use a new folder.`);
  }
  takeLock(path);
  let progress: ExportProgress = {lastId: 0, messages: 0, bytes: 0};
  const saveProgress = (next: ExportProgress) => {
    writePrivateFile(join(path, stateFile), `${printableJson({version, ...source, ...next}, 2)}\n`);
    progress = next;
  };
  /** Lets other processes write to the folder. */
  const close = () => rmSync(join(path, lockFile), {force: true});
  try {
    // Before anything else is made, so that an interrupted start leaves a folder that is known as an export.
    saveProgress(isNew ? progress : readProgress(path, source));
    cutIncompletePage(path, progress);
    mkdirSync(join(path, 'files'), {recursive: true, mode: 0o700});
  } catch (error) {
    close();
    throw error;
  }
  return {
    close,
    get lastId() {
      return progress.lastId;
    },
    get messageCount() {
      return progress.messages;
    },
    fileAt: (...names: readonly string[]) => join(path, ...names),
    /** Saves a page of messages, oldest first. */
    append: (page: readonly ExportedMessage[]) => {
      const text = page.map((message) => `${printableJson(message)}\n`).join('');
      const {messages, bytes, lastId} = progress;
      if (statSync(join(path, messagesFile)).size !== bytes) throw busyFolder(path);
      const file = openSync(join(path, messagesFile), 'a', 0o600);
      try {
        appendFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      saveProgress({
        lastId: page.at(-1)?.id ?? lastId,
        messages: messages + page.length,
        bytes: bytes + Buffer.byteLength(text),
      });
    },
    /** Reads the saved messages one by one, oldest first. */
    async *messages(): AsyncGenerator<ExportedMessage, void> {
      const file = await open(join(path, messagesFile));
      for await (const line of file.readLines()) yield JSON.parse(line) as ExportedMessage;
    },
  };
}

function cutIncompletePage(path: string, {bytes}: ExportProgress): void {
  const file = openSync(join(path, messagesFile), 'a', 0o600);
  try {
    if (statSync(join(path, messagesFile)).size < bytes) {
      throw new PlainFailure(`${path} is damaged: messages are missing. Use a new folder.`);
    }
    ftruncateSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function busyFolder(path: string): PlainFailure {
  return new PlainFailure(`Another export writes to ${path}. Wait until it has ended, and try again.`);
}

/** Takes the lock. One of a process that was killed does not count, nor one with our number, which it had before us. */
function takeLock(path: string): void {
  const file = join(path, lockFile);
  const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (owner !== process.pid && hasPid(owner)) throw busyFolder(path);
  rmSync(file, {force: true});
  writeFileSync(file, `${process.pid}\n`, {flag: 'wx', mode: 0o600});
}

function readProgress(path: string, source: ExportSource): ExportProgress {
  const saved = parsedState(readFileSync(join(path, stateFile), 'utf8'));
  if (saved === undefined) throw new PlainFailure(`${join(path, stateFile)} cannot be read. Use a new folder.`);
  if (saved.site !== source.site || saved.userId !== source.userId) {
    throw new PlainFailure(`${path} has an export of another account. Use a new folder.`);
  }
  if (saved.narrow !== source.narrow) {
    throw new PlainFailure(`${path} has an export of other conversations. Use a new folder.`);
  }
  return {lastId: saved.lastId, messages: saved.messages, bytes: saved.bytes};
}

function parsedState(text: string): (ExportSource & ExportProgress) | undefined {
  try {
    const state = JSON.parse(text);
    const numbers = [state.lastId, state.messages, state.bytes];
    return state.version === version && numbers.every((each) => Number.isSafeInteger(each) && each >= 0)
      ? state
      : undefined;
  } catch {
    return undefined;
  }
}

/** Turns errors of the file system, such as a full disk, into failures with one sentence. */
export async function withFileFailures<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof ConfigError) throw new PlainFailure(error.message);
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new PlainFailure(`${path} cannot be written: ${errorText(error)}.`);
  }
}
