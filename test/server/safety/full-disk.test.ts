import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type FileStore, memoryFileStore} from '#server/uploads/file-store.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

/** Starts a server whose database can be made full: SQLite then fails as on a full disk. */
async function startFixture(files: FileStore = memoryFileStore()) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-full-'));
  onTestFinished(() => rm(directory, {recursive: true}));
  const clock = new ManualClock();
  const server = await testServer({database: join(directory, 'parley.db'), clock, files});
  const meg = server.people.member();
  server.people.channel('general', [meg]);
  const {db} = server.context;
  return {
    server,
    clock,
    client: server.as(meg),
    message: {type: 'stream', to: 'general', topic: 'tides', content: 'x'.repeat(9000)},
    fill: () => db.exec(`PRAGMA max_page_count = ${db.value('PRAGMA page_count')}`),
    makeSpace: () => db.exec('PRAGMA max_page_count = 1000000'),
  };
}

const noSpace = {code: 'INSUFFICIENT_STORAGE', status: 507};

/** Sends messages until one is refused, and returns how many were saved. */
async function sendUntilFull({client, message}: Awaited<ReturnType<typeof startFixture>>): Promise<number> {
  for (let sent = 0; ; sent++) {
    const reply = await client.raw('POST', '/messages', message);
    if (reply.status === 200) continue;
    expect(reply).toMatchObject({status: 507, body: {code: 'INSUFFICIENT_STORAGE'}});
    return sent;
  }
}

test('full disk: writes are refused with 507, reads go on, and writes succeed when there is space again', async () => {
  const fixture = await startFixture();
  const {client, message, clock} = fixture;
  fixture.fill();
  const sent = await sendUntilFull(fixture);
  // The messages sent before may wait for their search entries, which need space too.
  clock.advance(60_000);
  const page = {anchor: 'newest', num_before: 50, num_after: 0};
  expect((await client.get('/messages', page)).messages).toHaveLength(sent);
  await client.post('/register');
  await client.refused('POST', '/messages', message, noSpace);
  fixture.makeSpace();
  await client.post('/messages', {...message, content: 'a lighthouse'});
  const narrow = [{operator: 'search', operand: 'lighthouse'}];
  expect((await client.get('/messages', {...page, narrow})).messages).toHaveLength(1);
});

test('full disk: a scheduled message that cannot be sent is sent when there is space again', async () => {
  const fixture = await startFixture();
  const {client, clock, message} = fixture;
  const {scheduled_message_id: id} = await client.post('/scheduled_messages', {
    ...message,
    to: (await client.get('/get_stream_id', {stream: 'general'})).stream_id,
    scheduled_delivery_timestamp: clock.seconds() + 600,
  });
  fixture.fill();
  await sendUntilFull(fixture);
  clock.advance(700_000);
  expect((await client.get('/scheduled_messages')).scheduled_messages).toMatchObject([{failed: false}]);
  fixture.makeSpace();
  clock.advance(120_000);
  expect((await client.get('/scheduled_messages')).scheduled_messages).toEqual([]);
  expect(id).toBeGreaterThan(0);
});

test('full disk: an upload that does not fit is refused with 507', async () => {
  const full = Object.assign(new Error('no space left on device'), {code: 'ENOSPC'});
  const {server} = await startFixture({...memoryFileStore(), receive: () => Promise.reject(full)});
  const reply = await server.as(server.people.member('Otto')).upload('/user_uploads', 'a.bin', Buffer.alloc(10));
  expect(reply).toMatchObject({status: 507, body: {code: 'INSUFFICIENT_STORAGE'}});
});

test('full disk: the uploads of a guest, and those of everybody, are limited without a quota', async () => {
  const {server} = await startFixture();
  const [meg, guest] = [server.people.member('Otto'), server.people.guest()];
  const insert = (owner: number, mib: number) =>
    server.context.db.run(
      `INSERT INTO attachment (owner_id, name, path_id, size, content_type, created_at)
       VALUES (?, 'big', ?, ?, 'text/plain', 0)`,
      owner,
      `big-${owner}`,
      mib * 1024 * 1024,
    );
  const upload = async (person: typeof meg) =>
    (await server.as(person).upload('/user_uploads', 'a.bin', Buffer.alloc(10))).body.code;
  // Those of others do not count for the guest.
  insert(server.people.member('Mia').id, 600);
  expect(await upload(guest)).toBeUndefined();
  insert(guest.id, 500);
  expect([await upload(guest), await upload(meg)]).toEqual(['REALM_UPLOAD_QUOTA', undefined]);
  insert(meg.id, 10 * 1024);
  expect(await upload(meg)).toBe('REALM_UPLOAD_QUOTA');
});
