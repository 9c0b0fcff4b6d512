import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {secretLength} from '#server/accounts/secrets.ts';
import {Database, isWrongContent} from '#server/db/database.ts';
import {NewerSchema, newestSchema} from '#server/db/migrate.ts';
import {listFiles} from '#server/uploads/file-store.ts';
import {exportFile} from '#server/uploads/upload-path.ts';

const maxIntegrityProblems = 5;

interface CheckedData {
  /** The path of the database. */
  readonly database: string;
  /** The folder with the secret and the file store. */
  readonly directory: string;
  /** The time of the database's state, in milliseconds. */
  readonly takenAt: number;
  /** Whether to leave out what is unusual but no damage. Default: false. */
  readonly damageOnly?: boolean;
}

/** The part of a database that holds nothing: rows were deleted there. */
export interface FreeSpace {
  readonly bytes: number;
  readonly freeBytes: number;
  readonly freePages: number;
}

/** Yields a sentence for each problem of the data. Changes nothing. Throws if the data cannot be read. */
export async function* checkData({
  database,
  directory,
  takenAt,
  damageOnly = false,
}: CheckedData): AsyncGenerator<string> {
  yield* secretProblems(join(directory, 'secret'));
  let db: Database | undefined;
  try {
    db = new Database(database, {asFound: true});
    const broken = db.pluck<string>(`PRAGMA integrity_check(${maxIntegrityProblems})`).filter((text) => text !== 'ok');
    for (const text of broken) yield `The database is damaged: ${firstLine(text)}.`;
    if (broken.length > 0) return;
    const {schema} = db;
    if (schema === 0) yield 'The database is empty.';
    if (schema > newestSchema()) yield new NewerSchema(schema).message;
    if (schema === 0 || schema > newestSchema()) return;
    for (const {sql, problem, since = 1, isDamage = true} of rowChecks()) {
      if (since > schema || (damageOnly && !isDamage)) continue;
      const count = db.value(`SELECT count(*) FROM (${sql})`) ?? 0;
      if (count > 0) yield problem.replace('#', String(count));
    }
    if (!isIndexConsistent(db)) yield 'The search index does not match the messages.';
    yield* fileProblems(db, join(directory, 'files'), takenAt, damageOnly);
  } catch (error) {
    if (!isWrongContent(error)) throw error;
    yield `The database is damaged: ${firstLine(error.message)}.`;
  } finally {
    db?.close();
  }
}

/** Returns how much of a database is free; undefined if that cannot be read. */
export function freeSpace(database: string): FreeSpace | undefined {
  try {
    const db = new Database(database, {asFound: true});
    const [pages = 0, freePages = 0, pageSize = 0] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
      db.value(`PRAGMA ${name}`),
    );
    db.close();
    return {bytes: pages * pageSize, freeBytes: freePages * pageSize, freePages};
  } catch {
    return undefined;
  }
}

async function* secretProblems(path: string): AsyncGenerator<string> {
  const info = await statIfThere(path);
  if (info === undefined) {
    yield 'The file “secret” is missing: without it no API key and no link works. Put it back from a backup.';
  } else if (info.size < secretLength) {
    yield 'The file “secret” is damaged: it is too short. Put it back from a backup.';
  }
}

/** Returns undefined for a file that does not exist. Throws if it may not be looked at. */
function statIfThere(path: string) {
  return stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  });
}

/** Makes the entries that `deferred-message-work.ts` has yet to make. */
const pendingEntries = /* sql */ `
  INSERT INTO message_fts (rowid, content, topic, place)
    SELECT * FROM message_text WHERE id > (SELECT through FROM search_progress);`;
const outdatedEntries = /* sql */ `
  INSERT INTO message_fts (message_fts, rowid, content, topic, place) SELECT 'delete', * FROM search_outdated;
  INSERT INTO message_fts (rowid, content, topic, place)
    SELECT * FROM message_text WHERE id IN (SELECT id FROM search_outdated);`;

/** Compares the search index with the messages, as if no entries were waiting. Everything is undone afterwards. */
function isIndexConsistent(db: Database): boolean {
  class Undo extends Error {}
  try {
    db.transaction(() => {
      if (db.schema >= 6) db.exec(outdatedEntries);
      db.exec(pendingEntries);
      db.insertRow('message_fts', {message_fts: 'integrity-check', rank: 1});
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return true;
    if (isWrongContent(error)) return false;
    throw error;
  }
  return true;
}

function firstLine(text: string): string {
  return (text.split('\n').filter((line) => !line.startsWith('***'))[0] ?? text).replace(/\.$/, '');
}

const maxNamed = 3;

/**
 * Yields a sentence for each kind of difference between the rows and the files. Files that changed after `takenAt` are
 * newer than the rows and are not counted.
 */
async function* fileProblems(
  db: Database,
  directory: string,
  takenAt: number,
  damageOnly: boolean,
): AsyncGenerator<string> {
  const missing = new Findings();
  const wrongSize = new Findings();
  const unused = new Findings();
  collectFileReferences(db);
  for (const {path, size} of db.each<{path: string; size: number | null}>('SELECT path, size FROM file_reference')) {
    const info = await statIfThere(join(directory, path));
    if (info === undefined || !info.isFile()) missing.add(path);
    else if (size !== null && info.size !== size) wrongSize.add(path);
  }
  for await (const path of damageOnly ? [] : listFiles(directory)) {
    if (db.has('file_reference', {path})) continue;
    const info = await statIfThere(join(directory, path));
    if (info !== undefined && info.ctimeMs < takenAt) unused.add(path);
  }
  if (missing.count > 0) yield `${missing.text('file is', 'files are')} missing: ${missing.names()}.`;
  if (wrongSize.count > 0) yield `${wrongSize.text('file has', 'files have')} a wrong size: ${wrongSize.names()}.`;
  if (unused.count > 0) {
    yield `${unused.text('file belongs', 'files belong')} to nothing and may be deleted: ${unused.names()}.`;
  }
}

/** Counts paths and remembers the first few. */
class Findings {
  count = 0;
  readonly #first: string[] = [];

  add(path: string): void {
    this.count += 1;
    if (this.#first.length < maxNamed) this.#first.push(`files/${path}`);
  }

  text(one: string, many: string): string {
    return `${this.count} ${this.count === 1 ? one : many}`;
  }

  names(): string {
    return [...this.#first, ...(this.count > maxNamed ? ['…'] : [])].join(', ');
  }
}

/** A rule about rows that the server relies on. */
interface RowCheck {
  /** Selects the ids of the rows that break the rule. */
  readonly sql: string;
  /** The sentence about these rows; `#` stands for their number. */
  readonly problem: string;
  /** The version of the schema that the query needs. */
  readonly since?: number;
  /** Whether such rows can only come from damage. Default: true. */
  readonly isDamage?: boolean;
}

/** The columns that refer to a row of another table, by table. The schema has no foreign keys, because they cost time. */
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  administration_log: {user_id: 'user'},
  alert_word: {user_id: 'user'},
  attachment: {owner_id: 'user'},
  attachment_message: {attachment_id: 'attachment', message_id: 'message'},
  bot: {user_id: 'user'},
  bot_storage: {user_id: 'user'},
  channel: {folder_id: 'channel_folder'},
  client_device: {user_id: 'user'},
  default_channel_group_channel: {group_id: 'default_channel_group', channel_id: 'channel'},
  dm_member: {dm_id: 'dm', user_id: 'user'},
  draft: {user_id: 'user'},
  group_member: {group_id: 'user_group', user_id: 'user'},
  group_subgroup: {group_id: 'user_group', subgroup_id: 'user_group'},
  message: {sender_id: 'user', channel_id: 'channel', dm_id: 'dm'},
  message_mention: {message_id: 'message', user_id: 'user'},
  muted_user: {user_id: 'user', muted_id: 'user'},
  navigation_view: {user_id: 'user'},
  onboarding_step: {user_id: 'user'},
  presence: {user_id: 'user'},
  profile_value: {user_id: 'user', field_id: 'profile_field'},
  push_token: {user_id: 'user'},
  reaction: {message_id: 'message', user_id: 'user'},
  saved_snippet: {user_id: 'user'},
  scheduled_message: {user_id: 'user'},
  ssh_key: {user_id: 'user'},
  submessage: {message_id: 'message', sender_id: 'user'},
  subscription: {user_id: 'user', channel_id: 'channel'},
  subscription_period: {user_id: 'user', channel_id: 'channel'},
  user: {bot_owner_id: 'user'},
  unused_upload: {attachment_id: 'attachment'},
  user_message: {message_id: 'message', user_id: 'user'},
  user_status: {user_id: 'user'},
  user_topic: {user_id: 'user', channel_id: 'channel'},
};

/** Returns the columns that refer to rows of a table. */
export function referencesTo(target: string): readonly {readonly table: string; readonly column: string}[] {
  return Object.entries(references).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, to]) => (to === target ? [{table, column}] : [])),
  );
}

/** The version of the schema with which a table came, if it was not the first. */
const tableVersions: Readonly<Record<string, number>> = {
  administration_log: 11,
  unused_upload: 14,
  ssh_key: 16,
  bot_storage: 5,
  client_device: 5,
  default_channel_group_channel: 5,
  onboarding_step: 5,
  push_token: 5,
};

const jsonColumns: Readonly<Record<string, string>> = {
  channel: 'permissions',
  realm_setting: 'value',
  user: 'settings',
  user_group: 'permissions',
};

const otherChecks: readonly RowCheck[] = [
  {
    sql: 'SELECT id FROM message WHERE (channel_id IS NULL) = (dm_id IS NULL)',
    problem: '# messages are in no conversation, or in two.',
  },
  {
    sql: `SELECT id FROM channel WHERE subscriber_count != (
            SELECT count(*) FROM subscription AS s JOIN user AS u ON u.id = s.user_id
            WHERE s.channel_id = channel.id AND s.active = 1 AND u.is_active = 1)`,
    problem: 'The number of subscribers is wrong for # channels.',
  },
  {
    sql: 'SELECT id FROM dm WHERE size != (SELECT count(*) FROM dm_member WHERE dm_id = dm.id)',
    problem: 'The number of people is wrong for # direct conversations.',
  },
  {
    sql: `SELECT through AS id FROM search_progress
          WHERE through > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)`,
    problem: 'The search index claims to have messages that do not exist yet.',
  },
  {
    sql: `SELECT 1 AS id WHERE (SELECT count(*) FROM search_progress) != 1
            OR (SELECT count(*) FROM meta WHERE key IN ('created_at', 'uuid')) != 2
            OR (SELECT count(*) FROM user_group WHERE is_system = 1) < 8
            OR (SELECT count(*) FROM user WHERE is_system_bot = 1) < 3`,
    problem: 'Rows that every organization has are missing.',
  },
  {
    sql: `SELECT 1 AS id WHERE EXISTS (SELECT 1 FROM user WHERE is_bot = 0)
            AND NOT EXISTS (SELECT 1 FROM user WHERE is_bot = 0 AND is_active = 1 AND role = 100)`,
    problem: 'The organization has no active owner.',
    isDamage: false,
  },
  {
    sql: 'SELECT message_id AS id FROM message_html WHERE message_id NOT IN (SELECT id FROM message)',
    problem: '# rows of “message_html” refer to a row of “message” that does not exist.',
    since: 3,
  },
  {
    sql: 'SELECT message_id AS id FROM archived_attachment WHERE message_id NOT IN (SELECT id FROM archived_message)',
    problem: '# rows of “archived_attachment” refer to a row of “archived_message” that does not exist.',
    since: 9,
  },
];

/** Returns all rules about rows. */
function rowChecks(): readonly RowCheck[] {
  const referred = Object.entries(references).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, target]) => ({
      sql: `SELECT ${column} AS id FROM ${table} WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM "${target}")`,
      problem: `# rows of “${table}” refer to a row of “${target}” that does not exist.`,
      since: tableVersions[table] ?? 1,
    })),
  );
  const json = Object.entries(jsonColumns).map(([table, column]) => ({
    sql: `SELECT 1 AS id FROM "${table}" WHERE NOT json_valid(${column})`,
    problem: `“${column}” is not readable in # rows of “${table}”.`,
  }));
  return [...referred, ...json, ...otherChecks];
}

/** Collects the files of the file store that rows refer to, in a temporary table. The size is known for uploads only. */
function collectFileReferences(db: Database): void {
  db.exec(/* sql */ `
    CREATE TEMP TABLE file_reference (path TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID;
    INSERT OR IGNORE INTO file_reference
      SELECT path_id, size FROM attachment
      UNION ALL SELECT 'avatars/' || avatar_file, NULL FROM user WHERE avatar_file IS NOT NULL
      UNION ALL SELECT file, NULL FROM realm_emoji
      UNION ALL SELECT json_extract(value, '$'), NULL FROM realm_setting
        WHERE name IN ('icon_file', 'logo_file', 'night_logo_file') AND value != 'null';
  `);
  // A copy that is checked may be of an older version.
  if (db.get(`SELECT 1 FROM sqlite_schema WHERE name = 'data_export'`) === undefined) return;
  for (const url of db.pluck<string>('SELECT url FROM data_export WHERE url IS NOT NULL')) {
    db.insertNewRow('file_reference', {path: exportFile(url)});
  }
}
