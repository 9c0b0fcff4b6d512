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

/** Writes the log file. It never contains messages or secrets. */
export class LogFile {
  readonly path: string;
  readonly #crashFile: string;
  readonly #clock: Clock;

  constructor({state}: Pick<Paths, 'state'>, clock: Clock) {
    this.path = join(state, 'parley.log');
    this.#crashFile = join(state, 'crashed');
    this.#clock = clock;
    this.#try(() => ensurePrivateDirectory(state));
  }

  readonly write = (line: string, error?: unknown): void => {
    const moment = new Date(this.#clock.now()).toISOString();
    const text = `${moment} ${printableLine(line)}${error === undefined ? '' : `\n${traceOf(error)}`}`;
    this.#try(() => {
      const size = statSync(this.path, {throwIfNoEntry: false})?.size ?? 0;
      if (size > maxBytes) renameSync(this.path, `${this.path}.1`);
      appendFileSync(this.path, `${text.slice(0, maxEntryLength)}\n`, {mode: 0o600});
    });
  };

  /** Records a crash, so that the next start can tell the user. */
  markCrash(error: unknown): void {
    this.write('Parley crashed', error);
    this.#try(() => writeFileSync(this.#crashFile, errorMessage(error), {mode: 0o600}));
  }

  /** Returns the error of the last crash once, and forgets it. */
  takeCrash(): string | undefined {
    return this.#try(() => {
      if (!existsSync(this.#crashFile)) return undefined;
      const text = readFileSync(this.#crashFile, 'utf8');
      rmSync(this.#crashFile);
      return printableLine(text);
    });
  }

  /** Ignores failures: a disk that cannot be written is no reason to stop. */
  #try<T>(body: () => T): T | undefined {
    try {
      return body();
    } catch {
      return undefined;
    }
  }
}

export function errorMessage(error: unknown): string {
  return printableLine(errorText(error)).slice(0, 300);
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : errorText(error);
}
