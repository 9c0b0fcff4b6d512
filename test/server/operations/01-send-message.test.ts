import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  sendDirect,
  sendToChannel,
  withoutEventId,
} from './operations-fixture.ts';

async function sent(at: OperationsFixture, id: number) {
  const params = {apply_markdown: false, allow_empty_topic_name: true};
  return (await at.as(at.meg).get(`/messages/${id}`, params)).message;
}

describe('1. send a message: addressing', () => {
  test.each(['channel', 'stream'])(
    'type %s accepts the channel’s id, its name, or either in a list',
    async (type) => {
      const at = await operationsFixture();
      const spellings = [
        String(at.general),
        'general',
        '"general"',
        'GENERAL',
        `[${at.general}]`,
        '["general"]',
      ];
      for (const to of spellings) {
        const reply = await at.as(at.meg).post('/messages', {type, to, topic: 'lunch', content: to});
        expectValid(endpoints.sendMessage, reply);
        const message = await sent(at, reply.id);
        expect(message).toMatchObject({type: 'stream', stream_id: at.general, subject: 'lunch', content: to});
      }
    },
  );

  test.each(['direct', 'private'])('type %s accepts ids and addresses, single and in lists', async (type) => {
    const at = await operationsFixture();
    const host = new URL(at.server.url).hostname;
    const spellings = [
      `[${at.otto.id}]`,
      String(at.otto.id),
      `["${at.otto.email}"]`,
      at.otto.email,
      `["user${at.otto.id}@${host}"]`,
      `${at.otto.email}, ${at.meg.email}`,
    ];
    for (const to of spellings) {
      const reply = await at.as(at.meg).post('/messages', {type, to, content: 'Psst'});
      expectValid(endpoints.sendMessage, reply);
      const message = await sent(at, reply.id);
      expect(message.type).toBe('private');
      const ids = message.display_recipient.map(({id}: {id: number}) => id);
      expect(ids.toSorted(), to).toEqual([at.meg.id, at.otto.id].toSorted());
    }
  });

  test('a channel whose name is a number is addressed by its quoted name', async () => {
    const at = await operationsFixture();
    const channel = at.server.people.channel('2024', [at.meg]);
    const reply = await at
      .as(at.meg)
      .post('/messages', {type: 'channel', to: '"2024"', topic: 'a', content: 'b'});
    expect((await sent(at, reply.id)).stream_id).toBe(channel);
  });

  test('the sender among the recipients is ignored unless alone', async () => {
    const at = await operationsFixture();
    const both = await sendDirect(at.as(at.meg), [at.meg.id, at.otto.id, at.otto.id]);
    expect((await sent(at, both)).display_recipient).toHaveLength(2);
    const alone = await sendDirect(at.as(at.meg), [at.meg.id]);
    expect((await sent(at, alone)).display_recipient).toMatchObject([{id: at.meg.id}]);
  });

  test('the topic of a direct message is ignored', async () => {
    const at = await operationsFixture();
    const {id} = await at
      .as(at.meg)
      .post('/messages', {type: 'direct', to: [at.otto.id], topic: 'x'.repeat(200), content: 'hi'});
    expect((await sent(at, id)).subject).toBe('');
  });

  test('`subject` is a legacy name of `topic`, and both at once are refused', async () => {
    const at = await operationsFixture();
    const message = {type: 'stream', to: at.general, content: 'hi'};
    const {id} = await at.as(at.meg).post('/messages', {...message, subject: 'old'});
    expect((await sent(at, id)).subject).toBe('old');
    const both = {...message, subject: 'old', topic: 'new'};
    const refusal = await at.as(at.meg).refused('POST', '/messages', both, {code: 'REQUEST_CONFUSING_VAR'});
    expect(new Set([refusal.var_name1, refusal.var_name2])).toEqual(new Set(['subject', 'topic']));
  });
});

describe('1. send a message: response', () => {
  test('has the id and the links of the message; ids grow', async () => {
    const at = await operationsFixture();
    at.server.people.channel('quiet', [at.otto]);
    await sendToChannel(at.as(at.otto), at.general);
    const first = await at
      .as(at.meg)
      .post('/messages', {type: 'channel', to: at.general, topic: 'lunch', content: 'a'});
    expect(responseFields(first)).toEqual(['id', 'message_link', 'message_url']);
    const second = await sendToChannel(at.as(at.meg), at.general);
    expect(second).toBeGreaterThan(first.id);
  });

  test('the new visibility policy is returned only if it changed: followed for a new topic', async () => {
    const at = await operationsFixture();
    const params = {type: 'channel', to: at.general, topic: 'new', content: 'a'};
    const started = await at.as(at.meg).post('/messages', params);
    expect(expectValid(endpoints.sendMessage, started).automatic_new_visibility_policy).toBe(3);
    const again = await at.as(at.meg).post('/messages', params);
    expect(again).not.toHaveProperty('automatic_new_visibility_policy');
    const joined = await at.as(at.otto).post('/messages', params);
    expect(joined).not.toHaveProperty('automatic_new_visibility_policy');
  });

  test('the policy becomes unmuted for a sender in a muted channel; only the sender’s sessions get it', async () => {
    const at = await operationsFixture();
    await sendToChannel(at.as(at.otto), at.general, 'talk');
    await at.as(at.meg).patch(`/users/me/subscriptions/${at.general}`, {property: 'is_muted', value: true});
    const [mine, other, ottos] = [
      await at.as(at.meg).listen(),
      await at.as(at.meg).listen(),
      await at.as(at.otto).listen(),
    ];
    const reply = await at
      .as(at.meg)
      .post('/messages', {type: 'channel', to: at.general, topic: 'talk', content: 'a'});
    expect(reply.automatic_new_visibility_policy).toBe(2);
    const event = {
      type: 'user_topic',
      stream_id: at.general,
      topic_name: 'talk',
      last_updated: at.clock.seconds(),
      visibility_policy: 2,
    };
    for (const listener of [mine, other]) {
      expect((await eventsOf(listener, 'user_topic')).map(withoutEventId)).toEqual([event]);
    }
    expect(await eventsOf(ottos, 'user_topic')).toEqual([]);
  });

  test('unsupported parameters are listed and have no effect', async () => {
    const at = await operationsFixture();
    const reply = await at.as(at.meg).post('/messages', {
      type: 'direct',
      to: [at.otto.id],
      content: 'hi',
      wibble: '1',
      wobble: '2',
    });
    expect(reply.ignored_parameters_unsupported.toSorted()).toEqual(['wibble', 'wobble']);
    expect(envelopeOnly).toEqual({result: reply.result, msg: reply.msg});
  });
});

describe('1. send a message: text and topic', () => {
  test('content is trimmed at the end, and cut with a note at max_message_length', async () => {
    const at = await operationsFixture();
    const {max_message_length: limit} = await at.as(at.meg).post('/register', {fetch_event_types: ['realm']});
    const exact = await sendDirect(at.as(at.meg), [at.otto.id], 'é'.repeat(limit));
    expect((await sent(at, exact)).content).toHaveLength(limit);
    const long = await sent(at, await sendDirect(at.as(at.meg), [at.otto.id], 'é'.repeat(limit + 1)));
    expect(long.content).toHaveLength(limit);
    expect(long.content).toMatch(/\n\[message truncated\]$/);
    const padded = await sent(at, await sendDirect(at.as(at.meg), [at.otto.id], '\n\n  hi \n '));
    expect(padded.content).toBe('  hi');
  });

  test.each(['', ' \n ', 'a\0b'])('content %j is refused', async (content) => {
    const at = await operationsFixture();
    const message = {type: 'direct', to: [at.otto.id], content};
    await at.as(at.meg).refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
  });

  test('a topic is cut at max_topic_length', async () => {
    const at = await operationsFixture();
    const {max_topic_length: limit} = await at.as(at.meg).post('/register', {fetch_event_types: ['realm']});
    const id = await sendToChannel(at.as(at.meg), at.general, 't'.repeat(limit + 1));
    expect((await sent(at, id)).subject).toBe(`${'t'.repeat(limit - 3)}...`);
  });

  test.each(['', '(no topic)', 'general chat', '  '])('topic %j is the empty topic', async (topic) => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general, topic);
    expect((await sent(at, id)).subject).toBe('');
  });

  test.each(['', '(no topic)', 'general chat'])(
    'topic %j is refused if a topic is required',
    async (topic) => {
      const at = await operationsFixture();
      const named = at.server.people.channel('named', [at.meg], {topics_policy: 'disable_empty_topic'});
      const message = {type: 'channel', content: 'hi', topic};
      await at.as(at.meg).refused('POST', '/messages', {...message, to: named}, {code: 'BAD_REQUEST'});
      at.server.people.setting('topics_policy', 'disable_empty_topic');
      await at.as(at.meg).refused('POST', '/messages', {...message, to: at.general}, {code: 'BAD_REQUEST'});
    },
  );

  test('a named topic is refused if only the empty topic is allowed', async () => {
    const at = await operationsFixture();
    const flat = at.server.people.channel('flat', [at.meg], {topics_policy: 'empty_topic_only'});
    await sendToChannel(at.as(at.meg), flat, '');
    const named = {type: 'channel', to: flat, topic: 'named', content: 'hi'};
    await at.as(at.meg).refused('POST', '/messages', named, {code: 'BAD_REQUEST'});
  });

  test('control characters in a topic and a missing topic are refused', async () => {
    const at = await operationsFixture();
    const message = {type: 'channel', to: at.general, content: 'hi'};
    const refusal = {code: 'BAD_REQUEST'};
    await at.as(at.meg).refused('POST', '/messages', {...message, topic: 'a\tb'}, refusal);
    await at.as(at.meg).refused('POST', '/messages', message, refusal);
  });
});

describe('1. send a message: required and malformed parameters', () => {
  const whole = {type: 'channel', to: 'general', topic: 'a', content: 'b'};
  test.each(['type', 'to', 'content'] as const)('%s is required', async (name) => {
    const at = await operationsFixture();
    const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
    const body = await at.as(at.meg).refused('POST', '/messages', {...whole, [name]: undefined}, refusal);
    expect(body.var_name).toBe(name);
  });

  test('another type is refused', async () => {
    const at = await operationsFixture();
    await at.as(at.meg).refused('POST', '/messages', {...whole, type: 'email'}, {code: 'BAD_REQUEST'});
  });

  test('queue_id without local_id is refused, and vice versa', async () => {
    const at = await operationsFixture();
    const {queueId} = await at.as(at.meg).listen();
    const refusal = {code: 'BAD_REQUEST'};
    await at.as(at.meg).refused('POST', '/messages', {...whole, queue_id: queueId}, refusal);
    await at.as(at.meg).refused('POST', '/messages', {...whole, local_id: '1.01'}, refusal);
  });
});

describe('1. send a message: errors', () => {
  test('a missing channel: STREAM_DOES_NOT_EXIST with the requested name or id', async () => {
    const at = await operationsFixture();
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const refusal = {code: 'STREAM_DOES_NOT_EXIST'};
    const byName = await at.as(at.meg).refused('POST', '/messages', {...message, to: 'nowhere'}, refusal);
    expect(byName.stream).toBe('nowhere');
    const byId = await at.as(at.meg).refused('POST', '/messages', {...message, to: 999}, refusal);
    expect(byId.stream_id).toBe(999);
    expect(byId).not.toHaveProperty('stream');
  });

  test('a private channel without a subscription counts as missing', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const refusal = {code: 'STREAM_DOES_NOT_EXIST'};
    const byName = await at.as(at.meg).refused('POST', '/messages', {...message, to: 'secret'}, refusal);
    expect(byName.stream).toBe('secret');
    await at.as(at.meg).refused('POST', '/messages', {...message, to: secret}, refusal);
  });

  test('an unknown address or id among the recipients is refused', async () => {
    const at = await operationsFixture();
    const refusal = {code: 'BAD_REQUEST'};
    const message = {type: 'direct', content: 'hi'};
    const unknown = {...message, to: '["nobody@example.com"]'};
    const body = await at.as(at.meg).refused('POST', '/messages', unknown, refusal);
    expect(body.msg).toContain('nobody@example.com');
    await at.as(at.meg).refused('POST', '/messages', {...message, to: [9999]}, refusal);
    await at.as(at.meg).refused('POST', '/messages', {...message, to: []}, refusal);
    await at.as(at.meg).refused('POST', '/messages', {...message, to: ''}, refusal);
    const gone = at.server.people.add('Gone Girl', {active: false});
    await at.as(at.meg).refused('POST', '/messages', {...message, to: [gone.id]}, refusal);
  });

  test('members without a subscription and subscribed guests may post in a public channel', async () => {
    const at = await operationsFixture();
    await sendToChannel(at.as(at.outsider), at.general);
    await sendToChannel(at.as(at.bot), at.general);
    await sendToChannel(at.as(at.guest), at.general);
    const other = at.server.people.channel('other', [at.meg]);
    const message = {type: 'channel', to: other, topic: 'a', content: 'b'};
    await at.as(at.guest).refused('POST', '/messages', message, {code: 'STREAM_DOES_NOT_EXIST'});
  });

  test('administrators without a subscription cannot post in a private channel', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const message = {type: 'channel', to: secret, topic: 'a', content: 'b'};
    const reply = await at.as(at.admin).raw('POST', '/messages', message);
    expect(reply.status).toBe(400);
    expect(['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST']).toContain(reply.body.code);
  });

  test('archived channels and channels without the posting permission are refused', async () => {
    const at = await operationsFixture();
    const archived = at.server.people.channel('old', [at.meg], {is_archived: 1});
    const announcements = at.server.people.channel('news', [at.meg, at.admin], {
      permissions: {can_send_message_group: 6},
    });
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const refusal = {code: 'BAD_REQUEST'};
    await at.as(at.meg).refused('POST', '/messages', {...message, to: archived}, refusal);
    await at.as(at.meg).refused('POST', '/messages', {...message, to: announcements}, refusal);
    await sendToChannel(at.as(at.admin), announcements);
  });

  test('wildcard mentions in big channels and topics need can_mention_many_users_group', async () => {
    const at = await operationsFixture();
    const crowd = Array.from({length: 15}, (_, index) => at.server.people.member(`Person ${index}`));
    const big = at.server.people.channel('big', [...crowd, at.meg, at.admin]);
    for (const person of crowd) await sendToChannel(at.as(person), big, 'busy');
    const to = (content: string, topic: string) => ({type: 'channel', to: big, topic, content});
    const channelWide = {code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'};
    for (const word of ['all', 'everyone', 'channel', 'stream']) {
      await at.as(at.meg).refused('POST', '/messages', to(`@**${word}** hi`, 'busy'), channelWide);
    }
    await at.as(at.meg).post('/messages', to('@_**all** silently', 'busy'));
    const topicWide = {code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'};
    await at.as(at.meg).refused('POST', '/messages', to('@**topic** hi', 'busy'), topicWide);
    await at.as(at.meg).post('/messages', to('@**topic** hi', 'calm'));
    await at.as(at.admin).post('/messages', to('@**all** @**topic** hi', 'busy'));
    at.server.people.setting('can_mention_many_users_group', {
      direct_members: [at.meg.id],
      direct_subgroups: [],
    });
    await at.as(at.meg).post('/messages', to('@**all** hi', 'busy'));
    await at.as(at.admin).refused('POST', '/messages', to('@**all** hi', 'busy'), channelWide);
  });

  test('in a channel of fifteen all users may use wildcard mentions', async () => {
    const at = await operationsFixture();
    const crowd = Array.from({length: 14}, (_, index) => at.server.people.member(`Person ${index}`));
    const small = at.server.people.channel('small', [...crowd, at.meg]);
    await sendToChannel(at.as(at.meg), small, 'a', '@**all** hi');
  });
});

describe('1. send a message: events', () => {
  test('local_message_id is sent only to the named queue', async () => {
    const at = await operationsFixture();
    const [mine, other, ottos] = [
      await at.as(at.meg).listen(),
      await at.as(at.meg).listen(),
      await at.as(at.otto).listen(),
    ];
    const {id} = await at.as(at.meg).post('/messages', {
      type: 'channel',
      to: at.general,
      topic: 'lunch',
      content: 'hi',
      queue_id: mine.queueId,
      local_id: '17.01',
    });
    const [echo] = await eventsOf(mine, 'message');
    expect(echo).toMatchObject({message: {id}, local_message_id: '17.01'});
    for (const listener of [other, ottos]) {
      const [event] = await eventsOf(listener, 'message');
      expect(event).toMatchObject({message: {id}});
      expect(event).not.toHaveProperty('local_message_id');
    }
  });

  test('a channel message is sent only to subscribers, a direct one only to its participants', async () => {
    const at = await operationsFixture();
    const listeners = new Map(
      await Promise.all(
        [at.meg, at.otto, at.guest, at.outsider, at.owner].map(
          async (person) => [person, await at.as(person).listen({event_types: ['message']})] as const,
        ),
      ),
    );
    const ids = async (person: typeof at.meg) =>
      (await listeners.get(person)?.events())?.map((event) => event.message.id);
    const open = await sendToChannel(at.as(at.meg), at.general);
    const direct = await sendDirect(at.as(at.meg), [at.otto.id]);
    expect(await ids(at.meg)).toEqual([open, direct]);
    expect(await ids(at.otto)).toEqual([open, direct]);
    expect(await ids(at.guest)).toEqual([open]);
    expect(await ids(at.owner)).toEqual([open]);
    expect(await ids(at.outsider)).toEqual([]);
  });

  test.each([
    [{read_by_sender: true}, 'ParleyTest/1.0', true],
    [{read_by_sender: false}, 'Parley/1.0', false],
    [{}, 'Parley/1.0', true],
    [{}, 'python-requests/2.31', false],
  ])('with %j from %s the message arrives read for its sender: %s', async (params, agent, read) => {
    const at = await operationsFixture();
    const [mine, ottos] = [await at.as(at.meg).listen(), await at.as(at.otto).listen()];
    const message = {type: 'channel', to: at.general, topic: 'a', content: 'b', ...params};
    await at.as(at.meg).raw('POST', '/messages', message, {'user-agent': agent});
    expect((await eventsOf(mine, 'message'))[0]?.flags.includes('read')).toBe(read);
    expect((await eventsOf(ottos, 'message'))[0]?.flags).toEqual([]);
  });

  test('a refused message is not stored', async () => {
    const at = await operationsFixture();
    const listener = await at.as(at.otto).listen();
    const message = {type: 'direct', to: [at.otto.id, 9999], content: 'hi'};
    await at.as(at.meg).refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
    expect(await listener.events()).toEqual([]);
  });
});
