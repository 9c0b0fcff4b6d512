import type {Database} from './database.ts';
import type {MessageRow} from './rows.ts';

export function findMessage(db: Database, id: number): MessageRow | undefined {
  return db.get<MessageRow>('SELECT * FROM message WHERE id = ?', id);
}

/** Returns those of the messages that exist, by id. */
export function findMessages(db: Database, ids: readonly number[]): MessageRow[] {
  return db.all<MessageRow>(
    'SELECT m.* FROM json_each(?) AS wanted JOIN message AS m ON m.id = wanted.value ORDER BY m.id',
    JSON.stringify(ids),
  );
}

/** Returns the id that the next message will have. */
export function nextMessageId(db: Database): number {
  return (db.value(`SELECT seq FROM sqlite_sequence WHERE name = 'message'`) ?? 0) + 1;
}

/**
 * Returns the id of the first message at or after a time, by bisection: ids ascend with time, so no index is needed.
 */
export function firstMessageIdSince(db: Database, at: number): number {
  let low = db.value('SELECT MIN(id) FROM message') ?? 1;
  let high = nextMessageId(db);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = db.get<{id: number; sent_at: number}>(
      'SELECT id, sent_at FROM message WHERE id >= ? ORDER BY id LIMIT 1',
      middle,
    );
    if (row !== undefined && row.sent_at < at) low = row.id + 1;
    else high = middle;
  }
  return low;
}
