import type {DerivedFact} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';

/** The ids of the users who watch for each alert word, in lower case. Must be invalidated when alert words change. */
export const alertWordWatchers: DerivedFact<ReadonlyMap<string, readonly number[]>> = {
  name: 'alert-words',
  derive(db) {
    const rows = db.all<{user_id: number; word_key: string}>('SELECT user_id, word_key FROM alert_word');
    const byWord = Map.groupBy(rows, ({word_key}) => word_key);
    return new Map(byWord.entries().map(([word, watchers]) => [word, watchers.map(({user_id}) => user_id)]));
  },
};

export interface StatusRow {
  readonly user_id: number;
  readonly status_text: string;
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  /** The opposite of the setting `presence_enabled`, which replaced it in the API. */
  readonly away: number;
}

/** Returns a user's status; an empty one when none is stored. */
export function statusOf(db: Database, userId: number): StatusRow {
  const row = db.find<StatusRow>('user_status', {user_id: userId});
  return row ?? {user_id: userId, status_text: '', emoji_name: '', emoji_code: '', reaction_type: '', away: 0};
}

export function saveStatus(db: Database, row: StatusRow): void {
  db.replaceRow('user_status', {...row});
}

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

export function isReminder(row: ScheduledRow): row is ReminderRow {
  return row.target_message_id !== null;
}

/** Returns a user's scheduled messages and reminders, soonest first, including those that failed. */
export function scheduledOf(db: Database, userId: number): ScheduledRow[] {
  return db.all<ScheduledRow>('SELECT * FROM scheduled_message WHERE user_id = ? ORDER BY deliver_at, id', userId);
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
