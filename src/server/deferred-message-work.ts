import {type Database, isDiskFull} from '#server/db/database.ts';
import type {ActionContext, ServerContext} from './context.ts';

/** The messages that one background step indexes: a few milliseconds of work. */
const messagesPerStep = 80;
/** With fewer pending messages than this, the next step waits for the delay. */
const urgentMessages = 40;
const delayMs = 200;
/** The wait before the next step when the disk is full. */
const fullDiskDelayMs = 5000;

/**
 * Indexes new messages for search after they are sent. Indexing touches a handful of pages; indexing many messages
 * together touches each page once. `search_progress` says which messages are indexed, so nothing is lost when the
 * process dies.
 *
 * Every action but a plain send completes the pending work first (see `run-action.ts`), so no other code sees it.
 */
export class DeferredMessageWork {
  readonly #server: ServerContext;
  /** The ids of the messages that are not indexed yet, ascending. */
  #pending: number[] = [];
  #timer: (() => void) | undefined;
  #stepping = false;

  constructor(server: ServerContext) {
    this.#server = server;
    this.reload();
  }

  /** Records a new message; called once per message, in the transaction that stores it. */
  add(act: ActionContext, messageId: number): void {
    act.afterCommit(() => {
      this.#pending.push(messageId);
      this.#schedule();
    });
  }

  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Completes all pending work in the caller's transaction. */
  completeAll(db: Database): void {
    this.#complete(db, this.#pending.length);
  }

  /** Loads the pending work from disk: at start, after seeding, and after a rollback. */
  reload(waitMs?: number): void {
    this.#pending = this.#server.db.pluck(
      'SELECT id FROM message WHERE id > (SELECT through FROM search_progress) ORDER BY id',
    );
    if (this.#pending.length > 0) this.#schedule(waitMs);
  }

  stop(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  #schedule(waitMs?: number): void {
    if (waitMs === undefined && this.#pending.length >= urgentMessages && !this.#stepping) {
      this.#stepping = true;
      setImmediate(() => this.#step());
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
    if (!db.isOpen || this.#pending.length === 0) return;
    try {
      db.transaction(() => this.#complete(db, messagesPerStep));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.reload(fullDiskDelayMs);
      return;
    }
    if (this.#pending.length > 0) this.#schedule();
  }

  #complete(db: Database, count: number): void {
    const upTo = this.#pending.slice(0, count).at(-1);
    if (upTo === undefined) return;
    db.run(
      `INSERT INTO message_fts (rowid, content, topic, place)
       SELECT * FROM message_text WHERE id > (SELECT through FROM search_progress) AND id <= ?`,
      upTo,
    );
    db.run('UPDATE search_progress SET through = ?', upTo);
    this.#pending = this.#pending.slice(count);
  }
}
