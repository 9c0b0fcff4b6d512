import type {Database} from './database.ts';

/** A message to send later or, if `target_message_id` is set, a reminder of a message. */
export interface ScheduledRow {
  readonly id: number;
  readonly user_id: number;
  readonly type: 'stream' | 'private';
  /** JSON: the ids of users, or a list with one channel id. */
  readonly recipients: string;
  readonly topic: string;
  readonly content: string;
  readonly deliver_at: number;
  readonly failed: number;
  readonly read_by_sender: number;
  readonly client: string;
  readonly target_message_id: number | null;
  readonly note: string;
}

export interface ReminderRow extends ScheduledRow {
  readonly target_message_id: number;
}

export function findScheduled(db: Database, userId: number, id: number): ScheduledRow | undefined {
  const sql = 'SELECT * FROM scheduled_message WHERE id = ? AND user_id = ? AND target_message_id IS NULL';
  return db.get<ScheduledRow>(sql, id, userId);
}

export function findReminder(db: Database, userId: number, id: number): ReminderRow | undefined {
  const sql = 'SELECT * FROM scheduled_message WHERE id = ? AND user_id = ? AND target_message_id IS NOT NULL';
  return db.get<ReminderRow>(sql, id, userId);
}

export function isReminder(row: ScheduledRow): row is ReminderRow {
  return row.target_message_id !== null;
}

/** Returns a user's scheduled messages, soonest first, including those that failed. */
export function scheduledOf(db: Database, userId: number): ScheduledRow[] {
  const sql = `SELECT * FROM scheduled_message WHERE user_id = ? AND target_message_id IS NULL
    ORDER BY deliver_at, id`;
  return db.all<ScheduledRow>(sql, userId);
}

export function remindersOf(db: Database, userId: number): ReminderRow[] {
  const sql = `SELECT * FROM scheduled_message WHERE user_id = ? AND target_message_id IS NOT NULL
    ORDER BY deliver_at, id`;
  return db.all<ReminderRow>(sql, userId);
}

/** Returns a scheduled message or reminder unless it failed. */
export function findDue(db: Database, id: number): ScheduledRow | undefined {
  return db.get<ScheduledRow>('SELECT * FROM scheduled_message WHERE id = ? AND failed = 0', id);
}

/** Returns the ids of scheduled messages and reminders that are due, soonest first. */
export function dueIds(db: Database, now: number, limit: number): number[] {
  const sql = 'SELECT id FROM scheduled_message WHERE failed = 0 AND deliver_at <= ? ORDER BY deliver_at, id LIMIT ?';
  return db.pluck(sql, now, limit);
}

/** Returns the time of the next delivery after `after`; undefined when nothing is scheduled. */
export function nextDueAt(db: Database, after = -1): number | undefined {
  const sql = 'SELECT MIN(deliver_at) FROM scheduled_message WHERE failed = 0 AND deliver_at > ?';
  return db.value<number | null>(sql, after) ?? undefined;
}
