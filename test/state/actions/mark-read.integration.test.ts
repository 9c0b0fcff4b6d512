import {expect, test} from 'vitest';
import {Flag} from '#server/db/rows.ts';
import {markOlderReadAction, markUnreadFrom} from '#state/actions/mark-read.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  topicNarrow,
} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {TestClient} from '#test/state/test-client.ts';
import {markNarrowRead} from '#test/support/mark-narrow-read.ts';
import {testServer} from '#test/support/server.ts';
import {checkUnreads} from '#test/support/state-checks.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {
  type ActionsFixture,
  actionsFixture,
  comparableState,
  expectInSync,
  loadMessages,
  settleClient,
} from './actions-fixture.ts';

const narrowOf = (operator: string, operand: string | number | number[], negated?: boolean): Narrow => [
  {operator, operand, ...(negated === true && {negated})},
];

slowTest(
  'mark read: 5,000 messages and their undo change exactly those, in requests of at most a thousand',
  async () => {
    const server = await testServer();
    const [meg, otto] = [server.people.member('Meg'), server.people.member('Otto')];
    const channelId = server.people.channel('general', [meg, otto]);
    const mail = new MessageFixtureWriter(server.context);
    const {db} = server.context;
    db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at)
     SELECT ?, ?, 'topic ' || (i % 40), 'topic ' || (i % 40), 'hello', 1700000000 FROM n`,
      otto.id,
      channelId,
    );
    db.run(
      `INSERT INTO user_message (user_id, message_id, flags)
     SELECT ?, id, CASE id % 7 WHEN 0 THEN ? ELSE ? END FROM message`,
      meg.id,
      Flag.unread | Flag.mentioned,
      Flag.unread,
    );
    const ids = db.pluck('SELECT id FROM message ORDER BY id');
    mail.toChannel(otto, channelId, 'topic 0', {read: true});
    const sizes: number[] = [];
    const client = await new TestClient(server, meg, {
      wrap: (parts) => {
        const {connection} = parts.api;
        const call = connection.call.bind(connection);
        connection.call = ((endpoint, args, options) => {
          const {messages} = args as {messages?: readonly number[]};
          if (endpoint.id === 'flag.update') sizes.push(messages?.length ?? 0);
          return call(endpoint, args, options);
        }) as typeof connection.call;
        return parts;
      },
    }).register();
    const before = client.state.unreads;
    expect([...before.byId.keys()]).toEqual(ids);
    expect(before.mentions.size).toBe(714);

    const done = markNarrowRead(client);
    expect(client.state.unreads.byId.size).toBe(0);
    await settleClient(client);
    expect(client.state.unreads.byId.size).toBe(0);
    const news = mail.toChannel(otto, channelId, 'topic 0');
    const old = mail.toChannel(otto, channelId, 'topic 0', {read: true});
    const storedInverse = JSON.stringify(done?.inverse);

    const next = await new TestClient(server, meg).register();
    next.pendingChanges.perform(JSON.parse(storedInverse));
    const after = [...ids, news];
    expect([...next.state.unreads.byId.keys()]).toEqual(after);
    expect(next.state.unreads.mentions.toArray()).toEqual(before.mentions.toArray());
    checkUnreads(next.state.unreads);
    await settleClient(next);
    expect([...next.state.unreads.byId.keys()]).toEqual(after);
    expect(next.state.unreads.byId.has(old)).toBe(false);
    const fresh = await new TestClient(server, meg).register();
    expect(comparableState(next.state).unreads).toEqual(comparableState(fresh.state).unreads);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(5000);
  },
);

test('mark read: a message that arrives meanwhile stays unread, even after undo', async () => {
  const fixture = await actionsFixture();
  const {client, messageId, channelId} = fixture;
  const narrow = topicNarrow(channelId, 'TALK');
  const news = await fixture.postMessage('new', 'talk');
  const done = markNarrowRead(client, narrow);
  expect(done?.action).toMatchObject({ids: [messageId]});
  await fixture.syncAll();
  expect(unreadIdsOf(client.state, narrow)).toEqual([news]);
  done?.undo();
  expect(unreadIdsOf(client.state, narrow)).toEqual([messageId, news]);
  await fixture.syncAll();
  await expectInSync(fixture);
});

test('mark older read: nothing is marked in explore mode', async () => {
  const {client} = await actionsFixture();
  expect(markOlderReadAction({...client.context, isExploring: true}, everythingNarrow, 1)).toBeUndefined();
});

test.each([true, false])('unread ids: known for every view, loaded or not (bare: %s)', async (isBare) => {
  const fixture = await actionsFixture({isBare});
  const {client, messageId, mentioned, direct, channelId, otto, meg} = fixture;
  await fixture.otherClient().post('/messages/flags', {messages: [direct], op: 'add', flag: 'starred'});
  await fixture.otherClient().post('/user_topics', {stream_id: channelId, topic: 'talk', visibility_policy: 1});
  await client.pollEvents();
  const unread = (narrow: Narrow) => unreadIdsOf(client.state, narrow);
  expect(unread(everythingNarrow)).toEqual([messageId, mentioned, direct]);
  expect(unread(narrowIs('unread'))).toEqual([messageId, mentioned, direct]);
  expect(unread(channelNarrow(channelId))).toEqual([messageId, mentioned]);
  expect(unread([...channelNarrow(channelId), ...narrowIs('unread')])).toEqual([messageId, mentioned]);
  expect(unread([...channelNarrow(channelId), ...narrowOf('near', messageId)])).toEqual([messageId, mentioned]);
  expect(unread(topicNarrow(channelId, 'Other'))).toEqual([mentioned]);
  expect(unread(directNarrow([otto.id]))).toEqual([direct]);
  expect(unread(directNarrow([otto.id, meg.id]))).toEqual([direct]);
  expect(unread(narrowIs('dm'))).toEqual([direct]);
  expect(unread(narrowOf('dm-including', otto.id))).toEqual([direct]);
  expect(unread(narrowIs('mentioned'))).toEqual([mentioned]);
  expect(unread(narrowIs('starred'))).toEqual([direct]);
  expect(unread(narrowIs('followed'))).toEqual([mentioned]);
  expect(unread(narrowOf('in', 'home'))).toEqual([mentioned, direct]);
  expect(unread(narrowOf('is', 'dm', true))).toEqual([messageId, mentioned]);
  expect(unread(narrowOf('is', 'unread', true))).toEqual([]);
  expect(unread(channelNarrow(999))).toEqual([]);
  // Only loaded messages have a known sender.
  expect(unread(narrowOf('sender', otto.id))).toEqual(isBare ? [] : [messageId, mentioned, direct]);
  expect(unread(narrowOf('search', 'hello'))).toEqual([]);
});

test.each(fewOf([509, 122]))('mark unread from: works whatever is loaded (level %i)', async (level) => {
  const fixture = await actionsFixture({level, isBare: true});
  const {client, messageId, mentioned, channelId} = fixture;
  const third = await fixture.postMessage('third');
  await fixture.otherClient().post('/mark_all_as_read', {});
  await client.pollEvents();
  expect(client.state.unreads.byId.size).toBe(0);
  const narrow = channelNarrow(channelId);
  const done = await markUnreadFrom(client.context, client.pendingChanges, narrow, mentioned);
  expect(unreadIdsOf(client.state, narrow)).toEqual([mentioned, third]);
  await fixture.syncAll();
  await expectInSync(fixture);
  done?.undo();
  await fixture.syncAll();
  expect(client.state.unreads.byId.size).toBe(0);
  expect(client.state.messages.byId.has(messageId)).toBe(false);
  await expectInSync(fixture);
});

test('mark unread: messages of an unsubscribed channel cannot be marked', async () => {
  const fixture = await actionsFixture();
  const {client, channelId, messageId} = fixture;
  await loadMessages(client);
  await fixture.otherClient().delete('/users/me/subscriptions', {subscriptions: ['general']});
  await client.pollEvents();
  const ids = [messageId];
  expect(client.pendingChanges.perform({kind: 'flags', op: 'remove', flag: 'read', ids})).toBeUndefined();
  expect(unreadIdsOf(client.state, channelNarrow(channelId))).toEqual([]);
  await expectInSync(fixture);
});

/** Simulates a registration with more unread messages than a server lists. */
function withOldMissing({client}: ActionsFixture): void {
  const {state} = client;
  client.cache.apply({type: 'state_replaced', state: {...state, unreads: {...noUnreads, oldMissing: true}}});
}

test.each([
  [122, 'everything'],
  [122, 'topic'],
  [277, 'everything'],
  [509, 'topic'],
] as const)('mark older read: unlisted messages are marked too (level %i, %s)', async (level, what) => {
  const fixture = await actionsFixture({level, isBare: true});
  withOldMissing(fixture);
  const narrow = what === 'everything' ? everythingNarrow : topicNarrow(fixture.channelId, 'talk');
  expect(markNarrowRead(fixture.client, narrow)).toBeUndefined();
  const arrived = await fixture.postMessage('unseen');
  const {client} = fixture;
  const action = markOlderReadAction(client.context, narrow, fixture.direct);
  const done = action && client.pendingChanges.perform(action);
  await fixture.syncAll();
  const unreadNow = async () => [
    ...(await new TestClient(fixture.server, fixture.meg).register()).state.unreads.byId.keys(),
  ];
  const stillUnread = what === 'everything' ? [] : [fixture.mentioned, fixture.direct];
  expect(await unreadNow()).toEqual([...stillUnread, arrived]);
  done?.undo();
  await fixture.syncAll();
  expect(await unreadNow()).toEqual([fixture.messageId, fixture.mentioned, fixture.direct, arrived]);
});

test('mark older read: undo leaves messages read that were read before', async () => {
  const fixture = await actionsFixture({isBare: true});
  const {client, messageId, mentioned, direct} = fixture;
  const read = await fixture.postMessage('read long ago', 'other');
  await fixture.otherClient().post('/messages/flags', {messages: [mentioned], op: 'add', flag: 'read'});
  await client.pollEvents();
  withOldMissing(fixture);
  const narrow = channelNarrow(fixture.channelId);
  const action = markOlderReadAction(client.context, narrow, read);
  const done = action && client.pendingChanges.perform(action);
  await fixture.syncAll();
  expect(done?.undo()?.action).toMatchObject({op: 'remove', flag: 'read', ids: [messageId, read]});
  await fixture.syncAll();
  const fresh = await new TestClient(fixture.server, fixture.meg).register();
  expect([...fresh.state.unreads.byId.keys()]).toEqual([messageId, direct, read]);
});

test('mark read: undo reverts only what is known to have changed', async () => {
  const fixture = await actionsFixture({isBare: true});
  withOldMissing(fixture);
  const {client, messageId, direct} = fixture;
  const done = client.pendingChanges.perform({
    kind: 'flags',
    op: 'add',
    flag: 'read',
    ids: [messageId, direct, messageId, 0.5],
  });
  expect(done).toMatchObject({action: {ids: [messageId, direct]}, inverse: {ids: []}});
  expect(done?.undo()).toBeUndefined();
  await fixture.syncAll();
  const fresh = await new TestClient(fixture.server, fixture.meg).register();
  expect([...fresh.state.unreads.byId.keys()]).toEqual([fixture.mentioned]);
});
