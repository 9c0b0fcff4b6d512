import type {Database} from './database.ts';

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
  const row = db.get<StatusRow & Record<string, unknown>>('SELECT * FROM user_status WHERE user_id = ?', userId);
  return row ?? {user_id: userId, status_text: '', emoji_name: '', emoji_code: '', reaction_type: '', away: 0};
}

export function saveStatus(db: Database, row: StatusRow): void {
  db.insertRow(
    'user_status',
    {
      user_id: row.user_id,
      status_text: row.status_text,
      emoji_name: row.emoji_name,
      emoji_code: row.emoji_code,
      reaction_type: row.reaction_type,
      away: row.away,
    },
    'OR REPLACE',
  );
}
