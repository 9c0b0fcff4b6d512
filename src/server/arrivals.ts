import type {Act, World} from './call.ts';
import type {Database} from './db/database.ts';

/** How many unread rows one background step writes: a few milliseconds of work. */
const rowsAtOnce = 3_000;
/** With fewer rows than this outstanding, there is no hurry. */
const patienceRows = 1_000;
const patienceMs = 200;

interface Pending {
  readonly messageId: number;
  readonly rows: number;
}

/**
 * Unread rows that are owed. Writing a row for every subscriber as part of each send would touch one page per person and
 * send; owing them and settling many messages together touches each person's page once. What is owed is on disk with
 * the message (table `arrival`), so nothing is lost when the process dies.
 *
 * Everything but a plain send settles first (see `act.ts`), so no other code ever sees a debt.
 */
export class Arrivals {
  readonly #world: World;
  #pending: Pending[];
  #rows = 0;
  #timer: (() => void) | undefined;
  #stepping = false;

  constructor(world: World) {
    this.#world = world;
    this.#pending = [];
    this.reload();
  }

  /** Owes `base` to every subscriber of the channel but those who are dealt with already. */
  owe(
    act: Act,
    arrival: {
      messageId: number;
      channelId: number;
      base: number;
      settled: readonly number[];
      subscribers: number;
    },
  ): void {
    act.db.run(
      'INSERT INTO arrival (message_id, channel_id, flags, settled) VALUES (?, ?, ?, ?)',
      arrival.messageId,
      arrival.channelId,
      arrival.base,
      JSON.stringify(arrival.settled),
    );
    act.afterwards(() => {
      this.#pending.push({messageId: arrival.messageId, rows: arrival.subscribers});
      this.#rows += arrival.subscribers;
      this.#schedule();
    });
  }

  /** Pays everything, inside the caller's transaction. */
  settle(db: Database): void {
    const newest = this.#pending.at(-1);
    if (newest === undefined) return;
    this.#pay(db, newest.messageId);
    this.#pending = [];
    this.#rows = 0;
  }

  /** What is owed according to the disk: at the start, and after a rollback took a payment back. */
  reload(): void {
    this.#pending = this.#world.db.all<{messageId: number; rows: number}>(
      `SELECT a.message_id AS messageId, c.subscriber_count AS rows
       FROM arrival AS a JOIN channel AS c ON c.id = a.channel_id ORDER BY a.message_id`,
    );
    this.#rows = this.#pending.reduce((sum, {rows}) => sum + rows, 0);
    if (this.#rows > 0) this.#schedule();
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
    if (this.#pending.length === 0 || !this.#world.db.isOpen) return;
    const chosen = this.#oldest();
    const newest = chosen.at(-1);
    if (newest === undefined) return;
    this.#world.db.transaction(() => this.#pay(this.#world.db, newest.messageId));
    this.#pending = this.#pending.slice(chosen.length);
    this.#rows = this.#pending.reduce((sum, arrival) => sum + arrival.rows, 0);
    if (this.#rows > 0) this.#schedule();
  }

  #oldest(): Pending[] {
    const chosen: Pending[] = [];
    let rows = 0;
    for (const arrival of this.#pending) {
      chosen.push(arrival);
      rows += arrival.rows;
      if (rows >= rowsAtOnce) break;
    }
    return chosen;
  }

  #pay(db: Database, upTo: number): void {
    db.run(
      `INSERT INTO user_message (user_id, message_id, flags)
       SELECT s.user_id, a.message_id, a.flags
       FROM arrival AS a CROSS JOIN subscription AS s ON s.channel_id = a.channel_id AND s.active = 1
       WHERE a.message_id <= ? AND s.user_id NOT IN (SELECT value FROM json_each(a.settled))
       ORDER BY s.user_id, a.message_id`,
      upTo,
    );
    db.run('DELETE FROM arrival WHERE message_id <= ?', upTo);
  }
}
