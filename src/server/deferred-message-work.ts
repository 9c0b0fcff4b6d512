import type {Database} from '#server/db/database.ts';
import type {ActionContext, ServerContext} from './context.ts';

/** The rows that one background step writes: a few milliseconds of work. */
const rowsPerStep = 800;
/** With fewer pending rows than this, the next step waits for the delay. */
const urgentRows = 400;
const delayMs = 200;
/** Indexing a message for search costs about as much as this many unread rows. */
const rowsPerIndexing = 10;

interface PendingMessage {
  readonly messageId: number;
  readonly rows: number;
}

/** The unread rows of a channel message that are still to be written: one per subscriber except `exceptUserIds`. */
export interface DeferredUnreadRows {
  readonly channelId: number;
  readonly flags: number;
  readonly exceptUserIds: readonly number[];
  readonly subscriberCount: number;
}

/**
 * The writes that follow a new message later: the unread rows of the channel's subscribers and the entry in the search
 * index. Writing them as part of each send would touch a page per reader and a handful for the index; writing those of
 * many messages together touches each page once. The pending work is on disk with the message (`arrival`,
 * `search_progress`), so nothing is lost when the process dies.
 *
 * Every action but a plain send completes the pending work first (see `run-action.ts`), so no other code sees it.
 */
export class DeferredMessageWork {
  readonly #server: ServerContext;
  #pending: PendingMessage[] = [];
  #rows = 0;
  #timer: (() => void) | undefined;
  #stepping = false;

  constructor(server: ServerContext) {
    this.#server = server;
    this.reload();
  }

  /** Records the deferred work of a new message; called once per message, in the transaction that stores it. */
  add(act: ActionContext, messageId: number, unreadRows: DeferredUnreadRows | undefined): void {
    if (unreadRows !== undefined) {
      act.db.run(
        'INSERT INTO arrival (message_id, channel_id, flags, settled) VALUES (?, ?, ?, ?)',
        messageId,
        unreadRows.channelId,
        unreadRows.flags,
        JSON.stringify(unreadRows.exceptUserIds),
      );
    }
    const rows = rowsPerIndexing + (unreadRows?.subscriberCount ?? 0);
    act.afterCommit(() => {
      this.#pending.push({messageId, rows});
      this.#rows += rows;
      this.#schedule();
    });
  }

  /** Completes all pending work in the caller's transaction. */
  completeAll(db: Database): void {
    const newest = this.#pending.at(-1);
    if (newest === undefined) return;
    completeUpTo(db, newest.messageId);
    this.#pending = [];
    this.#rows = 0;
  }

  /** Loads the pending work from disk: at start, after seeding, and after a rollback. */
  reload(): void {
    this.#pending = this.#server.db.all<{messageId: number; rows: number}>(
      `SELECT m.id AS messageId, ${rowsPerIndexing} + coalesce(c.subscriber_count, 0) AS rows
       FROM message AS m LEFT JOIN arrival AS a ON a.message_id = m.id LEFT JOIN channel AS c ON c.id = a.channel_id
       WHERE m.id > (SELECT through FROM search_progress) ORDER BY m.id`,
    );
    this.#rows = total(this.#pending);
    if (this.#pending.length > 0) this.#schedule();
  }

  stop(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#rows >= urgentRows && !this.#stepping) {
      this.#stepping = true;
      setImmediate(() => this.#step());
      return;
    }
    this.#timer ??= this.#server.clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#step();
    });
  }

  /** Completes the work of the oldest few messages, then lets waiting requests run. */
  #step(): void {
    this.#stepping = false;
    const {db} = this.#server;
    if (!db.isOpen) return;
    const chosen = this.#oldest();
    const newest = chosen.at(-1);
    if (newest === undefined) return;
    db.transaction(() => completeUpTo(db, newest.messageId));
    this.#pending = this.#pending.slice(chosen.length);
    this.#rows = total(this.#pending);
    if (this.#pending.length > 0) this.#schedule();
  }

  #oldest(): PendingMessage[] {
    const chosen: PendingMessage[] = [];
    let rows = 0;
    for (const message of this.#pending) {
      chosen.push(message);
      rows += message.rows;
      if (rows >= rowsPerStep) break;
    }
    return chosen;
  }
}

function completeUpTo(db: Database, upTo: number): void {
  db.run(
    `INSERT INTO user_message (user_id, message_id, flags)
     SELECT s.user_id, a.message_id, a.flags
     FROM arrival AS a CROSS JOIN subscription AS s ON s.channel_id = a.channel_id AND s.active = 1
     WHERE a.message_id <= ? AND s.user_id NOT IN (SELECT value FROM json_each(a.settled))
     ORDER BY s.user_id, a.message_id`,
    upTo,
  );
  db.run('DELETE FROM arrival WHERE message_id <= ?', upTo);
  db.run(
    `INSERT INTO message_fts (rowid, content, topic, place)
     SELECT * FROM message_text WHERE id > (SELECT through FROM search_progress) AND id <= ?`,
    upTo,
  );
  db.run('UPDATE search_progress SET through = ?', upTo);
}

function total(pending: readonly PendingMessage[]): number {
  return pending.reduce((sum, {rows}) => sum + rows, 0);
}
