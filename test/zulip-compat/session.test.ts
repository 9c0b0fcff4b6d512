import {describe, expect, test} from 'vitest';
import {markAllRead} from '#state/actions/mark-read.ts';
import {channelNarrow, everythingNarrow, narrowKey} from '#state/model/narrow.ts';
import type {Session} from '#state/session.ts';
import {hasMessage, waitForState} from '#test/state/session-fixture.ts';
import {type CompatFixture, compatFixture} from './compat-fixture.ts';
import {message} from './events.ts';
import {errorResponse, type FakeResponse, htmlPage} from './fake-zulip-server.ts';
import type {Json} from './people.ts';
import {versionFields} from './register.ts';

const talk = {kind: 'topic', channelId: 1, topic: 'Trees'} as const;

async function started(stage: CompatFixture, random = 0.5): Promise<Session> {
  const session = stage.session({random: () => random});
  session.start();
  await session.ready();
  await session.timelines.open(everythingNarrow, 'newest');
  return session;
}

/** Somebody else says something. */
function say({server}: CompatFixture, content: string): number {
  const {world} = server;
  const id = world.freshId();
  const body = message(world.level, id, {content, reactions: []});
  world.add(body, []);
  server.tell({type: 'message', message: body, flags: []});
  return id;
}

const contents = (session: Session) =>
  [...session.cache.state.messages.byId.values()].map(({content}) => content);

describe.each([122, 157, 185, 277, 421, 500])('a whole session at level %i', (level) => {
  test('starts, paints what is there, and hears what happens', async () => {
    const stage = await compatFixture(level);
    const session = await started(stage);
    expect(session.cache.state.connection.phase).toBe('online');
    expect(session.cache.state.timelines.get(narrowKey(everythingNarrow))).toMatchObject({
      hasOldest: true,
      hasNewest: true,
      problem: undefined,
    });
    expect(contents(session)).toEqual(['old 0', 'old 1', 'old 2', 'old 3', 'old 4', 'psst']);
    // The first event has the id 0, and what is between is for nobody.
    stage.server.tell(
      {type: 'heartbeat'},
      {type: 'never_heard_of', op: 'x', payload: {}},
      {type: 'web_reload_client', immediate: true},
    );
    const id = say(stage, 'news');
    await waitForState(session, hasMessage(id));
    expect(session.cache.state.unreads.byId.has(id)).toBe(true);
    expect(session.cache.state.timelines.get(narrowKey(everythingNarrow))?.ids.last()).toBe(id);
    expect(stage.logged).toEqual([
      'Ignored an event: never_heard_of/x',
      'Ignored an event: web_reload_client',
    ]);
  });

  test('sends a message once, and it is read', async () => {
    const stage = await compatFixture(level);
    const session = await started(stage);
    session.outbox.send({conversation: talk, content: 'from here'});
    const state = await waitForState(
      session,
      ({outbox, messages, unreads}) =>
        outbox.length === 0 &&
        [...messages.byId.values()].some(({id, content}) => content === 'from here' && !unreads.byId.has(id)),
    );
    expect([...state.messages.byId.values()].filter(({content}) => content === 'from here')).toHaveLength(1);
    expect(stage.server.count('POST /messages')).toBe(1);
    expect([...stage.server.world.messages.values()].at(-1)).toMatchObject({
      subject: 'Trees',
      stream_id: 1,
      flags: ['read'],
    });
  });

  test('sends a direct message in words that the server knows', async () => {
    const stage = await compatFixture(level);
    const session = await started(stage);
    session.outbox.send({conversation: {kind: 'direct', userIds: [11, 77]}, content: 'psst'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    const {params} = await stage.server.askedFor('POST /messages');
    expect(params.get('type')).toMatch(level < 174 ? /^private$/ : /^(?:private|direct)$/);
    expect(JSON.parse(params.get('to') ?? '')).toEqual([11, 77]);
    expect(params.has('read_by_sender')).toBe(level >= 236);
  });

  test('marks read what is unread', async () => {
    const stage = await compatFixture(level);
    const session = await started(stage);
    const first = say(stage, 'one');
    const second = say(stage, 'two');
    await waitForState(session, hasMessage(second));
    markAllRead(session.context, session.pendingChanges);
    expect(session.cache.state.unreads.byId.size).toBe(0);
    await session.pendingChanges.idle();
    for (const id of [first, second]) expect(stage.server.world.messages.get(id)?.flags).toEqual(['read']);
    expect(stage.server.count('POST /messages/flags')).toBe(1);
  });

  test('keeps drafts on the server', async () => {
    const stage = await compatFixture(level);
    stage.server.world.saveDraft(7, {type: 'stream', to: [1], topic: 'Trees', content: 'from the phone'});
    const session = await started(stage);
    await session.drafts.flush();
    expect(session.drafts.all().map(({content}) => content)).toEqual(['from the phone']);
    session.drafts.edit(undefined, {target: talk, content: 'from here'});
    await session.drafts.flush();
    expect([...stage.server.world.drafts.values()].map(({content}) => content)).toEqual([
      'from the phone',
      'from here',
    ]);
  });

  test('survives the loss of its queue: nothing is missing, nothing is doubled', async () => {
    const stage = await compatFixture(level);
    const session = await started(stage);
    const heard = say(stage, 'heard');
    await waitForState(session, hasMessage(heard));
    const lost = stage.server.world.freshId();
    stage.server.world.add(message(level, lost, {content: 'while nobody listened', reactions: []}), ['read']);
    stage.server.collectQueue();
    await stage.server.askedFor('POST /register', 2);
    await waitForState(session, hasMessage(lost));
    const again = say(stage, 'after');
    await waitForState(session, hasMessage(again));
    expect(session.context.queueId()).toBe(stage.server.queueId);
    expect(contents(session).slice(-3)).toEqual(['heard', 'while nobody listened', 'after']);
  });
});

describe('odd moments', () => {
  test('everything travels compressed, in pieces, on connections that close', async () => {
    const stage = await compatFixture(371);
    Object.assign(stage.server.encodings, {gzip: true, close: true});
    const session = await started(stage);
    const id = say(stage, 'Größe');
    await waitForState(session, hasMessage(id));
    session.outbox.send({conversation: talk, content: 'from here'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    expect(stage.server.count('POST /messages')).toBe(1);
  });

  test('a gateway that loses the answer to a message does not make it two', async () => {
    const stage = await compatFixture(277);
    const session = await started(stage);
    stage.server.once('POST /messages', async (_asked, pass) => {
      await pass();
      return htmlPage(502, 'Bad Gateway');
    });
    session.outbox.send({conversation: talk, content: 'once'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    await session.outbox.idle();
    expect(stage.server.count('POST /messages')).toBe(1);
    expect(contents(session).filter((content) => content === 'once')).toHaveLength(1);
  });

  test('too many requests, said in a header only: the message waits and is sent once', async () => {
    const stage = await compatFixture(500);
    const session = await started(stage);
    stage.server.once('POST /messages', () => ({
      ...htmlPage(429, 'Too Many Requests'),
      headers: {'retry-after': '1.5', 'content-type': 'text/html'},
    }));
    session.outbox.send({conversation: talk, content: 'patient'});
    await waitForState(session, ({outbox}) => outbox.length === 0);
    expect(stage.server.count('POST /messages')).toBe(2);
    expect(contents(session).filter((content) => content === 'patient')).toHaveLength(1);
  });

  test('a refusal without a code, in another language, is shown as it is', async () => {
    const stage = await compatFixture(185);
    const session = await started(stage);
    stage.server.once('POST /messages', () =>
      errorResponse(400, {msg: 'Sie sind nicht berechtigt, hier zu schreiben'}),
    );
    session.outbox.send({conversation: talk, content: 'no'});
    const state = await waitForState(session, ({outbox}) => outbox[0]?.status === 'failed');
    expect(state.outbox[0]?.problem).toBe('Sie sind nicht berechtigt, hier zu schreiben.');
  });

  test('polls that bring a gateway’s page, a heartbeat or nothing at all end in news', async () => {
    const stage = await compatFixture(421);
    stage.server.once('GET /events', () => htmlPage(502, 'Bad Gateway'));
    stage.server.once('GET /events', () => htmlPage(503, 'Service Unavailable'));
    stage.server.once('GET /events', () => ({body: {result: 'success', msg: '', events: []}}));
    const session = await started(stage);
    await stage.server.askedFor('GET /events', 4);
    stage.server.tell({type: 'heartbeat'});
    await stage.server.askedFor('GET /events', 5);
    const id = say(stage, 'at last');
    await waitForState(session, hasMessage(id));
    expect(stage.server.count('POST /register')).toBe(1);
  });

  test('a position that the queue no longer has means a new registration', async () => {
    const stage = await compatFixture(421);
    stage.server.once('GET /events', () =>
      errorResponse(400, {code: 'BAD_REQUEST', msg: 'An event newer than 5 has already been pruned!'}),
    );
    const session = await started(stage);
    await stage.server.askedFor('POST /register', 2);
    await waitForState(session, ({connection}) => connection.phase === 'online');
  });

  test('a restart at the same level changes nothing; at another, everything is asked for again', async () => {
    const stage = await compatFixture(277);
    // Clients come back spread over minutes, whoever throws 0 at once.
    const session = await started(stage, 0);
    stage.server.tell({type: 'restart', ...versionFields(277), server_generation: 5});
    await waitForState(session, ({server}) => server.serverGeneration === 5);
    expect(stage.server.count('POST /register')).toBe(1);
    stage.server.tell({type: 'restart', ...versionFields(371), server_generation: 6});
    await stage.server.askedFor('POST /register', 2);
    await waitForState(session, ({connection}) => connection.phase === 'online');
  });

  test('answers that do not say whether there is more end where there is nothing more', async () => {
    const stage = await compatFixture(185);
    const silent = async (_asked: unknown, pass: () => Promise<FakeResponse>): Promise<FakeResponse> => {
      const {found_oldest: _o, found_newest: _n, ...rest} = (await pass()).body as Json;
      return {body: rest};
    };
    const session = stage.session();
    session.start();
    await session.ready();
    await stage.server.askedFor('GET /messages');
    for (let i = 0; i < 2; i++) stage.server.once('GET /messages', silent);
    await session.timelines.open(channelNarrow(1), 'newest');
    const timeline = () => session.cache.state.timelines.get(narrowKey(channelNarrow(1)));
    expect(timeline()).toMatchObject({hasOldest: false});
    await session.timelines.loadOlder(channelNarrow(1));
    expect(timeline()).toMatchObject({hasOldest: true});
    expect(timeline()?.ids.size).toBe(5);
  });

  test('a registration with odd records starts all the same, and the log says what was left out', async () => {
    const stage = await compatFixture(500);
    stage.server.snapshot = (answer) => ({
      ...answer,
      realm_users: [...(answer.realm_users as Json[]), {user_id: 99}, null, {user_id: 'x', email: 5}],
      subscriptions: [{stream_id: null}, ...(answer.subscriptions as Json[])],
      custom_profile_fields: 'none',
      user_settings: null,
      realm_emoji: [],
    });
    const session = await started(stage);
    expect(session.cache.state.users.size).toBeGreaterThan(8);
    expect(session.cache.state.subscriptions.size).toBe(4);
    expect(session.cache.state.emoji.size).toBe(0);
    const told = stage.logged.filter((line) => line.startsWith('Dropped invalid data from a response (queue.register)'));
    expect(told.join('\n')).toMatch(/realm_users\[6\]\.email: expected something, got nothing/);
    expect(told.join('\n')).toMatch(/subscriptions\[0\]/);
    expect(told.join('\n')).toMatch(/custom_profile_fields: expected a list, got a string/);
  });

  test('odd parts of an event are left out and told of once', async () => {
    const stage = await compatFixture(500);
    const session = await started(stage);
    const id = stage.server.world.freshId();
    const odd = message(500, id, {reactions: [{emoji_name: null}], last_edit_timestamp: 'yesterday'});
    stage.server.tell(
      {type: 'message', message: odd, flags: []},
      {type: 'message', message: {id: 5}, flags: []},
    );
    const state = await waitForState(session, hasMessage(id));
    expect(state.messages.byId.get(id)).toMatchObject({reactions: [], editedAt: undefined});
    expect(stage.logged).toEqual(
      [
        expect.stringMatching(/^Ignored an event: message, message\.type: expected one of/),
        expect.stringMatching(/^Left out of an event: message\.message\.last_edit_timestamp: /),
        expect.stringMatching(/^Left out of an event: message\.message\.reactions\[0\]/),
      ].toSorted(),
    );
  });
});
