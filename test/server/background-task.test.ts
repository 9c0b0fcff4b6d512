import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const clock = new ManualClock();
  const lines: string[] = [];
  const server = await testServer({clock, log: (line) => lines.push(line)});
  const meg = server.people.member();
  const channel = server.people.channel('kitchen', [meg]);
  const message = {type: 'channel', to: channel, topic: 'lunch', content: 'soup'};
  return {clock, lines, server, client: server.as(meg), message};
}

test('background tasks: scheduled messages are sent when the database can be read again', async () => {
  const {clock, lines, server, client, message} = await setup();
  const due = {scheduled_delivery_timestamp: clock.seconds() + 30};
  await client.post('/scheduled_messages', {...message, ...due});
  server.context.db.exec('ALTER TABLE scheduled_message RENAME TO unreadable');
  clock.advance(60_000);
  expect(lines).toEqual(['Sending scheduled messages failed']);
  server.context.db.exec('ALTER TABLE unreadable RENAME TO scheduled_message');
  clock.advance(60_000);
  expect(server.context.db.pluck('SELECT content FROM message')).toEqual(['soup']);
});

test('background tasks: messages are indexed for search when the index can be written again', async () => {
  const {clock, lines, server, client, message} = await setup();
  server.context.db.exec(`CREATE TRIGGER refusal BEFORE UPDATE ON search_progress
    BEGIN SELECT RAISE(ABORT, 'damaged'); END`);
  await client.post('/messages', message);
  clock.advance(60_000);
  expect(lines).toEqual(['Indexing messages for search failed']);
  server.context.db.exec('DROP TRIGGER refusal');
  clock.advance(60_000);
  expect(server.context.db.value('SELECT through FROM search_progress')).toBe(1);
});

test('background tasks: the hour of new full members is tried again after a failure', async () => {
  const {clock, lines, server} = await setup();
  await server.as(server.people.owner()).patch('/realm', {waiting_period_threshold: 1});
  server.context.runAction(({db}) => db.exec('ALTER TABLE user RENAME TO unreadable'));
  clock.advance(3600_000);
  expect(lines).toContain('Telling who became a full member failed');
  server.context.db.exec('ALTER TABLE unreadable RENAME TO user');
  lines.length = 0;
  clock.advance(3600_000);
  expect(lines).toEqual([]);
  expect(clock.pending).toBeGreaterThan(0);
});

test('events: one that cannot be made for a client ends its queue, and the others get it', async () => {
  const {lines, server, client} = await setup();
  const [broken, whole] = [await client.listen(), await client.listen()];
  server.context.queues.deliver([
    {
      type: 'heartbeat',
      to: 'everyone',
      body: ({id}) => {
        if (id === broken.queueId) throw new Error('not possible');
        return {};
      },
    },
  ]);
  expect(await whole.events()).toMatchObject([{type: 'heartbeat'}]);
  await client.refused('GET', '/events', {queue_id: broken.queueId, last_event_id: -1}, {code: 'BAD_EVENT_QUEUE_ID'});
  expect(lines).toEqual(['An event of the type heartbeat could not be delivered']);
});
