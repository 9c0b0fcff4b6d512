import {closeSync, openSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

const pageSize = 4096;

/** Overwrites the pages of a table and its indexes in a file that no process has open. */
function damage(path: string, name: string): void {
  const db = new Database(path, {asFound: true});
  const pages = db.pluck(
    'SELECT pageno FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)',
    name,
  );
  db.close();
  const file = openSync(path, 'r+');
  for (const page of pages) writeSync(file, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize);
  closeSync(file);
  expect(pages.length).toBeGreaterThan(0);
}

/** Starts a server with some messages on a database of which a part was damaged while no server ran. */
async function damagedServer(name: string) {
  const database = join(scratchDirectory(), 'parley.db');
  const clock = new ManualClock();
  const first = await testServer({database, clock});
  const meg = first.people.member();
  first.people.channel('general', [meg]);
  const message = {type: 'stream', to: 'general', topic: 'tides', content: 'a lighthouse'};
  for (let count = 0; count < 5; count++) await first.as(meg).post('/messages', message);
  first.people.setting('waiting_period_threshold', 3);
  clock.advance(1000);
  await first.close();
  damage(database, name);
  const lines: string[] = [];
  const log = (line: string) => {
    if (line.startsWith('The database is damaged')) lines.push(line);
  };
  const server = await testServer({database, clock, log});
  // The server has another secret, and so have its keys.
  const apiKey = server.context.secrets.apiKey({id: meg.id, key_generation: 0});
  return {server, clock, lines, message, client: server.as({...meg, apiKey})};
}

const page = {anchor: 'newest', num_before: 50, num_after: 0};
const damaged = {status: 500, code: 'DATABASE_DAMAGED'};

test('damaged database: a request that reads the damage fails with a sentence, and the log and the server’s state have it', async () => {
  const {server, lines, client, clock} = await damagedServer('reaction');
  expect(server.context.databaseDamage).toBeUndefined();
  const refused = await client.raw('GET', '/messages', page);
  expect(refused).toMatchObject({
    status: 500,
    body: {code: 'DATABASE_DAMAGED', msg: expect.stringContaining('damaged')},
  });
  expect(server.context.databaseDamage).toEqual({at: clock.now(), text: 'database disk image is malformed'});
  await client.refused('GET', '/messages', page, damaged);
  expect(lines).toEqual([expect.stringMatching(/^The database is damaged\. Check it with “parley serve check”/)]);
  expect((await client.get('/users/me')).email).toBeDefined();
});

test('damaged database: a search in a damaged index fails, and work in the background goes on', async () => {
  const {server, clock, lines, message, client} = await damagedServer('message_fts_data');
  await client.post('/messages', message);
  clock.advance(1000);
  const narrow = [{operator: 'search', operand: 'lighthouse'}];
  await client.refused('GET', '/messages', {...page, narrow}, damaged);
  expect((await client.get('/messages', page)).messages).toHaveLength(6);
  expect(server.context.databaseDamage).toBeDefined();
  expect(lines).toHaveLength(1);
});

test('damaged database: timers do not end the server', async () => {
  const {server, clock, client} = await damagedServer('user');
  clock.advance(3 * 3600_000);
  expect(server.context.databaseDamage).toBeDefined();
  await client.refused('GET', '/users', {}, damaged);
});
