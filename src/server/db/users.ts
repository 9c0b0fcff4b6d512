import {invariant} from '#std/invariant.ts';
import type {Database} from './database.ts';
import {fold, type UserRow} from './rows.ts';

export function findUser(db: Database, id: number): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM user WHERE id = ?', id);
}

export function findUserByEmail(db: Database, email: string): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM user WHERE email_key = ?', fold(email.trim()));
}

/** Returns the columns of an account's address and name, as they are shown and as they are compared. */
export function accountColumns(email: string, fullName: string) {
  return {delivery_email: email, email_key: fold(email), full_name: fullName, name_key: fold(fullName)};
}

/** Returns the address that stands for a user in the API where the real one is hidden. */
export function dummyEmail(userId: number, host: string): string {
  return `user${userId}@${host}`;
}

/** Returns the user id in a dummy address of this server; undefined for other addresses. */
export function idOfDummyEmail(email: string, host: string): number | undefined {
  const match = /^user(\d{1,15})@(.*)$/i.exec(email.trim());
  return match?.[2] !== undefined && fold(match[2]) === fold(host) ? Number(match[1]) : undefined;
}

/** The columns of a user row that the API's user object is made from. */
export type UserViewRow = Omit<
  UserRow,
  'email_key' | 'password_hash' | 'key_generation' | 'video_token' | 'awaits_login'
>;

/** The columns in the order of `UserViewColumns`. */
const viewColumns = `id, delivery_email, full_name, role, is_active, is_bot, bot_type, bot_owner_id, is_system_bot,
  timezone, avatar_source, avatar_version, avatar_file, joined_at, is_imported_stub, is_deleted, settings`;

type UserViewColumns = readonly [
  id: number,
  deliveryEmail: string,
  fullName: string,
  role: number,
  isActive: number,
  isBot: number,
  botType: number | null,
  botOwnerId: number | null,
  isSystemBot: number,
  timezone: string,
  avatarSource: string,
  avatarVersion: number,
  avatarFile: string | null,
  joinedAt: number,
  isImportedStub: number,
  isDeleted: number,
  settings: string,
];

function userViewRow(columns: UserViewColumns): UserViewRow {
  return {
    id: columns[0],
    delivery_email: columns[1],
    full_name: columns[2],
    role: columns[3],
    is_active: columns[4],
    is_bot: columns[5],
    bot_type: columns[6],
    bot_owner_id: columns[7],
    is_system_bot: columns[8],
    timezone: columns[9],
    avatar_source: columns[10],
    avatar_version: columns[11],
    avatar_file: columns[12],
    joined_at: columns[13],
    is_imported_stub: columns[14],
    is_deleted: columns[15],
    settings: columns[16],
  };
}

/** The last list of all users of each database: registrations need it, and few users change between two of them. */
const allUsers = new WeakMap<Database, {readonly version: number; readonly rows: readonly UserViewRow[]}>();

/** Returns all users but the system bots, or those of `ids`, by id. The row of an unchanged user is the same object. */
export function listUsers(db: Database, ids?: readonly number[]): readonly UserViewRow[] {
  if (ids !== undefined) return readUsers(db, ids);
  const cached = allUsers.get(db);
  const changedIds = cached && db.changes.users.since(cached.version);
  if (cached !== undefined && changedIds?.length === 0) return cached.rows;
  const changed = new Set(changedIds);
  const unchanged = changedIds && cached?.rows.filter(({id}) => !changed.has(id));
  const rows = unchanged ? [...unchanged, ...readUsers(db, changedIds)].sort((a, b) => a.id - b.id) : readUsers(db);
  allUsers.set(db, {version: db.changes.users.version, rows});
  return rows;
}

/** Reads users as one JSON text, which takes a third of the time of fifty thousand row objects. */
function readUsers(db: Database, ids?: readonly number[]): UserViewRow[] {
  const condition = ids === undefined ? '' : 'AND id IN (SELECT value FROM json_each(?))';
  const sql = `SELECT json_group_array(json_array(${viewColumns})) FROM user WHERE is_system_bot = 0 ${condition}`;
  const text = db.value<string>(sql, ...(ids === undefined ? [] : [JSON.stringify(ids)]));
  const rows: UserViewColumns[] = JSON.parse(text ?? '[]');
  return rows.map(userViewRow);
}

/** A bot's defaults, stored beside its user row. */
interface BotRow {
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
  db.replaceRow('bot', {...row});
}

/** Returns the user's current row. */
export function reloadUser({db}: {readonly db: Database}, id: number): UserRow {
  const user = findUser(db, id);
  invariant(user !== undefined, `user ${id} exists`);
  return user;
}
