import {mkdirSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {referencesTo} from '#server/check/check-data.ts';
import {Database} from '#server/db/database.ts';
import {changeRows, copyOf, damagePages, demoDirectory, operate} from './operator-fixture.ts';

/** Returns the path of an uploaded file. */
function anUpload(directory: string): string {
  const db = new Database(join(directory, 'parley.db'), {asFound: true});
  const path = db.value<string>('SELECT path_id FROM attachment');
  db.close();
  return join('files', path ?? '');
}

test('serve check: data as the server leaves it is whole, and each kind of damage has its sentence', async () => {
  const whole = await demoDirectory();
  expect(await operate('serve check', ['--data', whole])).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^The data in .* is whole\.\nThe database has [\d.]+ MB, of which [\d.]+ MB \(\d+ pages?\) are free\.\n$/,
    ),
    err: '',
  });
  const damages: [sentence: RegExp, damage: (directory: string) => void][] = [
    [/^The database is damaged: /, damagePages],
    [/^The database is damaged: /, (data) => truncateSync(join(data, 'parley.db'), 20_000)],
    [
      /^The database is damaged: file is not a database\.$/m,
      (data) => writeFileSync(join(data, 'parley.db'), 'x'.repeat(9000)),
    ],
    [/^The database is empty\.$/m, (data) => writeFileSync(join(data, 'parley.db'), '')],
    [/newer Parley \(schema 99,/, (data) => changeRows(data, 'PRAGMA user_version = 99')],
    [
      /^\d+ rows of “reaction” refer to a row of “message” that does not exist\.$/m,
      (data) => changeRows(data, 'UPDATE reaction SET message_id = message_id + 999999'),
    ],
    [
      /^1 messages are in no conversation/m,
      (data) =>
        changeRows(
          data,
          'UPDATE message SET dm_id = NULL WHERE id = (SELECT max(id) FROM message WHERE dm_id IS NOT NULL)',
        ),
    ],
    [
      /subscribers is wrong for 1 channels\.$/m,
      (data) => changeRows(data, 'UPDATE channel SET subscriber_count = 77 WHERE id = 1'),
    ],
    [/no active owner\.$/m, (data) => changeRows(data, 'UPDATE user SET role = 400')],
    [/no active owner\.$/m, (data) => changeRows(data, 'UPDATE user SET is_active = 0 WHERE role = 100')],
    [
      /^“settings” is not readable in 1 rows of “user”\.$/m,
      (data) => changeRows(data, `UPDATE user SET settings = '{' WHERE id = 9`),
    ],
    [
      /^The search index does not match the messages\.$/m,
      (data) => changeRows(data, 'UPDATE search_progress SET through = (SELECT max(id) FROM message)'),
    ],
    [/^The file “secret” is missing: without it no API key/m, (data) => rmSync(join(data, 'secret'))],
    [/^The file “secret” is damaged: it is too short/m, (data) => writeFileSync(join(data, 'secret'), 'x')],
    [/^1 file is missing: files\/1\/[^:,]+\.$/m, (data) => rmSync(join(data, anUpload(data)))],
    [/^1 file has a wrong size: files\/1\/[^:,]+\.$/m, (data) => truncateSync(join(data, anUpload(data)), 3)],
    [
      /^1 file belongs to nothing and may be deleted: files\/left-over\.png\.$/m,
      (data) => writeFileSync(join(data, 'files', 'left-over.png'), ''),
    ],
  ];
  for (const [sentence, damage] of damages) {
    const data = copyOf(whole);
    damage(data);
    const {code, out} = await operate('serve check', ['--data', data]);
    expect([code, out]).toEqual([1, expect.stringMatching(sentence)]);
  }
});

/** The columns that may name rows that are gone, or that other rules are about. */
const otherColumns =
  /\.(?:update|since|until|path|creator|author|acting_user|reporter|first_message|target_message|default_\w+_channel)_id$|^(?:report|message_html|archived_attachment|missed_message)\./;

test('serve check: every column that names a user, message, channel or the like is checked', () => {
  const db = new Database(':memory:');
  const sql = `SELECT m.name || '.' || p.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p
    WHERE m.type = 'table' AND p.name LIKE '%\\_id' ESCAPE '\\'`;
  const columns = db.pluck<string>(sql).filter((name) => !otherColumns.test(name));
  const tables = db.pluck<string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  const checked = tables.flatMap((target) => referencesTo(target).map(({table, column}) => `${table}.${column}`));
  db.close();
  expect(checked).toEqual(expect.arrayContaining(columns));
});

test('serve check: logos and data exports belong to the data, and are missed', async () => {
  const data = await demoDirectory();
  changeRows(
    data,
    `INSERT INTO realm_setting (name, value) VALUES ('logo_file', '"day.png"'), ('night_logo_file', '"night.png"');
     INSERT INTO data_export (type, acting_user_id, requested_at, url) VALUES (1, 1, 1, '/user_avatars/exports/t/all.tar.gz')`,
  );
  const names = ['day.png', 'night.png', 'exports/t/all.tar.gz'];
  const {out} = await operate('serve check', ['--data', data]);
  expect(out).toMatch(/^3 files are missing: /m);
  for (const name of names) expect(out).toContain(`files/${name}`);
  mkdirSync(join(data, 'files', 'exports', 't'), {recursive: true});
  for (const name of names) writeFileSync(join(data, 'files', name), '');
  expect((await operate('serve check', ['--data', data])).out).toMatch(/ is whole\./);
});

test('serve check: says how much of the database is free', async () => {
  const data = await demoDirectory();
  changeRows(data, 'CREATE TABLE large (text TEXT); INSERT INTO large VALUES (zeroblob(1000000)); DROP TABLE large');
  const {out} = await operate('serve check', ['--data', data, '--json']);
  const {bytes, free_bytes, free_pages, whole} = JSON.parse(out);
  expect([whole, free_bytes]).toEqual([true, free_pages * 4096]);
  expect(free_bytes).toBeGreaterThan(1_000_000);
  expect(bytes).toBeGreaterThan(free_bytes);
});

test('serve check: a directory without an organization, or no directory, is refused', async () => {
  expect(await operate('serve check', ['--data', '/nowhere'])).toEqual({
    code: 1,
    out: '',
    err: 'There is no organization in /nowhere.\n',
  });
  expect((await operate('serve check', [])).code).toBe(2);
});
