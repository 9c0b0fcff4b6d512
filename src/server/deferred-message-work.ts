import {type Database, isDiskFull} from '#server/db/database.ts';
import {guarded, type Log} from './background-task.ts';
import type {ActionContext, ServerContext} from './context.ts';

/** The messages that one background step indexes: a few milliseconds of work. */
const messagesPerStep = 80;
/** The entries that one background step replaces. Erasing the words of one takes as long as indexing several messages. */
const replacedPerStep = 16;
/** With fewer pending messages than this, the next step waits for the delay. */
const urgentMessages = 40;
const delayMs = 200;
/** The time until the log of the database is emptied after a deletion: the search entries are replaced by then. */
const emptyLogMs = 10_000;
/** The wait before the next step when the disk is full. */
const fullDiskDelayMs = 5000;
/** The wait after another failure, such as of a damaged index. */
const retryMs = 60_000;
/** The messages that a search indexes before it starts, and the entries that it replaces: more would take too long. */
const messagesPerSearch = 2000;
const replacedPerSearch = 400;

/**
 * Indexes messages for search after they are sent, changed or deleted. Indexing touches a handful of pages; indexing many
 * messages together touches each page once. `search_progress` says which messages are indexed, and `search_outdated` which
 * entries are to be replaced, so nothing is lost when the process dies.
 *
 * A search completes the pending work first. Only when hundreds of messages were moved just before, it may still find
 * them by their old topic; and while a migration has all messages indexed again, it finds those that already are.
 */
export class DeferredMessageWork {
  readonly #server: ServerContext;
  readonly #log: Log;
  /** The number of messages that are not indexed yet, at least: some may have been deleted. */
  #pendingCount = 0;
  /** The number of outdated entries, counted up to `urgentMessages`. */
  #outdatedCount = 0;
  /** The version of the outdated entries when they were counted. */
  #countedVersion = -1;
  #timer: (() => void) | undefined;
  #logTimer: (() => void) | undefined;
  #stepping = false;
  #isPaused = false;

  constructor(server: ServerContext, log: Log) {
    this.#server = server;
    this.#log = log;
    this.reload();
  }

  /** Records a new message; called once per message, in the transaction that stores it. */
  add(act: ActionContext): void {
    act.afterCommit(() => {
      this.#pendingCount++;
      this.#schedule();
    });
  }

  get isPending(): boolean {
    return this.#pendingCount + this.#outdatedCount > 0;
  }

  /** Brings the index up to date for a search in the caller's transaction. */
  completeForSearch(db: Database): void {
    if (this.#isPaused) return;
    this.#indexNew(db, messagesPerSearch);
    this.#replaceOutdated(db, replacedPerSearch);
  }

  /** Runs a task whose searches use the index as it is, because there is no space to write. */
  paused<T>(task: () => T): T {
    this.#isPaused = true;
    try {
      return task();
    } finally {
      this.#isPaused = false;
    }
  }

  /** Notices entries that an action made outdated. */
  notice(): void {
    if (this.#countedVersion === this.#server.db.changes.outdatedSearchEntries.version) return;
    this.#countOutdated();
    if (this.#outdatedCount > 0) this.#schedule();
  }

  /** Loads the pending work from disk: at start, after seeding, and after a rollback. */
  reload(waitMs?: number): void {
    const count = 'SELECT COUNT(*) FROM message WHERE id > (SELECT through FROM search_progress)';
    this.#pendingCount = this.#server.db.value(count) ?? 0;
    this.#countOutdated();
    if (this.isPending) this.#schedule(waitMs);
  }

  /** Has the log of the database emptied after a while, because it contains the texts of messages that were deleted. */
  emptyLogSoon(): void {
    this.#logTimer ??= this.#server.clock.after(emptyLogMs, () => {
      this.#logTimer = undefined;
      this.#server.db.emptyLog();
    });
  }

  stop(): void {
    this.#timer?.();
    this.#logTimer?.();
    this.#timer = undefined;
    this.#logTimer = undefined;
  }

  #schedule(waitMs?: number): void {
    const count = this.#pendingCount + this.#outdatedCount;
    if (waitMs === undefined && count >= urgentMessages && !this.#stepping) {
      this.#stepping = true;
      setImmediate(guarded(() => this.#step(), this.#log));
      return;
    }
    this.#timer ??= this.#server.clock.after(waitMs ?? delayMs, () => {
      this.#timer = undefined;
      this.#step();
    });
  }

  /** Completes the work of the oldest few messages, then lets waiting requests run. */
  #step(): void {
    this.#stepping = false;
    const {db} = this.#server;
    if (!db.isOpen || !this.isPending) return;
    try {
      db.transaction(() => {
        if (this.#pendingCount > 0) this.#indexNew(db, messagesPerStep);
        else this.#replaceOutdated(db, replacedPerStep);
      });
    } catch (error) {
      if (!isDiskFull(error)) this.#log('Indexing messages for search failed', error);
      this.reload(isDiskFull(error) ? fullDiskDelayMs : retryMs);
      return;
    }
    if (this.isPending) this.#schedule();
  }

  #indexNew(db: Database, count: number): void {
    if (this.#pendingCount === 0) return;
    const next = 'SELECT id FROM message WHERE id > (SELECT through FROM search_progress) ORDER BY id LIMIT ?';
    const upTo = db.value<number | null>(`SELECT MAX(id) FROM (${next})`, count) ?? undefined;
    this.#pendingCount = upTo === undefined ? 0 : Math.max(0, this.#pendingCount - count);
    if (upTo === undefined) return;
    const sql = `INSERT INTO message_fts (rowid, content, topic, place)
       SELECT * FROM message_text WHERE id > (SELECT through FROM search_progress) AND id <= ?`;
    db.run(sql, upTo);
    db.run('UPDATE search_progress SET through = ?', upTo);
  }

  #replaceOutdated(db: Database, count: number): void {
    if (this.#outdatedCount === 0) return;
    const ids = JSON.stringify(db.pluck('SELECT id FROM search_outdated ORDER BY id LIMIT ?', count));
    const sql = `INSERT INTO message_fts (message_fts, rowid, content, topic, place)
       SELECT 'delete', * FROM search_outdated WHERE id IN (SELECT value FROM json_each(?))`;
    db.run(sql, ids);
    const insert = `INSERT INTO message_fts (rowid, content, topic, place)
       SELECT * FROM message_text WHERE id IN (SELECT value FROM json_each(?))`;
    db.run(insert, ids);
    db.run('DELETE FROM search_outdated WHERE id IN (SELECT value FROM json_each(?))', ids);
    this.#countOutdated();
  }

  #countOutdated(): void {
    this.#countedVersion = this.#server.db.changes.outdatedSearchEntries.version;
    const some = 'SELECT COUNT(*) FROM (SELECT 1 FROM search_outdated LIMIT ?)';
    this.#outdatedCount = this.#server.db.value(some, urgentMessages) ?? 0;
  }
}
