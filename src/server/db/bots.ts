import type {Database} from './database.ts';
import type {UserRow} from './rows.ts';

/** A bot's defaults, stored beside its user row. */
export interface BotRow {
  readonly user_id: number;
  readonly default_sending_channel_id: number | null;
  readonly default_events_channel_id: number | null;
  readonly default_all_public_streams: number;
}

/** Returns the bots of one owner or of all, active or not, without system bots. */
export function listBots(db: Database, ownerId?: number): UserRow[] {
  const sql = 'SELECT * FROM user WHERE is_bot = 1 AND is_system_bot = 0';
  return ownerId === undefined
    ? db.all<UserRow>(`${sql} ORDER BY id`)
    : db.all<UserRow>(`${sql} AND bot_owner_id = ? ORDER BY id`, ownerId);
}

/** Returns a bot's row, or the defaults: bots have a row only once something differs from them. */
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
  db.insertRow(
    'bot',
    {
      user_id: row.user_id,
      default_sending_channel_id: row.default_sending_channel_id,
      default_events_channel_id: row.default_events_channel_id,
      default_all_public_streams: row.default_all_public_streams,
    },
    'OR REPLACE',
  );
}
