import {referencesTo} from '#server/check/check-data.ts';
import type {Database} from '#server/db/database.ts';
import {attachmentsOf} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';

type Row = Readonly<Record<string, unknown>>;

/** A list that the export has as one JSON file. */
interface ExportedTable {
  readonly name: string;
  readonly rows: Iterable<Row>;
}

const messagesSql = /* sql */ `
  SELECT m.id, m.sent_at, sender.full_name AS sender, m.sender_id = ?1 AS is_own, c.name AS channel, m.topic,
    (SELECT group_concat(u.full_name, ', ') FROM dm_member AS d JOIN user AS u ON u.id = d.user_id WHERE d.dm_id = m.dm_id)
      AS direct_with,
    m.content
  FROM message AS m JOIN user AS sender ON sender.id = m.sender_id LEFT JOIN channel AS c ON c.id = m.channel_id
  WHERE m.sender_id = ?1 OR m.dm_id IN (SELECT dm_id FROM dm_member WHERE user_id = ?1) ORDER BY m.id`;

/** Yields everything that the organization has about a person: their row in each table, and their messages. */
export function* personTables(db: Database, user: UserRow): Generator<ExportedTable> {
  const {password_hash, settings, ...profile} = user;
  yield {name: 'profile', rows: [{...profile, has_password: password_hash !== null}]};
  yield {name: 'settings', rows: [JSON.parse(settings)]};
  yield {name: 'messages', rows: db.each<Row>(messagesSql, user.id)};
  const byTable = Map.groupBy(referencesTo('user'), ({table}) => table);
  for (const [table, columns] of byTable) {
    if (table === 'message') continue;
    // What administrators did to the person belongs to it, too.
    const where = columns.map(({column}) => `"${column}" = ?1`);
    if (table === 'administration_log') where.push(`json_extract(target, '$.user_id') = ?1`);
    const rows = db.all<Row>(`SELECT * FROM "${table}" WHERE ${where.join(' OR ')}`, user.id);
    if (rows.length > 0) yield {name: table === 'user' ? 'bots' : table, rows: rows.map(withoutSecrets)};
  }
}

function withoutSecrets(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'password_hash'));
}

/** Returns the paths of a person's files in the file store. */
export function personFiles(db: Database, {id, avatar_file: avatar}: UserRow): readonly string[] {
  const uploads = attachmentsOf(db, id).map(({path_id}) => path_id);
  return avatar === null ? uploads : [...uploads, `avatars/${avatar}`];
}
