import {appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import type {Clock} from '#std/clock.ts';
import {printableLine} from '#std/printable.ts';

/** The older half is kept beside it, so both together are twice this at most. */
const mostBytes = 512 * 1024;
const longestEntry = 8000;

/** What happened, for whoever looks into it later. Never a message and never a secret. */
export class LogFile {
  readonly path: string;
  readonly #mark: string;
  readonly #clock: Clock;

  constructor({state}: Pick<Paths, 'state'>, clock: Clock) {
    this.path = join(state, 'parley.log');
    this.#mark = join(state, 'crashed');
    this.#clock = clock;
    this.#try(() => ensurePrivateDirectory(state));
  }

  readonly write = (line: string, error?: unknown): void => {
    const moment = new Date(this.#clock.now()).toISOString();
    const text = `${moment} ${printableLine(line)}${error === undefined ? '' : `\n${traceOf(error)}`}`;
    this.#try(() => {
      const size = statSync(this.path, {throwIfNoEntry: false})?.size ?? 0;
      if (size > mostBytes) renameSync(this.path, `${this.path}.1`);
      appendFileSync(this.path, `${text.slice(0, longestEntry)}\n`, {mode: 0o600});
    });
  };

  /** Kept until the next start has said so. */
  markCrash(error: unknown): void {
    this.write('Parley crashed', error);
    this.#try(() => writeFileSync(this.#mark, errorMessage(error), {mode: 0o600}));
  }

  /** What the last program ended with, if it ended badly; told once. */
  takeCrash(): string | undefined {
    return this.#try(() => {
      if (!existsSync(this.#mark)) return undefined;
      const text = readFileSync(this.#mark, 'utf8');
      rmSync(this.#mark);
      return printableLine(text);
    });
  }

  /** A disk that takes no log is no reason to end. */
  #try<T>(body: () => T): T | undefined {
    try {
      return body();
    } catch {
      return undefined;
    }
  }
}

export function errorMessage(error: unknown): string {
  return printableLine(error instanceof Error ? error.message : String(error)).slice(0, 300);
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
