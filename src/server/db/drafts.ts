import type {Database} from './database.ts';

export interface DraftRow {
  readonly id: number;
  readonly user_id: number;
  readonly type: '' | 'stream' | 'private';
  /** JSON: the ids of users, or a list with one channel id. */
  readonly recipients: string;
  readonly topic: string;
  readonly content: string;
  readonly edited_at: number;
}

export function findDraft(db: Database, userId: number, id: number): DraftRow | undefined {
  return db.get<DraftRow>('SELECT * FROM draft WHERE id = ? AND user_id = ?', id, userId);
}

/** Returns a user's drafts, last edited first. */
export function draftsOf(db: Database, userId: number, limit = -1): DraftRow[] {
  const sql = 'SELECT * FROM draft WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?';
  return db.all<DraftRow>(sql, userId, limit);
}
