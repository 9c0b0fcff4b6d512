import {open} from 'node:fs/promises';
import {errorText} from '#std/error-text.ts';
import type {AccountFileOptions} from './account-file-options.ts';

/** Typing commits several times a second; the disk is asked less often, unless something waits for it. */
const pauseMs = 300;

/**
 * Writes SQLite's log of committed changes to the disk in the background: the sync of a busy disk may take longer than a key
 * press may wait. SQLite has no locks on the log, so that opening and closing it again releases none.
 */
export class LogSync {
  readonly #options: Pick<AccountFileOptions, 'path' | 'log' | 'clock'>;
  #isRunning = false;
  #isDue = false;
  #waiting: PromiseWithResolvers<void>[] = [];
  #cancelPause: (() => void) | undefined;

  constructor(options: Pick<AccountFileOptions, 'path' | 'log' | 'clock'>) {
    this.#options = options;
  }

  /** Starts a sync that includes all commits until now. Those made during a sync or a pause share the next one. */
  start(): void {
    this.#isDue = true;
    if (!this.#isRunning && this.#cancelPause === undefined) void this.#run();
  }

  /** Resolves when all commits until now are on the disk; rejects when the disk refuses them. */
  whenSynced(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#waiting.push(waiter);
    this.stop();
    this.start();
    return waiter.promise;
  }

  /** Ends a pause. */
  stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    do {
      this.#isDue = false;
      const waiting = this.#waiting.splice(0);
      try {
        await this.#sync();
        for (const {resolve} of waiting) resolve();
      } catch (error) {
        this.#options.log(`Writing ${this.#options.path} to the disk failed: ${errorText(error)}`, error);
        for (const {reject} of waiting) reject(error);
      }
    } while (this.#waiting.length > 0);
    this.#isRunning = false;
    this.#cancelPause = this.#options.clock.after(pauseMs, () => {
      this.#cancelPause = undefined;
      if (this.#isDue) void this.#run();
    });
  }

  async #sync(): Promise<void> {
    try {
      const file = await open(`${this.#options.path}-wal`, 'r+');
      await file.datasync().finally(() => file.close());
    } catch (error) {
      // SQLite removes the log when the last connection is closed, after copying it into the file.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}
