import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkData} from '#server/check/check-data.ts';
import {runOperatorCommand} from '#server/operator/operator-commands.ts';
import {memoryFileStore} from '#server/uploads/file-store.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

const day = 86_400;
const hourMs = 3600_000;

async function startFixture() {
  const clock = new ManualClock();
  const server = await testServer({clock, files: memoryFileStore()});
  const [meg, ann] = [server.people.member('Meg'), server.people.member('Ann')];
  const owner = server.as(server.people.owner());
  const channel = (name: string) => server.people.channel(name, [meg, ann]);
  const send = async (to: string, content: string, topic = 'tides') =>
    (await server.as(meg).post('/messages', {type: 'stream', to, topic, content})).id as number;
  const direct = async (content: string, to = ann) =>
    (await server.as(meg).post('/messages', {type: 'private', to: [to.id], content})).id as number;
  /** Makes the messages that were sent until now older. */
  const age = (days: number) => server.context.db.run('UPDATE message SET sent_at = sent_at - ?', days * day);
  const left = () => server.context.db.pluck<string>('SELECT content FROM message ORDER BY id');
  return {clock, server, meg, ann, owner, channel, send, direct, age, left};
}

const archived = ({context}: TestServer) => context.db.value('SELECT count(*) FROM archived_message');

test('retention: messages older than the time of their channel or organization are deleted with events, others stay', async () => {
  const {clock, server, meg, owner, channel, send, direct, age, left} = await startFixture();
  for (const name of ['short', 'general', 'kept']) channel(name);
  const old = [await send('short', 'a'), await send('general', 'b'), await direct('d')];
  const toBob = await direct('for Bob', server.people.member('Bob'));
  await send('kept', 'c');
  age(5);
  const topics = [await send('short', 'e', 'one'), await send('short', 'f', 'two')];
  await send('general', 'g');
  age(3);
  await send('short', 'new');
  const ids = server.context.db.all<{id: number; name: string}>('SELECT id, name FROM channel');
  const idOf = (name: string) => ids.find((row) => row.name === name)?.id ?? 0;
  await owner.patch('/realm', {message_retention_days: 7});
  await owner.patch(`/streams/${idOf('short')}`, {message_retention_days: 2});
  await owner.patch(`/streams/${idOf('kept')}`, {message_retention_days: '"unlimited"'});
  const queue = await server.as(meg).listen({
    event_types: ['delete_message'],
    client_capabilities: {notification_settings_null: true, bulk_message_deletion: true},
  });
  clock.advance(60_000);
  expect(left()).toEqual(['c', 'g', 'new']);
  expect(await queue.events()).toMatchObject([
    {message_ids: [old[0]], stream_id: idOf('short'), topic: 'tides'},
    {message_ids: [topics[0]], topic: 'one'},
    {message_ids: [topics[1]], topic: 'two'},
    {message_ids: [old[1]], stream_id: idOf('general')},
    {message_ids: [old[2]], message_type: 'private'},
    {message_ids: [toBob], message_type: 'private'},
  ]);
});

test('retention: an organization without a time keeps everything', async () => {
  const {clock, channel, send, age, left} = await startFixture();
  channel('general');
  await send('general', 'a');
  age(9999);
  clock.advance(60_000);
  expect(left()).toEqual(['a']);
});

test('retention: the archive is restored by the operator, found by search, and whole; after 30 days it is gone with its files', async () => {
  const {clock, server, meg, ann, owner, channel, send, age, left} = await startFixture();
  const general = channel('general');
  const upload = await server.as(meg).upload('/user_uploads', 'chart.txt', Buffer.from('the chart'));
  const path = String(upload.body.uri ?? upload.body.url);
  const id = await send('general', `a lighthouse [chart](${path})`);
  await server.as(ann).post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
  age(8);
  await owner.patch('/realm', {message_retention_days: 7});
  clock.advance(60_000);
  expect([left(), archived(server)]).toEqual([[], 1]);
  // The search entry of the first is gone when the second is archived, whose entry is still there.
  const second = await send('general', `another lighthouse [chart](${path})`);
  age(8);
  clock.advance(hourMs);
  expect([left(), archived(server)]).toEqual([[], 2]);
  const {context} = server;
  const session = {server: context, directory: scratchDirectory(), progress: () => {}, atEnd: () => {}};
  await owner.patch('/realm', {message_retention_days: '"unlimited"'});
  expect(await runOperatorCommand(session, 'restoreMessages', {})).toEqual({restored: 2});
  const narrow = [{operator: 'search', operand: 'lighthouse'}];
  const page = {anchor: 'newest', num_before: 5, num_after: 0, narrow};
  expect((await server.as(ann).get('/messages', page)).messages).toMatchObject([
    {id, reactions: [{emoji_name: 'octopus'}]},
    {id: second},
  ]);
  expect((await server.as(meg).get('/attachments')).attachments).toMatchObject([{message_ids: [id, second]}]);
  expect((await server.as(meg).get(`/streams/${general}`)).stream.first_message_id).toBe(id);
  const directory = scratchDirectory();
  const database = join(directory, 'parley.db');
  await context.db.copyTo(database);
  const problems = await Array.fromAsync(checkData({database, directory, takenAt: 0}));
  expect(problems.filter((text) => !text.includes('missing'))).toEqual([]);

  await owner.patch('/realm', {message_retention_days: 7});
  clock.advance(hourMs);
  expect([left(), archived(server)]).toEqual([[], 2]);
  context.db.run('UPDATE archived_message SET archived_at = archived_at - ? WHERE id = ?', 31 * day, id);
  clock.advance(hourMs);
  expect(archived(server)).toBe(1);
  expect((await server.as(meg).get('/attachments')).attachments).toMatchObject([{message_ids: []}]);
  clock.advance(31 * day * 1000);
  expect(archived(server)).toBe(0);
  expect((await server.as(meg).get('/attachments')).attachments).toEqual([]);
});

test('retention: many old messages are deleted in parts', async () => {
  const {clock, server, owner, channel, send, age, left} = await startFixture();
  channel('general');
  await send('general', 'x');
  server.context.db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
     INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at)
     SELECT sender_id, channel_id, topic, topic_key, 'x', sent_at FROM message, n`,
  );
  age(8);
  await owner.patch('/realm', {message_retention_days: 7});
  clock.advance(60_000);
  expect(left()).toHaveLength(701);
  clock.advance(1000);
  expect(left()).toHaveLength(201);
  clock.advance(1000);
  expect(left()).toEqual([]);
});
