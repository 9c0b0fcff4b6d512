import {expect, test} from 'vitest';
import {searchStems} from '#server/db/migrate.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

const deferredCount = ({context}: TestServer) =>
  context.db.value('SELECT COUNT(*) FROM message WHERE id > (SELECT through FROM search_progress)');

async function serverWithTwoMessages(clock: ManualClock) {
  const server = await testServer({clock});
  const meg = server.people.member('Meg Member');
  server.people.channel('general', [meg]);
  for (const content of ['one', 'two']) {
    await server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'talk', content});
  }
  const found = async (word: string) => {
    const narrow = [{operator: 'search', operand: word}];
    const {messages} = await server.as(meg).get('/messages', {anchor: 'newest', num_before: 9, num_after: 0, narrow});
    return messages.map(({id}: {id: number}) => id);
  };
  return {server, meg, found};
}

test('deferred message work: sends are indexed for search in the background', async () => {
  const clock = new ManualClock();
  const {server} = await serverWithTwoMessages(clock);
  expect(deferredCount(server)).toBe(2);
  clock.advance(1000);
  expect(deferredCount(server)).toBe(0);
});

test('deferred message work: a search finds messages that were just sent', async () => {
  const {server, found} = await serverWithTwoMessages(new ManualClock());
  expect(deferredCount(server)).toBe(2);
  expect(await found('two')).toEqual([2]);
});

test('deferred message work: a rolled-back request undoes the indexing and the next one repeats it', async () => {
  const {server, meg, found} = await serverWithTwoMessages(new ManualClock());
  await server.as(meg).refused('PATCH', '/messages/999', {content: 'nothing'}, {code: 'BAD_REQUEST'});
  expect(deferredCount(server)).toBe(2);
  expect(await found('one')).toEqual([1]);
});

test('deferred message work: moved and deleted messages leave their search entries for the background', async () => {
  const clock = new ManualClock();
  const {server, meg, found} = await serverWithTwoMessages(clock);
  const owner = server.people.owner();
  const outdated = () => server.context.db.pluck('SELECT id FROM search_outdated');
  clock.advance(1000);
  await server.as(meg).patch('/messages/1', {topic: 'harbor', propagate_mode: 'change_all'});
  await server.as(owner).delete('/messages/2');
  expect(outdated()).toEqual([1, 2]);
  expect(await found('harbor')).toContain(1);
  expect(outdated()).toEqual([]);
  expect(await found('talk')).not.toContain(1);
  await server.as(meg).patch('/messages/1', {content: 'lighthouse'});
  expect(outdated()).toEqual([1]);
  clock.advance(1000);
  expect(outdated()).toEqual([]);
  expect(await found('lighthouse')).toEqual([1]);
  expect(await found('one')).toEqual([]);
  expect(server.context.db.exec(`INSERT INTO message_fts (message_fts) VALUES ('integrity-check')`)).toBeUndefined();
});

test('deferred message work: after the migration to stems, all messages are indexed again step by step', async () => {
  const clock = new ManualClock();
  const {server, meg, found} = await serverWithTwoMessages(clock);
  const {db, deferredWork} = server.context;
  clock.advance(1000);
  await server.as(meg).patch('/messages/1', {content: 'lighthouses'});
  const copies = 2500;
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
     INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at)
     SELECT sender_id, channel_id, topic, topic_key, 'deployment', sent_at FROM message, n WHERE id = 2`,
  );
  db.exec(searchStems);
  deferredWork.reload();
  // A search indexes a limited number of messages itself.
  expect(await found('lighthouse')).toEqual([1]);
  expect(deferredCount(server)).toBeGreaterThan(0);
  while (deferredWork.isPending) {
    await server.context.nextTurn();
    // The last few wait for the delay.
    clock.advance(1000);
  }
  expect(deferredCount(server)).toBe(0);
  expect(await found('deploy')).toHaveLength(9);
  expect(db.exec(`INSERT INTO message_fts (message_fts, rank) VALUES ('integrity-check', 1)`)).toBeUndefined();
});
