import {open} from 'node:fs/promises';

/** The written statements between two checkpoints: some thousand pages. */
const writesPerCheckpoint = 2000;

/**
 * Copies SQLite's log of committed changes into the database file before SQLite itself does. A checkpoint waits until the
 * disk has the log: here that happens in the background, and only the rest, some milliseconds, delays requests.
 */
export class LogCheckpoint {
  readonly #logPath: string;
  readonly #copyLog: () => void;
  #writes = 0;
  #isRunning = false;

  constructor(databasePath: string, copyLog: () => void) {
    this.#logPath = `${databasePath}-wal`;
    this.#copyLog = copyLog;
  }

  countWrite(): void {
    if (++this.#writes < writesPerCheckpoint || this.#isRunning) return;
    this.#writes = 0;
    this.#isRunning = true;
    this.#run()
      // A full disk or a closed database: SQLite repeats the checkpoint when the log is longer, or when it is opened.
      .catch(() => {})
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #run(): Promise<void> {
    // For writing, which Windows wants for a sync. SQLite has no locks on the log that closing it could release.
    const log = await open(this.#logPath, 'r+');
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
    this.#copyLog();
  }
}
