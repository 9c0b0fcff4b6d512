import {describe, expect, test} from 'vitest';
import {channelNarrow, everythingNarrow, narrowKey} from '#state/model/narrow.ts';
import type {Session} from '#state/session.ts';
import {hasMessage, waitForState} from '#test/state/session-fixture.ts';
import {markNarrowRead} from '#test/support/mark-narrow-read.ts';
import {fewOf} from '#test/support/tier.ts';
import {type CompatFixture, compatFixture} from './compat-fixture.ts';
import {message} from './events.ts';
import {errorResponse, type FakeResponse, htmlPage} from './fake-zulip-server.ts';
import type {Json} from './people.ts';
import {versionFields} from './register.ts';

const talk = {kind: 'topic', channelId: 1, topic: 'Trees'} as const;

async function startSession(fixture: CompatFixture, random = 0.5): Promise<Session> {
  const session = fixture.session({random: () => random});
  session.start();
  await session.ready();
  await session.timelines.open(everythingNarrow, 'newest');
  return session;
}

/** Adds a message from another user. */
function addMessage({server}: CompatFixture, content: string): number {
  const {data} = server;
  const id = data.newId();
  const body = message(data.level, id, {content, reactions: []});
  data.add(body, []);
  server.pushEvents({type: 'message', message: body, flags: []});
  return id;
}

const messageContents = (session: Session) =>
  [...session.cache.state.messages.byId.values()].map(({content}) => content);

describe.each(fewOf([122, 500, 157, 185, 277, 421], 2))('session at level %i', (level) => {
  test('starts, paints the state and applies events', async () => {
    const fixture = await compatFixture(level);
    const session = await startSession(fixture);
    expect(session.cache.state.connection.phase).toBe('online');
    expect(session.cache.state.timelines.get(narrowKey(everythingNarrow))).toMatchObject({
      hasOldest: true,
      hasNewest: true,
      problem: undefined,
    });
    expect(messageContents(session)).toEqual(['old 0', 'old 1', 'old 2', 'old 3', 'old 4', 'psst']);
    // The first event has the id 0, and the ids between are unused.
    fixture.server.pushEvents(
      {type: 'heartbeat'},
      {type: 'never_heard_of', op: 'x', payload: {}},
      {type: 'web_reload_client', immediate: true},
    );
    const id = addMessage(fixture, 'news');
    await waitForState(session, hasMessage(id));
    expect(session.cache.state.unreads.byId.has(id)).toBe(true);
    expect(session.cache.state.timelines.get(narrowKey(everythingNarrow))?.ids.last()).toBe(id);
    expect(fixture.logged).toEqual(['Ignored an event: never_heard_of/x', 'Ignored an event: web_reload_client']);
  });

  test('sends a message once, and it arrives read', async () => {
    const fixture = await compatFixture(level);
    const session = await startSession(fixture);
    session.outbox.send({conversation: talk, content: 'from here'});
    const state = await waitForState(
      session,
      ({outbox, messages, unreads}) =>
        outbox.length === 0 &&
        [...messages.byId.values()].some(({id, content}) => content === 'from here' && !unreads.byId.has(id)),
    );
    expect([...state.messages.byId.values()].filter(({content}) => content === 'from here')).toHaveLength(1);
    expect(fixture.server.count('POST /messages')).toBe(1);
    expect([...fixture.server.data.messages.values()].at(-1)).toMatchObject({
      subject: 'Trees',
      stream_id: 1,
      flags: ['read'],
    });
  });

  test('sends a direct message in the level’s format', async () => {
    const fixture = await compatFixture(level);
    const session = await startSession(fixture);
    session.outbox.send({conversation: {kind: 'direct', userIds: [11, 77]}, content: 'psst'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    const {params} = await fixture.server.waitForRequest('POST /messages');
    expect(params.get('type')).toMatch(level < 174 ? /^private$/ : /^(?:private|direct)$/);
    expect(JSON.parse(params.get('to') ?? '')).toEqual([11, 77]);
    expect(params.has('read_by_sender')).toBe(level >= 236);
  });

  test('marks unread messages read', async () => {
    const fixture = await compatFixture(level);
    const session = await startSession(fixture);
    const first = addMessage(fixture, 'one');
    const second = addMessage(fixture, 'two');
    await waitForState(session, hasMessage(second));
    markNarrowRead(session);
    expect(session.cache.state.unreads.byId.size).toBe(0);
    await session.pendingChanges.idle();
    for (const id of [first, second]) expect(fixture.server.data.messages.get(id)?.flags).toEqual(['read']);
    expect(fixture.server.count('POST /messages/flags')).toBe(1);
  });

  test('stores drafts on the server', async () => {
    const fixture = await compatFixture(level);
    fixture.server.data.saveDraft(7, {type: 'stream', to: [1], topic: 'Trees', content: 'from the phone'});
    const session = await startSession(fixture);
    await session.drafts.flush();
    expect(session.drafts.all().map(({content}) => content)).toEqual(['from the phone']);
    session.drafts.edit(undefined, {target: talk, content: 'from here'});
    await session.drafts.flush();
    expect([...fixture.server.data.drafts.values()].map(({content}) => content)).toEqual([
      'from the phone',
      'from here',
    ]);
  });

  test('recovers from a lost queue without missing or duplicate messages', async () => {
    const fixture = await compatFixture(level);
    const session = await startSession(fixture);
    const heard = addMessage(fixture, 'heard');
    await waitForState(session, hasMessage(heard));
    const lost = fixture.server.data.newId();
    fixture.server.data.add(message(level, lost, {content: 'while nobody listened', reactions: []}), ['read']);
    fixture.server.collectQueue();
    await fixture.server.waitForRequest('POST /register', 2);
    await waitForState(session, hasMessage(lost));
    const again = addMessage(fixture, 'after');
    await waitForState(session, hasMessage(again));
    expect(session.context.queueId()).toBe(fixture.server.queueId);
    expect(messageContents(session).slice(-3)).toEqual(['heard', 'while nobody listened', 'after']);
  });
});

describe('session: unusual responses', () => {
  test('compressed, chunked responses on closing connections work', async () => {
    const fixture = await compatFixture(371);
    Object.assign(fixture.server.encodings, {gzip: true, close: true});
    const session = await startSession(fixture);
    const id = addMessage(fixture, 'Größe');
    await waitForState(session, hasMessage(id));
    session.outbox.send({conversation: talk, content: 'from here'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    expect(fixture.server.count('POST /messages')).toBe(1);
  });

  test('a lost response to a send does not duplicate the message', async () => {
    const fixture = await compatFixture(277);
    const session = await startSession(fixture);
    fixture.server.once('POST /messages', async (_asked, pass) => {
      await pass();
      return htmlPage(502, 'Bad Gateway');
    });
    session.outbox.send({conversation: talk, content: 'once'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    await session.outbox.idle();
    expect(fixture.server.count('POST /messages')).toBe(1);
    expect(messageContents(session).filter((content) => content === 'once')).toHaveLength(1);
  });

  test('with a rate limit in the header only, the message waits and is sent once', async () => {
    const fixture = await compatFixture(500);
    const session = await startSession(fixture);
    fixture.server.once('POST /messages', () => ({
      ...htmlPage(429, 'Too Many Requests'),
      headers: {'retry-after': '1.5', 'content-type': 'text/html'},
    }));
    session.outbox.send({conversation: talk, content: 'patient'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    expect(fixture.server.count('POST /messages')).toBe(2);
    expect(messageContents(session).filter((content) => content === 'patient')).toHaveLength(1);
  });

  test('an error without a code is shown with its text', async () => {
    const fixture = await compatFixture(185);
    const session = await startSession(fixture);
    fixture.server.once('POST /messages', () =>
      errorResponse(400, {msg: 'Sie sind nicht berechtigt, hier zu schreiben'}),
    );
    session.outbox.send({conversation: talk, content: 'no'});
    const state = await waitForState(session, ({outbox}) => outbox[0]?.status === 'failed');
    expect(state.outbox[0]?.problem).toBe('Sie sind nicht berechtigt, hier zu schreiben.');
  });

  test('polling continues after gateway pages, heartbeats and empty responses', async () => {
    const fixture = await compatFixture(421);
    fixture.server.once('GET /events', () => htmlPage(502, 'Bad Gateway'));
    fixture.server.once('GET /events', () => htmlPage(503, 'Service Unavailable'));
    fixture.server.once('GET /events', () => ({body: {result: 'success', msg: '', events: []}}));
    const session = await startSession(fixture);
    await fixture.server.waitForRequest('GET /events', 4);
    fixture.server.pushEvents({type: 'heartbeat'});
    await fixture.server.waitForRequest('GET /events', 5);
    const id = addMessage(fixture, 'at last');
    await waitForState(session, hasMessage(id));
    expect(fixture.server.count('POST /register')).toBe(1);
  });

  test('an event id that the queue no longer has leads to a new registration', async () => {
    const fixture = await compatFixture(421);
    fixture.server.once('GET /events', () =>
      errorResponse(400, {code: 'BAD_REQUEST', msg: 'An event newer than 5 has already been pruned!'}),
    );
    const session = await startSession(fixture);
    await fixture.server.waitForRequest('POST /register', 2);
    await waitForState(session, ({connection}) => connection.phase === 'online');
  });

  test('a restart at the same level changes nothing; at another level the client registers again', async () => {
    const fixture = await compatFixture(277);
    // Clients reconnect spread over minutes; with a random value of 0, at once.
    const session = await startSession(fixture, 0);
    fixture.server.pushEvents({type: 'restart', ...versionFields(277), server_generation: 5});
    await waitForState(session, ({server}) => server.serverGeneration === 5);
    expect(fixture.server.count('POST /register')).toBe(1);
    fixture.server.pushEvents({type: 'restart', ...versionFields(371), server_generation: 6});
    await fixture.server.waitForRequest('POST /register', 2);
    await waitForState(session, ({connection}) => connection.phase === 'online');
  });

  test('paging stops at an empty page if the server does not report the end', async () => {
    const fixture = await compatFixture(185);
    const silent = async (_asked: unknown, pass: () => Promise<FakeResponse>): Promise<FakeResponse> => {
      const {found_oldest: _o, found_newest: _n, ...rest} = (await pass()).body as Json;
      return {body: rest};
    };
    const session = fixture.session();
    session.start();
    await session.ready();
    await fixture.server.waitForRequest('GET /messages');
    for (let i = 0; i < 2; i++) fixture.server.once('GET /messages', silent);
    await session.timelines.open(channelNarrow(1), 'newest');
    const timeline = () => session.cache.state.timelines.get(narrowKey(channelNarrow(1)));
    expect(timeline()).toMatchObject({hasOldest: false});
    await session.timelines.loadOlder(channelNarrow(1));
    expect(timeline()).toMatchObject({hasOldest: true});
    expect(timeline()?.ids.size).toBe(5);
  });

  test('a registration with invalid records starts, and the log lists what was dropped', async () => {
    const fixture = await compatFixture(500);
    fixture.server.snapshot = (answer) => ({
      ...answer,
      realm_users: [...(answer.realm_users as Json[]), {user_id: 99}, null, {user_id: 'x', email: 5}],
      subscriptions: [{stream_id: null}, ...(answer.subscriptions as Json[])],
      custom_profile_fields: 'none',
      user_settings: null,
      realm_emoji: [],
    });
    const session = await startSession(fixture);
    expect(session.cache.state.users.size).toBeGreaterThan(8);
    expect(session.cache.state.subscriptions.size).toBe(4);
    expect(session.cache.state.emoji.size).toBe(0);
    const lines = fixture.logged.filter((line) =>
      line.startsWith('Dropped invalid data from a response (queue.register)'),
    );
    expect(lines.join('\n')).toMatch(/realm_users\[6\]\.email: expected something, got nothing/);
    expect(lines.join('\n')).toMatch(/subscriptions\[0\]/);
    expect(lines.join('\n')).toMatch(/custom_profile_fields: expected a list, got a string/);
  });

  test('invalid parts of an event are dropped and logged once', async () => {
    const fixture = await compatFixture(500);
    const session = await startSession(fixture);
    const id = fixture.server.data.newId();
    const odd = message(500, id, {reactions: [{emoji_name: null}], last_edit_timestamp: 'yesterday'});
    fixture.server.pushEvents(
      {type: 'message', message: odd, flags: []},
      {type: 'message', message: {id: 5}, flags: []},
    );
    const state = await waitForState(session, hasMessage(id));
    expect(state.messages.byId.get(id)).toMatchObject({reactions: [], editedAt: undefined});
    expect(fixture.logged).toEqual(
      [
        expect.stringMatching(/^Ignored an event: message, message\.type: expected one of/),
        expect.stringMatching(/^Left out of an event: message\.message\.last_edit_timestamp: /),
        expect.stringMatching(/^Left out of an event: message\.message\.reactions\[0\]/),
      ].toSorted(),
    );
  });
});
