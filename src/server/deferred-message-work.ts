import type {Database} from '#server/db/database.ts';
import type {ActionContext, ServerContext} from './context.ts';

/** How much one background step pays for, counted in rows: a few milliseconds of work. */
const rowsAtOnce = 800;
/** With less than this outstanding, there is no hurry. */
const patienceRows = 400;
const patienceMs = 200;
/** Indexing a message for search costs about as much as this many unread rows. */
const rowsPerIndexing = 10;

interface PendingMessage {
  readonly messageId: number;
  readonly rows: number;
}

/** Whom a channel message still owes an unread row: every subscriber but those who are dealt with already. */
export interface DeferredUnreadRows {
  readonly channelId: number;
  readonly flags: number;
  readonly exceptUserIds: readonly number[];
  readonly subscriberCount: number;
}

/**
 * What new messages owe: unread rows to the readers of their channel, and an entry in the search index. Writing those as
 * part of each send would touch a page per reader and a handful for the index; settling many messages together touches
 * each once. The debt is on disk with the message (`arrival`, `search_progress`), so nothing is lost when the process
 * dies.
 *
 * Everything but a plain send settles first (see `act.ts`), so no other code ever sees a debt.
 */
export class DeferredMessageWork {
  readonly #world: ServerContext;
  #pending: PendingMessage[] = [];
  #rows = 0;
  #timer: (() => void) | undefined;
  #stepping = false;

  constructor(world: ServerContext) {
    this.#world = world;
    this.reload();
  }

  /** Every message passes here once, in the transaction that stores it. */
  add(act: ActionContext, messageId: number, owed: DeferredUnreadRows | undefined): void {
    if (owed !== undefined) {
      act.db.run(
        'INSERT INTO arrival (message_id, channel_id, flags, settled) VALUES (?, ?, ?, ?)',
        messageId,
        owed.channelId,
        owed.flags,
        JSON.stringify(owed.exceptUserIds),
      );
    }
    const rows = rowsPerIndexing + (owed?.subscriberCount ?? 0);
    act.afterCommit(() => {
      this.#pending.push({messageId, rows});
      this.#rows += rows;
      this.#schedule();
    });
  }

  /** Pays everything, inside the caller's transaction. */
  completeAll(db: Database): void {
    const newest = this.#pending.at(-1);
    if (newest === undefined) return;
    completeUpTo(db, newest.messageId);
    this.#pending = [];
    this.#rows = 0;
  }

  /** What is owed according to the disk: at the start, after a world was planted, after a rollback took a payment back. */
  reload(): void {
    this.#pending = this.#world.db.all<{messageId: number; rows: number}>(
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
    if (this.#rows >= patienceRows && !this.#stepping) {
      this.#stepping = true;
      setImmediate(() => this.#step());
      return;
    }
    this.#timer ??= this.#world.clock.after(patienceMs, () => {
      this.#timer = undefined;
      this.#step();
    });
  }

  /** Pays for the oldest few messages, then lets waiting requests go first. */
  #step(): void {
    this.#stepping = false;
    const {db} = this.#world;
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
    for (const arrival of this.#pending) {
      chosen.push(arrival);
      rows += arrival.rows;
      if (rows >= rowsAtOnce) break;
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
