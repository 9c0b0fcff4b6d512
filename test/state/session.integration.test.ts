import {describe, expect, test, vi} from 'vitest';
import {topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, everythingNarrow, narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {recentDirectConversations} from '#state/selectors/lists/conversation-rows.ts';
import type {AccountState} from '#state/state.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {expectInSync, hasMessage, sessionFixture, waitForState} from './session-fixture.ts';

describe('starting a session', () => {
  test.each(fewOf([509, 371, 277, 122]))('registers with a server of level %i and receives events', async (level) => {
    const fixture = await sessionFixture({level});
    const before = await fixture.postMessage('before');
    const session = fixture.session();
    session.start();
    await session.ready();
    expect(session.cache.state.server.level).toBe(level);
    await waitForState(session, hasMessage(before));
    const id = await fixture.postMessage('after');
    await waitForState(session, hasMessage(id));
    expect(session.cache.state.unreads.byId.has(id)).toBe(true);
    await expectInSync(fixture, session);
  });

  test('with an invalid key rejects and says why', async () => {
    const fixture = await sessionFixture();
    const api = clientOf(fixture.server, {...fixture.meg, apiKey: 'x'.repeat(32)});
    const session = fixture.session({api});
    session.start();
    await expect(session.ready()).rejects.toMatchObject({kind: 'login'});
    expect(session.cache.state.connection.phase).toBe('signedOut');
  });

  test('shows the saved state, and when it was saved', async () => {
    const fixture = await sessionFixture();
    const {store} = openAccountStore({
      path: ':memory:',
      clock: systemClock,
      random: () => 0.5,
      log: () => {},
    });
    const id = await fixture.postMessage('hello');
    const first = fixture.session({store});
    first.start();
    await first.ready();
    await waitForState(first, hasMessage(id));
    await first.stop();
    const second = fixture.session({store, initial: restoreState(store)});
    expect(second.cache.state.connection).toEqual({phase: 'starting', savedAt: expect.any(Number)});
    expect(second.cache.state.messages.byId.get(id)?.content).toBe('hello');
    expect(second.cache.state.unreads.byId.has(id)).toBe(true);
    second.start();
    await second.ready();
    await expectInSync(fixture, second);
    await second.stop();
    store.close();
  });

  test('session: stopping deletes the queue and ends all tasks', async () => {
    const fixture = await sessionFixture();
    const session = fixture.session({clock: systemClock});
    session.start();
    await session.ready();
    const queueId = session.context.queueId();
    await session.stop();
    expect(session.cache.state.connection).toEqual({phase: 'stopped'});
    expect(session.context.signal.aborted).toBe(true);
    await fixture.server
      .as(fixture.meg)
      .refused('GET', '/events', {queue_id: queueId, last_event_id: -1}, {code: 'BAD_EVENT_QUEUE_ID'});
  });
});

describe('session faults', () => {
  test('a lost queue: nothing is missing or duplicated in any slice', async () => {
    const fixture = await sessionFixture();
    for (let n = 0; n < 5; n++) await fixture.postMessage(`before ${n}`);
    const session = fixture.session();
    session.start();
    await session.ready();
    const narrows = [everythingNarrow, channelNarrow(fixture.channelId), topicNarrow(fixture.channelId, 'talk')];
    for (const narrow of narrows) await session.timelines.open(narrow, 'newest');
    await session.fetchTopics(fixture.channelId);
    await fixture.hook('expire-queues');
    const missed = await fixture.postMessage('missed', 'new topic');
    await waitForState(session, (state) => fixture.registrations === 2 && hasMessage(missed)(state));
    const live = await fixture.postMessage('live');
    await waitForState(session, hasMessage(live));
    await waitForState(session, ({timelines}) =>
      narrows.every((n) => timelines.get(narrowKey(n))?.loading === undefined),
    );
    await waitForState(session, ({topics}) => topics.get(fixture.channelId)?.byKey.has('new topic') === true);
    await expectInSync(fixture, session);
  });

  test.each([
    ['a gateway error', {kind: 'html'}],
    ['a truncated response', {kind: 'truncate'}],
    ['a dropped connection', {kind: 'drop_before'}],
    ['a response dropped after the events were dequeued', {kind: 'drop_after'}],
    ['a busy server', {kind: 'rate_limit', retry_after: 1}],
    ['a broken server', {kind: 'status', status: 500, code: 'INTERNAL_SERVER_ERROR'}],
  ])('%s while polling loses and duplicates nothing', async (_what, fault) => {
    const fixture = await sessionFixture();
    const session = fixture.session();
    session.start();
    await session.ready();
    const queueId = session.context.queueId();
    await session.timelines.open(everythingNarrow, 'newest');
    await fixture.hook('fault', {method: 'GET', path: '/events', times: 2, ...fault});
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await fixture.postMessage(`message ${n}`));
    await waitForState(session, (state) => ids.every((id) => hasMessage(id)(state)));
    const last = await fixture.postMessage('afterwards');
    await waitForState(session, hasMessage(last));
    expect(session.context.queueId()).toBe(queueId);
    expect(session.cache.state.timelines.get(narrowKey(everythingNarrow))?.ids.size).toBe(6);
    await expectInSync(fixture, session);
  });

  test.each(['/server_settings', '/register'])('a failure of %s is retried until it works', async (path) => {
    const fixture = await sessionFixture();
    await fixture.hook('fault', {path, kind: 'html', status: 200});
    await fixture.hook('fault', {path, kind: 'truncate'});
    await fixture.hook('fault', {path, kind: 'rate_limit', retry_after: 1});
    const session = fixture.session();
    session.start();
    await waitForState(session, ({connection}) => connection.phase === 'offline');
    await session.ready();
    await expectInSync(fixture, session);
  });

  test('events that are delivered twice apply once', async () => {
    const fixture = await sessionFixture();
    const session = fixture.session();
    session.start();
    await session.ready();
    await session.timelines.open(everythingNarrow, 'newest');
    const ids = [await fixture.postMessage('one'), await fixture.postMessage('two')];
    await waitForState(session, (state) => ids.every((id) => hasMessage(id)(state)));
    await fixture.hook('heartbeat');
    await fixture.hook('redeliver', {count: 2});
    const last = await fixture.postMessage('three');
    await waitForState(session, hasMessage(last));
    expect(session.cache.state.unreads.byId.size).toBe(3);
    await expectInSync(fixture, session);
  });

  test('a revoked key is noticed with the first action, which stays stored', async () => {
    const fixture = await sessionFixture();
    const id = await fixture.postMessage('hello');
    const session = fixture.session({clock: systemClock});
    session.start();
    await session.ready();
    await fixture.server.as(fixture.meg).post('/users/me/api_key/regenerate');
    const read = {kind: 'flags', op: 'add', flag: 'read', ids: [id]} as const;
    session.pendingChanges.perform(read);
    await waitForState(session, ({connection}) => connection.phase === 'signedOut');
    expect(session.pendingChanges.pendingActions()).toEqual([read]);
    expect(session.cache.state.unreads.byId.has(id)).toBe(false);
  });

  test('a single login failure does not block later actions', async () => {
    const fixture = await sessionFixture();
    const id = await fixture.postMessage('hello');
    const session = fixture.session();
    session.start();
    await session.ready();
    await fixture.hook('fault', {
      path: '/messages/flags',
      kind: 'status',
      status: 401,
      code: 'INVALID_API_KEY',
    });
    session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [id]});
    await waitForState(session, () => session.pendingChanges.pendingActions().length === 0);
    expect(session.cache.state.connection.phase).toBe('online');
    await expectInSync(fixture, session);
  });

  test.each([
    ['a JSON login failure', {kind: 'status', status: 401, code: 'INVALID_API_KEY'}],
    ['a web page with status 401', {kind: 'html', status: 401}],
  ])('%s of one poll does not sign out', async (_what, fault) => {
    const fixture = await sessionFixture();
    const session = fixture.session();
    const phases = new Set<string>();
    session.cache.subscribe(['connection'], ({connection}) => void phases.add(connection.phase));
    session.start();
    await session.ready();
    await waitForState(session, hasMessage(await fixture.postMessage('before')));
    await fixture.hook('fault', {path: '/events', ...fault});
    const first = await fixture.postMessage('ends the poll in flight');
    const second = await fixture.postMessage('after the fault');
    await waitForState(session, (state) => hasMessage(first)(state) && hasMessage(second)(state));
    expect(phases).not.toContain('signedOut');
    expect(await fixture.hook('clear-faults')).toMatchObject({left: 0});
    await expectInSync(fixture, session);
  });

  test('a deactivated account is signed out, keeps what was written, and heals when it is active again', async () => {
    const fixture = await sessionFixture();
    const {server, meg, channelId} = fixture;
    const owner = server.people.owner();
    const session = fixture.session();
    session.start();
    await session.ready();
    await server.as(owner).delete(`/users/${meg.id}`);
    const {connection} = await waitForState(session, (state) => state.connection.phase === 'signedOut');
    expect(connection).toMatchObject({problem: 'Account is deactivated.', isDeactivated: true});
    const {id} = session.outbox.send({conversation: topicConversation(channelId, 'talk'), content: 'still here'});
    await server.as(owner).post(`/users/${meg.id}/reactivate`);
    await waitForState(session, (state) => state.connection.phase === 'online' && state.outbox.length === 0);
    expect(session.context.store.outbox.all().map((entry) => entry.id)).not.toContain(id);
    const {messages} = await server.as(meg).get('/messages', {anchor: 'newest', num_before: 10, num_after: 0});
    expect(messages.filter(({content}: {content: string}) => content.includes('still here'))).toHaveLength(1);
  });

  test.each([400, 403, 404])(
    'a web page with status %i at the start is said, and the session starts after it',
    async (status) => {
      const fixture = await sessionFixture();
      await fixture.hook('fault', {path: '/server_settings', kind: 'html', status, times: 2});
      await fixture.hook('fault', {path: '/register', kind: 'html', status, times: 2});
      const session = fixture.session();
      session.start();
      const {connection} = await waitForState(session, (state) => state.connection.phase === 'offline');
      const problem = `Received a web page (status ${status}) from ${new URL(fixture.server.url).host}: check the address, and for a proxy or a network login page.`;
      expect(connection).toMatchObject({problem, answered: 'webPage'});
      await session.ready();
      await expectInSync(fixture, session);
    },
  );

  slowTest('a response that is too large is said and not fetched again at once', async () => {
    const fixture = await sessionFixture();
    const before = await fixture.postMessage('before');
    const session = fixture.session();
    session.start();
    await waitForState(session, hasMessage(before));
    await fixture.hook('fault', {path: '/messages', kind: 'gzip_bomb', times: 5});
    const {host} = new URL(fixture.server.url);
    const narrow = topicNarrow(fixture.channelId, 'talk');
    const getMessages = vi.spyOn(session.context.api, 'getMessages');
    await expect(session.timelines.open(narrow, 'oldest')).rejects.toThrow(
      `Invalid response from ${host}: it is larger than 16 MiB.`,
    );
    // Other requests of the session may meet the fault too.
    const ofNarrow = getMessages.mock.calls.filter(([asked]) => JSON.stringify(asked?.narrow)?.includes('talk'));
    expect(ofNarrow).toHaveLength(1);
  });

  slowTest('a snapshot that is too large is said and tried again with pauses', async () => {
    const fixture = await sessionFixture();
    await fixture.hook('fault', {path: '/register', kind: 'gzip_bomb', times: 2});
    const session = fixture.session();
    session.start();
    const {connection} = await waitForState(session, (state) => state.connection.phase === 'offline');
    const {host} = new URL(fixture.server.url);
    expect(connection).toMatchObject({
      answered: 'unreadable',
      problem: `Invalid response from ${host}: it is larger than 64 MiB.`,
      retryAt: expect.any(Number),
    });
    await session.ready();
    await expectInSync(fixture, session);
  });

  test('a web page instead of the response to a change does not undo the change', async () => {
    const fixture = await sessionFixture();
    const id = await fixture.postMessage('hello');
    const session = fixture.session();
    session.start();
    await waitForState(session, hasMessage(id));
    await fixture.hook('fault', {path: '/messages/flags', kind: 'html', status: 403, times: 3});
    session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [id]});
    await waitForState(session, () => session.pendingChanges.pendingActions().length === 0);
    expect(await fixture.hook('clear-faults')).toMatchObject({left: 0});
    await expectInSync(fixture, session);
    expect(session.cache.state.unreads.byId.has(id)).toBe(false);
  });

  test('a restart at another level causes a new registration', async () => {
    const fixture = await sessionFixture();
    const session = fixture.session({random: () => 0});
    session.start();
    await session.ready();
    await fixture.hook('restart', {feature_level: 508});
    const id = await fixture.postMessage('after the restart');
    await waitForState(session, (state) => fixture.registrations === 2 && hasMessage(id)(state));
    await expectInSync(fixture, session);
  });

  test('a restart at the same level changes nothing', async () => {
    const fixture = await sessionFixture();
    const session = fixture.session({random: () => 0});
    session.start();
    await session.ready();
    const first = session.context.queueId();
    await fixture.hook('restart', {});
    const id = await fixture.postMessage('after the restart');
    await waitForState(session, hasMessage(id));
    expect(session.context.queueId()).toBe(first);
  });
});

test('session: a key that is replaced elsewhere signs out at once, and drafts and unsent messages stay', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session();
  session.start();
  await session.ready();
  const conversation = topicConversation(fixture.channelId, 'talk');
  session.drafts.edit(undefined, {target: conversation, content: 'half a thought'});
  await fixture.server.as(fixture.meg).post('/users/me/api_key/regenerate');
  await fixture.postMessage('not for the old key', 'talk');
  const {messages} = await waitForState(session, ({connection}) => connection.phase === 'signedOut');
  expect([...messages.byId.values()].some(({content}) => content.startsWith('not for'))).toBe(false);
  session.outbox.send({conversation, content: 'later'});
  expect(session.cache.state).toMatchObject({
    localDrafts: [{content: 'half a thought'}],
    outbox: [{content: 'later', status: 'queued'}],
  });
});

test('session: after a change of their own role, the user has the bots and default channels of that role', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const owner = server.people.owner();
  await server.as(otto).post('/bots', {full_name: 'Helper', short_name: 'helper'});
  await server.as(owner).post('/default_streams', {stream_id: fixture.channelId});
  const session = fixture.session();
  session.start();
  await session.ready();
  for (const role of [200, 600, 400]) {
    const {registrations} = fixture;
    await server.as(owner).patch(`/users/${meg.id}`, {role});
    await waitForState(session, ({users}) => users.get(meg.id)?.role === role && fixture.registrations > registrations);
    const {bots, defaultChannels} = session.cache.state;
    expect([bots.size, defaultChannels.size]).toEqual([role === 200 ? 1 : 0, role === 600 ? 0 : 1]);
    await expectInSync(fixture, session);
  }
});

test('session: the topic policies of a channel that was archived are known again when it is unarchived', async () => {
  const fixture = await sessionFixture();
  const {server, meg, channelId} = fixture;
  const owner = server.people.owner();
  await server.as(meg).post('/user_topics', {stream_id: channelId, topic: 'talk', visibility_policy: 1});
  const session = fixture.session();
  session.start();
  await session.ready();
  expect(session.cache.state.userTopics.size).toBe(1);
  await server.as(owner).delete(`/streams/${channelId}`);
  await waitForState(session, ({channels}) => channels.get(channelId)?.isArchived === true);
  await expectInSync(fixture, session);
  await server.as(owner).patch(`/streams/${channelId}`, {is_archived: false});
  await waitForState(session, ({userTopics}) => userTopics.size === 1);
  await expectInSync(fixture, session);
});

describe('a deleted direct message', () => {
  /** Otto writes these to Meg before her session starts. */
  async function directFixture(texts: readonly string[]) {
    const fixture = await sessionFixture();
    const {server, meg, otto} = fixture;
    const write = async (content: string) =>
      (await server.as(otto).post('/messages', {type: 'direct', to: [meg.id], content})).id;
    const ids: number[] = [];
    for (const text of texts) ids.push(await write(text));
    return {...fixture, ids, remove: (id: number) => server.as(otto).delete(`/messages/${id}`)};
  }

  const lastDirects = (state: AccountState) => recentDirectConversations(state).map(({lastMessageId}) => lastMessageId);

  test('that was the only one of its conversation removes the conversation from the lists', async () => {
    const fixture = await directFixture(['hello']);
    const client = fixture.session();
    client.start();
    await client.ready();
    await client.recentMessages();
    await fixture.remove(fixture.ids[0] ?? 0);
    await waitForState(client, (state) => lastDirects(state).length === 0);
    await expectInSync(fixture, client);
  });

  test('leaves the conversation with its newest message, which the session has not loaded', async () => {
    const fixture = await directFixture(['one', 'two', 'three']);
    const {server, meg, ids} = fixture;
    await server.as(meg).post('/messages/flags', {messages: ids, op: 'add', flag: 'read'});
    const [one = 0, two = 0, three = 0] = ids;
    const client = fixture.session();
    client.start();
    await client.ready();
    await client.recentMessages();
    // As after a search: a message is loaded, and the one after it is not.
    client.cache.apply({type: 'messages_evicted', windows: [], ids: [two, three]});
    await fixture.remove(three);
    await waitForState(client, (state) => lastDirects(state)[0] === two);
    await fixture.remove(two);
    await waitForState(client, (state) => lastDirects(state)[0] === one);
    await expectInSync(fixture, client);
  });
});
