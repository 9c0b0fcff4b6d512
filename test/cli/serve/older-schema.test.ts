import {cpSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {newestSchema} from '#server/db/migrate.ts';
import {testServer} from '#test/support/server.ts';
import {canMount, smallDisk} from '#test/support/small-disk.ts';
import {changeRows, copyOf, demoDirectory, operate} from './operator-fixture.ts';

const older = 8;
const makeOlder = `DROP TABLE archived_message; DROP TABLE archived_attachment; DROP TABLE missed_message; DROP TABLE administration_log; DROP TABLE mail_queue; DROP TABLE unused_upload; DROP TABLE ssh_key; PRAGMA user_version = ${older}`;
/** Makes the entries of the search index that wait. */
const indexAll = `INSERT INTO message_fts (rowid, content, topic, place)
    SELECT * FROM message_text WHERE id > (SELECT through FROM search_progress);
  UPDATE search_progress SET through = (SELECT max(id) FROM message)`;

test('older schema: the start says that it converts, and keeps a private copy of the data as it was', async () => {
  const directory = await demoDirectory();
  changeRows(directory, indexAll);
  changeRows(directory, makeOlder);
  expect((await operate('serve check', ['--data', directory])).out).toMatch(/ is whole\./);
  const converted = copyOf(directory);
  new Database(join(converted, 'parley.db')).close();
  expect((await operate('serve check', ['--data', converted])).out).toMatch(/ is whole\./);
  const database = join(directory, 'parley.db');
  const copy = `${database}.before-v${newestSchema()}`;
  const lines: string[] = [];
  const server = await testServer({database, log: (line) => lines.push(line)});
  expect(lines).toEqual([
    `The data is of an older Parley: it is converted from schema ${older} to ${newestSchema()}. As it was, it is kept in ${copy}: delete that file when you do not need it any more.`,
  ]);
  expect([server.context.db.schema, statSync(copy).mode & 0o777]).toEqual([newestSchema(), 0o600]);
  const db = new Database(copy, {asFound: true});
  expect([db.schema, db.value('SELECT count(*) FROM message')]).toEqual([
    older,
    server.context.db.value('SELECT count(*) FROM message'),
  ]);
  db.close();
});

test.skipIf(!canMount)('older schema: without space for a copy, the data stays as it is', async () => {
  const {path, fill} = smallDisk();
  const directory = join(path, 'data');
  cpSync(await demoDirectory(), directory, {recursive: true});
  changeRows(directory, makeOlder);
  fill();
  const {code, err} = await operate('serve user', ['list', '--data', directory]);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /parley\.db was written by an older Parley .* and 0\.0 MB are free\. Free some space; nothing was changed\.\n$/,
    ),
  ]);
  expect(readdirSync(directory).filter((name) => name.includes('before'))).toEqual([]);
  const db = new Database(join(directory, 'parley.db'), {asFound: true});
  expect(db.schema).toBe(older);
  db.close();
});
