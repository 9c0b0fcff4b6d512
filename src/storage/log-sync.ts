import {open} from 'node:fs/promises';
import {errorText} from '#std/error-text.ts';
import type {AccountFileOptions} from './account-file-options.ts';

/**
 * Writes SQLite's log of committed changes to the disk in the background: the sync of a busy disk may take longer than a key
 * press may wait. SQLite has no locks on the log, so that opening and closing it again releases none.
 */
export class LogSync {
  readonly #options: Pick<AccountFileOptions, 'path' | 'log'>;
  #isRunning = false;
  #isDue = false;

  constructor(options: Pick<AccountFileOptions, 'path' | 'log'>) {
    this.#options = options;
  }

  /** Starts a sync that includes all commits until now. Those made during a sync share the next one. */
  start(): void {
    this.#isDue = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isDue) {
      this.#isDue = false;
      await this.#sync();
    }
    this.#isRunning = false;
  }

  async #sync(): Promise<void> {
    const {path, log} = this.#options;
    try {
      const file = await open(`${path}-wal`, 'r+');
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
    } catch (error) {
      // SQLite removes the log when the last connection is closed, after copying it into the file.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        log(`Writing ${path} to the disk failed: ${errorText(error)}`, error);
    }
  }
}
