import {appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import {printableLine} from '#std/printable.ts';

/** The size at which a log becomes `parley.log.1`, so both together are at most twice this. */
const maxBytes = 512 * 1024;
const maxEntryLength = 8000;

export type LogFile = ReturnType<typeof logFile>;

/** Writes the log file. It never contains messages or secrets. A disk that cannot be written is no reason to stop. */
export function logFile({state}: Pick<Paths, 'state'>, clock: Clock) {
  const path = join(state, 'parley.log');
  const crashFile = join(state, 'crashed');
  unlessItFails(() => ensurePrivateDirectory(state));
  const write = (line: string, error?: unknown) => {
    const moment = new Date(clock.now()).toISOString();
    const text = `${moment} ${printableLine(line)}${error === undefined ? '' : `\n${traceOf(error)}`}`;
    unlessItFails(() => {
      const size = statSync(path, {throwIfNoEntry: false})?.size ?? 0;
      if (size > maxBytes) renameSync(path, `${path}.1`);
      appendFileSync(path, `${text.slice(0, maxEntryLength)}\n`, {mode: 0o600});
    });
  };
  return {
    path,
    write,
    /** Records a crash, so that the next start can tell the user. */
    markCrash: (error: unknown) => {
      write('Parley crashed', error);
      unlessItFails(() => writeFileSync(crashFile, errorMessage(error), {mode: 0o600}));
    },
    /** Returns the error of the last crash once, and forgets it. */
    takeCrash: () =>
      unlessItFails(() => {
        if (!existsSync(crashFile)) return undefined;
        const text = readFileSync(crashFile, 'utf8');
        rmSync(crashFile);
        return printableLine(text);
      }),
  };
}

function unlessItFails<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}

export function errorMessage(error: unknown): string {
  return printableLine(errorText(error)).slice(0, 300);
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : errorText(error);
}
