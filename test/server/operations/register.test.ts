import {describe, expect, test} from 'vitest';
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

const register = async (at: OperationsFixture, params: object = {}) =>
  expectValid(endpoints.register, await at.as(at.meg).post('/register', {...params}));

const always = [
  'feature_level',
  'idle_queue_timeout_secs',
  'last_event_id',
  'merge_base',
  'queue_id',
  'server_version',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
];

describe('registration: state', () => {
  test('some keys are always present', async () => {
    const at = await operationsFixture();
    const state = await register(at, {fetch_event_types: []});
    expect(responseFields(state)).toEqual(always);
    expect(state).toMatchObject({
      queue_id: expect.any(String),
      last_event_id: -1,
      idle_queue_timeout_secs: 600,
    });
  });

  test('fetch_event_types selects the state, else event_types, else all; unknown names are ignored', async () => {
    const at = await operationsFixture();
    const both = await register(at, {event_types: ['message'], fetch_event_types: ['alert_words', 'wibble']});
    expect(responseFields(both)).toEqual(['alert_words', ...always].sort());
    const one = await register(at, {event_types: ['alert_words']});
    expect(responseFields(one)).toEqual(['alert_words', ...always].sort());
    const all = await register(at);
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining(['realm_users', 'subscriptions', 'unread_msgs', 'realm_name', 'user_settings']),
    );
  });

  test('the state has the maximum lengths of texts', async () => {
    const at = await operationsFixture();
    expect(await register(at, {fetch_event_types: ['realm']})).toMatchObject({
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
    const at = await operationsFixture();
    const {subscriptions} = await register(at, {fetch_event_types: ['subscription'], include_subscribers});
    const [{subscribers, partial_subscribers}] = subscriptions;
    expect((subscribers ?? partial_subscribers) !== undefined).toBe(included);
  });

  test('slim_presence and presence_history_limit_days apply to the presences', async () => {
    const at = await operationsFixture();
    await at.as(at.otto).post('/users/me/presence', {status: 'active'});
    const keys = async (params: object) =>
      Object.keys((await register(at, {fetch_event_types: ['presence'], ...params})).presences);
    expect(await keys({})).toEqual([at.otto.email]);
    expect(await keys({slim_presence: true})).toEqual([String(at.otto.id)]);
    at.clock.advance(3 * 86_400_000);
    expect(await keys({presence_history_limit_days: 2})).toEqual([]);
    expect(await keys({presence_history_limit_days: 4})).toEqual([at.otto.email]);
  });

  test('client_gravatar defaults to true', async () => {
    const at = await operationsFixture();
    const avatar = async (params: object) => {
      const {realm_users} = await register(at, {fetch_event_types: ['realm_user'], ...params});
      return realm_users.find((user: {user_id: number}) => user.user_id === at.otto.id).avatar_url;
    };
    expect(await avatar({})).toBeNull();
    expect(await avatar({client_gravatar: true})).toBeNull();
    expect(await avatar({client_gravatar: false})).toEqual(expect.any(String));
  });
});

describe('registration: events', () => {
  test('apply_markdown defaults to false', async () => {
    const at = await operationsFixture();
    const queues = [
      await at.as(at.meg).listen(),
      await at.as(at.meg).listen({apply_markdown: false}),
      await at.as(at.meg).listen({apply_markdown: true}),
    ];
    await sendToChannel(at.as(at.otto), at.general, 'lunch', '*hi*');
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
    const at = await operationsFixture();
    const hidden = at.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    at.server.people.subscribe(hidden, at.general);
    for (const client_gravatar of [true, false]) {
      const queue = await at.as(at.meg).listen({client_gravatar});
      for (const sender of [at.otto, hidden]) {
        await sendToChannel(at.as(sender), at.general);
        const [event] = await eventsOf(queue, 'message');
        const {user} = await at.as(at.meg).get(`/users/${sender.id}`, {client_gravatar});
        expect(event?.message.avatar_url).toBe(user.avatar_url);
      }
    }
  });

  test('the empty topic has its display name for older clients', async () => {
    const at = await operationsFixture();
    const old = await at.as(at.meg).listen({client_capabilities: {}});
    const modern = await at.as(at.meg).listen();
    await sendToChannel(at.as(at.otto), at.general, '');
    expect((await eventsOf(old, 'message'))[0]?.message.subject).toBe('general chat');
    expect((await eventsOf(modern, 'message'))[0]?.message.subject).toBe('');
  });

  test('all_public_streams gets messages of all public channels and no private one; guests are refused', async () => {
    const at = await operationsFixture();
    const open = at.server.people.channel('open', [at.otto]);
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const wide = await at.as(at.bot).listen({all_public_streams: true, event_types: ['message']});
    const narrow = await at.as(at.bot).listen({event_types: ['message']});
    const heard = await sendToChannel(at.as(at.otto), open);
    await sendToChannel(at.as(at.otto), secret);
    expect((await wide.events()).map(({message}) => message.id)).toEqual([heard]);
    expect(await narrow.events()).toEqual([]);
    const params = {all_public_streams: true};
    await at.as(at.guest).refused('POST', '/register', params, {code: 'BAD_REQUEST', status: 400});
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
    [[{operator: 'topic', operand: 'lunch'}], ['lunch']],
  ])('narrow %j lets %j through and filters only message events', async (narrow, expected) => {
    const at = await operationsFixture();
    const queue = await at.as(at.meg).listen({narrow});
    await sendToChannel(at.as(at.otto), at.general, 'lunch', 'lunch');
    await sendToChannel(at.as(at.guest), at.general, 'tea', `tea @**${at.meg.fullName}**`);
    await sendDirect(at.as(at.otto), [at.meg.id], 'private');
    await at.as(at.meg).post('/users/me/alert_words', {alert_words: ['x']});
    const events = await queue.events();
    const words = events
      .filter(({type}) => type === 'message')
      .map(({message}) => message.content.split(' ')[0]);
    expect(words).toEqual(expected);
    expect(events.map(({type}) => type)).toContain('alert_words');
  });

  test.each([
    [[['is', 'followed']]],
    [[['has', 'link']]],
    [[['search', 'x']]],
    [[{operator: 'topic', operand: 'x', negated: true}]],
  ])('narrow %j is refused', async (narrow) => {
    const at = await operationsFixture();
    const reply = await at.as(at.meg).raw('POST', '/register', {narrow});
    expect([reply.status, reply.body.result]).toEqual([400, 'error']);
  });
});

describe('registration: without credentials', () => {
  const look = async (at: OperationsFixture, params: object = {}) =>
    at.server.anonymous().raw('POST', '/register', {...params});

  async function open(): Promise<OperationsFixture & {readonly lobby: number}> {
    const at = await operationsFixture();
    at.server.people.setting('enable_spectator_access', true);
    return {...at, lobby: at.server.people.channel('lobby', [at.meg], {is_web_public: 1})};
  }

  test('is 401 if the organization does not allow spectators', async () => {
    const at = await operationsFixture();
    expect((await look(at)).status).toBe(401);
  });

  test('returns no queue and only public state', async () => {
    const at = await open();
    await at.as(at.meg).post('/users/me/presence', {status: 'active'});
    const {status, body} = await look(at);
    expect(status).toBe(200);
    expect(expectValid(endpoints.register, body)).toMatchObject({
      queue_id: null,
      last_event_id: -1,
      zulip_feature_level: 509,
      realm_name: expect.any(String),
      subscriptions: [],
      unsubscribed: [],
      never_subscribed: [{stream_id: at.lobby}],
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
    const at = await open();
    const {body} = await look(at, params);
    const versions = always.filter((name) => name !== 'idle_queue_timeout_secs');
    expect(responseFields(body)).toEqual([...versions, 'realm_emoji'].sort());
  });

  test.each([{client_gravatar: true}, {include_subscribers: true}, {include_subscribers: 'partial'}])(
    '%j is refused',
    async (params) => {
      const at = await open();
      const reply = await look(at, params);
      expect([reply.status, reply.body.code]).toEqual([400, 'BAD_REQUEST']);
      expect((await look(at, {client_gravatar: false, include_subscribers: false})).status).toBe(200);
    },
  );

  test('wrong credentials are refused', async () => {
    const at = await open();
    expect((await at.as({...at.meg, apiKey: 'wrong'}).raw('POST', '/register')).status).toBe(401);
  });
});

describe('registration: idle timeout', () => {
  test.each([
    [undefined, 600],
    [100, 100],
    ['"mobile"', 43_200],
    ['mobile', 43_200],
    [10_000_000, 604_800],
  ])('idle_queue_timeout %j gives %i seconds', async (idle_queue_timeout, seconds) => {
    const at = await operationsFixture();
    const state = await register(at, {fetch_event_types: [], idle_queue_timeout});
    expect(state.idle_queue_timeout_secs).toBe(seconds);
  });

  test.each(['forever', '[]', '1.5'])('idle_queue_timeout %j is refused', async (idle_queue_timeout) => {
    const at = await operationsFixture();
    const reply = await at.as(at.meg).raw('POST', '/register', {idle_queue_timeout});
    expect(reply.status).toBe(400);
  });

  test('an idle queue expires after its own timeout', async () => {
    const at = await operationsFixture();
    const [short, long] = [
      await at.as(at.meg).listen(),
      await at.as(at.meg).listen({idle_queue_timeout: 'mobile'}),
    ];
    at.clock.advance(661_000);
    const poll = {queue_id: short.queueId, last_event_id: -1, dont_block: true};
    await at.as(at.meg).refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
    expect(await long.events()).toEqual([]);
  });

  test('the legacy internal parameter is ignored and listed', async () => {
    const at = await operationsFixture();
    const state = await register(at, {fetch_event_types: [], queue_lifespan_secs: 5});
    expect(state.idle_queue_timeout_secs).toBe(600);
    expect(state.ignored_parameters_unsupported).toEqual(['queue_lifespan_secs']);
  });
});
