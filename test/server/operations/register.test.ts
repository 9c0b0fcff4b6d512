import {describe, expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  sendDirect,
  sendToChannel,
} from './operations-fixture.ts';

const register = async (fixture: OperationsFixture, params: object = {}) =>
  expectValid(endpoints.register, await fixture.as(fixture.meg).post('/register', {...params}));

const always = [
  'idle_queue_timeout_secs',
  'last_event_id',
  'queue_id',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
];

describe('registration: what changes while it is made', () => {
  /** Returns Meg's registration, during which she adds an alert word and the channel is renamed. */
  async function registerDuringChanges(params: object) {
    const fixture = await operationsFixture({
      duringRegistration: async () => {
        await fixture.as(fixture.meg).post('/users/me/alert_words', {alert_words: ['tide']});
        await fixture.as(fixture.owner).patch(`/streams/${fixture.general}`, {new_name: 'renamed'});
      },
    });
    const state = await register(fixture, params);
    const {queue_id, last_event_id, alert_words} = state;
    const later = await fixture.as(fixture.meg).get('/events', {queue_id, last_event_id, dont_block: true});
    return {alert_words, channels: state.subscriptions.map(({name}: Reply) => name), later: later.events};
  }

  test('is in the state if its event type is fetched, or if no types are named', async () => {
    const changed = {alert_words: ['tide'], channels: ['renamed'], later: []};
    expect(await registerDuringChanges({})).toEqual(changed);
    const fetch_event_types = ['alert_words', 'subscription', 'stream'];
    expect(await registerDuringChanges({fetch_event_types})).toEqual(changed);
  });

  test('is in neither the state nor a later event if its event type is not fetched', async () => {
    const fetch_event_types = ['alert_words', 'subscription'];
    expect(await registerDuringChanges({fetch_event_types})).toEqual({
      alert_words: ['tide'],
      channels: ['general'],
      later: [],
    });
  });

  test('is not in the state if the queue does not get its events', async () => {
    const fetch_event_types = ['alert_words', 'subscription', 'stream'];
    expect(await registerDuringChanges({event_types: ['stream'], fetch_event_types})).toEqual({
      alert_words: [],
      channels: ['renamed'],
      later: [],
    });
  });
});

describe('registration: state', () => {
  test('some keys are always present', async () => {
    const fixture = await operationsFixture();
    const state = await register(fixture, {fetch_event_types: []});
    expect(responseFields(state)).toEqual(always);
    expect(state).toMatchObject({
      queue_id: expect.any(String),
      last_event_id: -1,
      idle_queue_timeout_secs: 600,
    });
  });

  test('fetch_event_types selects the state, else event_types, else all; unknown names are ignored', async () => {
    const fixture = await operationsFixture();
    const both = await register(fixture, {
      event_types: ['message'],
      fetch_event_types: ['alert_words', 'wibble'],
    });
    expect(responseFields(both)).toEqual(['alert_words', ...always].sort());
    const one = await register(fixture, {event_types: ['alert_words']});
    expect(responseFields(one)).toEqual(['alert_words', ...always].sort());
    const all = await register(fixture);
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining(['realm_users', 'subscriptions', 'unread_msgs', 'realm_name', 'user_settings']),
    );
  });

  test('the state has the maximum lengths of texts', async () => {
    const fixture = await operationsFixture();
    expect(await register(fixture, {fetch_event_types: ['realm']})).toMatchObject({
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      max_stream_description_length: 1024,
    });
  });

  test.each([
    ['false', false],
    ['true', true],
    ['partial', true],
  ])('include_subscribers=%s', async (include_subscribers, included) => {
    const fixture = await operationsFixture();
    const {subscriptions} = await register(fixture, {
      fetch_event_types: ['subscription'],
      include_subscribers,
    });
    const [{subscribers, partial_subscribers}] = subscriptions;
    expect((subscribers ?? partial_subscribers) !== undefined).toBe(included);
  });

  test('slim_presence and presence_history_limit_days apply to the presences', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.otto).post('/users/me/presence', {status: 'active'});
    const keys = async (params: object) =>
      Object.keys((await register(fixture, {fetch_event_types: ['presence'], ...params})).presences);
    expect(await keys({})).toEqual([fixture.otto.email]);
    expect(await keys({slim_presence: true})).toEqual([String(fixture.otto.id)]);
    fixture.clock.advance(3 * 86_400_000);
    expect(await keys({presence_history_limit_days: 2})).toEqual([]);
    expect(await keys({presence_history_limit_days: 4})).toEqual([fixture.otto.email]);
  });

  test('client_gravatar defaults to true', async () => {
    const fixture = await operationsFixture();
    const avatar = async (params: object) => {
      const {realm_users} = await register(fixture, {fetch_event_types: ['realm_user'], ...params});
      return realm_users.find((user: {user_id: number}) => user.user_id === fixture.otto.id).avatar_url;
    };
    expect(await avatar({})).toBeNull();
    expect(await avatar({client_gravatar: true})).toBeNull();
    expect(await avatar({client_gravatar: false})).toEqual(expect.any(String));
  });
});

describe('registration: events', () => {
  test('apply_markdown defaults to false', async () => {
    const fixture = await operationsFixture();
    const queues = [
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.meg).listen({apply_markdown: false}),
      await fixture.as(fixture.meg).listen({apply_markdown: true}),
    ];
    await sendToChannel(fixture.as(fixture.otto), fixture.general, 'lunch', '*hi*');
    const contents = await Promise.all(
      queues.map(async (queue) => {
        const [{message}] = (await eventsOf(queue, 'message')) as [{message: Record<string, string>}];
        return [message.content, message.content_type];
      }),
    );
    expect(contents).toEqual([
      ['*hi*', 'text/x-markdown'],
      ['*hi*', 'text/x-markdown'],
      ['<p><em>hi</em></p>', 'text/html'],
    ]);
  });

  test('a sender’s avatar equals the one in the list of users', async () => {
    const fixture = await operationsFixture();
    const hidden = fixture.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    fixture.server.people.subscribe(hidden, fixture.general);
    for (const client_gravatar of [true, false]) {
      const queue = await fixture.as(fixture.meg).listen({client_gravatar});
      for (const sender of [fixture.otto, hidden]) {
        await sendToChannel(fixture.as(sender), fixture.general);
        const [event] = await eventsOf(queue, 'message');
        const {user} = await fixture.as(fixture.meg).get(`/users/${sender.id}`, {client_gravatar});
        expect(event?.message.avatar_url).toBe(user.avatar_url);
      }
    }
  });

  test('the empty topic has its display name for older clients', async () => {
    const fixture = await operationsFixture();
    const old = await fixture.as(fixture.meg).listen({client_capabilities: {notification_settings_null: false}});
    const modern = await fixture.as(fixture.meg).listen();
    await sendToChannel(fixture.as(fixture.otto), fixture.general, '');
    expect((await eventsOf(old, 'message'))[0]?.message.subject).toBe('general chat');
    expect((await eventsOf(modern, 'message'))[0]?.message.subject).toBe('');
  });

  test('all_public_streams gets messages of all public channels and no private one; guests are refused', async () => {
    const fixture = await operationsFixture();
    const open = fixture.server.people.channel('open', [fixture.otto]);
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const wide = await fixture.as(fixture.bot).listen({all_public_streams: true, event_types: ['message']});
    const narrow = await fixture.as(fixture.bot).listen({event_types: ['message']});
    const messageId = await sendToChannel(fixture.as(fixture.otto), open);
    await sendToChannel(fixture.as(fixture.otto), secret);
    expect((await wide.events()).map(({message}) => message.id)).toEqual([messageId]);
    expect(await narrow.events()).toEqual([]);
    const params = {all_public_streams: true};
    await fixture.as(fixture.guest).refused('POST', '/register', params, {code: 'BAD_REQUEST', status: 400});
  });

  test.each([
    [[['channel', 'general']], ['lunch', 'tea']],
    [
      [
        ['stream', 'general'],
        ['topic', 'tea'],
      ],
      ['tea'],
    ],
    [[['topic', 'TEA']], ['tea']],
    [[['sender', 'otto.other@example.com']], ['lunch', 'private']],
    [[['is', 'dm']], ['private']],
    [[['is', 'private']], ['private']],
    [[['is', 'mentioned']], ['tea']],
  ])('narrow %j lets %j through and filters only message events', async (narrow, expected) => {
    const fixture = await operationsFixture();
    const queue = await fixture.as(fixture.meg).listen({narrow});
    await sendToChannel(fixture.as(fixture.otto), fixture.general, 'lunch', 'lunch');
    await sendToChannel(fixture.as(fixture.guest), fixture.general, 'tea', `tea @**${fixture.meg.fullName}**`);
    await sendDirect(fixture.as(fixture.otto), [fixture.meg.id], 'private');
    await fixture.as(fixture.meg).post('/users/me/alert_words', {alert_words: ['x']});
    const events = await queue.events();
    const words = events.filter(({type}) => type === 'message').map(({message}) => message.content.split(' ')[0]);
    expect(words).toEqual(expected);
    expect(events.map(({type}) => type)).toContain('alert_words');
  });

  test.each([
    [[['is', 'followed']]],
    [[['has', 'link']]],
    [[['search', 'x']]],
    [[{operator: 'topic', operand: 'x', negated: true}]],
  ])('narrow %j is refused', async (narrow) => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.meg).raw('POST', '/register', {narrow});
    expect([reply.status, reply.body.result]).toEqual([400, 'error']);
  });
});

describe('registration: without credentials', () => {
  const look = async (fixture: OperationsFixture, params: object = {}) =>
    fixture.server.anonymous().raw('POST', '/register', {...params});

  async function open(): Promise<OperationsFixture & {readonly lobby: number}> {
    const fixture = await operationsFixture();
    fixture.server.people.setting('enable_spectator_access', true);
    return {...fixture, lobby: fixture.server.people.channel('lobby', [fixture.meg], {is_web_public: 1})};
  }

  test('is 401 if the organization does not allow spectators', async () => {
    const fixture = await operationsFixture();
    expect((await look(fixture)).status).toBe(401);
  });

  test('returns no queue and only public state', async () => {
    const fixture = await open();
    await fixture.as(fixture.meg).post('/users/me/presence', {status: 'active'});
    const {status, body} = await look(fixture);
    expect(status).toBe(200);
    expect(expectValid(endpoints.register, body)).toMatchObject({
      queue_id: null,
      last_event_id: -1,
      zulip_feature_level: 509,
      realm_name: expect.any(String),
      subscriptions: [],
      unsubscribed: [],
      never_subscribed: [{stream_id: fixture.lobby}],
    });
    expect(body.never_subscribed).toHaveLength(1);
    expect(body).not.toHaveProperty('idle_queue_timeout_secs');
    expect(JSON.stringify(body)).not.toContain('@example.com');
    for (const key of ['realm_users', 'presences', 'user_status', 'unread_msgs', 'realm_bots']) {
      expect(body).not.toHaveProperty(key);
    }
  });

  test.each([
    {fetch_event_types: ['realm_user', 'presence', 'realm_emoji']},
    {event_types: ['realm_emoji', 'message']},
  ])('requesting more with %j returns no more', async (params) => {
    const fixture = await open();
    const {body} = await look(fixture, params);
    const versions = always.filter((name) => name !== 'idle_queue_timeout_secs');
    expect(responseFields(body)).toEqual([...versions, 'realm_emoji'].sort());
  });

  test.each([{client_gravatar: true}, {include_subscribers: true}, {include_subscribers: 'partial'}])(
    '%j is refused',
    async (params) => {
      const fixture = await open();
      const reply = await look(fixture, params);
      expect([reply.status, reply.body.code]).toEqual([400, 'BAD_REQUEST']);
      expect((await look(fixture, {client_gravatar: false, include_subscribers: false})).status).toBe(200);
    },
  );

  test('wrong credentials are refused', async () => {
    const fixture = await open();
    expect((await fixture.as({...fixture.meg, apiKey: 'wrong'}).raw('POST', '/register')).status).toBe(401);
  });
});

describe('registration: idle timeout', () => {
  test.each([
    [undefined, 600],
    [100, 100],
    ['"mobile"', 43_200],
    [10_000_000, 604_800],
  ])('idle_queue_timeout %j gives %i seconds', async (idle_queue_timeout, seconds) => {
    const fixture = await operationsFixture();
    const state = await register(fixture, {fetch_event_types: [], idle_queue_timeout});
    expect(state.idle_queue_timeout_secs).toBe(seconds);
  });

  test.each(['forever', 'mobile', '[]', '1.5'])('idle_queue_timeout %j is refused', async (idle_queue_timeout) => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.meg).raw('POST', '/register', {idle_queue_timeout});
    expect(reply.status).toBe(400);
  });

  test('an idle queue expires after its own timeout', async () => {
    const fixture = await operationsFixture();
    const [short, long] = [
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.meg).listen({idle_queue_timeout: '"mobile"'}),
    ];
    fixture.clock.advance(661_000);
    const poll = {queue_id: short.queueId, last_event_id: -1, dont_block: true};
    await fixture.as(fixture.meg).refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
    expect(await long.events()).toEqual([]);
  });

  test('the legacy internal parameter is ignored and listed', async () => {
    const fixture = await operationsFixture();
    const state = await register(fixture, {fetch_event_types: [], queue_lifespan_secs: 5});
    expect(state.idle_queue_timeout_secs).toBe(600);
    expect(state.ignored_parameters_unsupported).toEqual(['queue_lifespan_secs']);
  });
});
