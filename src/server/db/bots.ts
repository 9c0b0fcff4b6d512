import type {Database} from './database.ts';
import type {UserRow} from './rows.ts';

/** What a bot has beside its account. */
export interface BotRow {
  readonly user_id: number;
  readonly default_sending_channel_id: number | null;
  readonly default_events_channel_id: number | null;
  readonly default_all_public_streams: number;
}

/** Bots with their owner's account, active or not, without the server's own. */
export function listBots(db: Database, ownerId?: number): UserRow[] {
  const sql = 'SELECT * FROM user WHERE is_bot = 1 AND is_system_bot = 0';
  return ownerId === undefined
    ? db.all<UserRow>(`${sql} ORDER BY id`)
    : db.all<UserRow>(`${sql} AND bot_owner_id = ? ORDER BY id`, ownerId);
}

/** Bots keep a row only once they have something other than the defaults. */
export function botRow(db: Database, userId: number): BotRow {
  return (
    db.get<BotRow>('SELECT * FROM bot WHERE user_id = ?', userId) ?? {
      user_id: userId,
      default_sending_channel_id: null,
      default_events_channel_id: null,
      default_all_public_streams: 0,
    }
  );
}

export function saveBotRow(db: Database, row: BotRow): void {
  db.run(
    `INSERT OR REPLACE INTO bot
       (user_id, default_sending_channel_id, default_events_channel_id, default_all_public_streams)
     VALUES (?, ?, ?, ?)`,
    row.user_id,
    row.default_sending_channel_id,
    row.default_events_channel_id,
    row.default_all_public_streams,
  );
}
