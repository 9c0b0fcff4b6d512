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

async function getMessage(fixture: OperationsFixture, id: number) {
  const params = {apply_markdown: false, allow_empty_topic_name: true};
  return (await fixture.as(fixture.meg).get(`/messages/${id}`, params)).message;
}

describe('1. send a message: addressing', () => {
  test.each(['channel', 'stream'])('type %s accepts the channel’s id, its name, or either in a list', async (type) => {
    const fixture = await operationsFixture();
    const spellings = [
      String(fixture.general),
      'general',
      '"general"',
      'GENERAL',
      `[${fixture.general}]`,
      '["general"]',
    ];
    for (const to of spellings) {
      const reply = await fixture.as(fixture.meg).post('/messages', {type, to, topic: 'lunch', content: to});
      expectValid(endpoints.sendMessage, reply);
      const message = await getMessage(fixture, reply.id);
      expect(message).toMatchObject({
        type: 'stream',
        stream_id: fixture.general,
        subject: 'lunch',
        content: to,
      });
    }
  });

  test.each(['direct', 'private'])('type %s accepts ids in lists, and addresses single and in lists', async (type) => {
    const fixture = await operationsFixture();
    const host = new URL(fixture.server.url).hostname;
    const spellings = [
      `[${fixture.otto.id}]`,
      `["${fixture.otto.email}"]`,
      fixture.otto.email,
      `["user${fixture.otto.id}@${host}"]`,
      `${fixture.otto.email}, ${fixture.meg.email}`,
    ];
    for (const to of spellings) {
      const reply = await fixture.as(fixture.meg).post('/messages', {type, to, content: 'Psst'});
      expectValid(endpoints.sendMessage, reply);
      const message = await getMessage(fixture, reply.id);
      expect(message.type).toBe('private');
      const ids = message.display_recipient.map(({id}: {id: number}) => id);
      expect(ids.toSorted(), to).toEqual([fixture.meg.id, fixture.otto.id].toSorted());
    }
  });

  test('a channel whose name is a number is addressed by its quoted name', async () => {
    const fixture = await operationsFixture();
    const channel = fixture.server.people.channel('2024', [fixture.meg]);
    const reply = await fixture
      .as(fixture.meg)
      .post('/messages', {type: 'channel', to: '"2024"', topic: 'a', content: 'b'});
    expect((await getMessage(fixture, reply.id)).stream_id).toBe(channel);
  });

  test('the sender among the recipients is ignored unless alone', async () => {
    const fixture = await operationsFixture();
    const both = await sendDirect(fixture.as(fixture.meg), [fixture.meg.id, fixture.otto.id, fixture.otto.id]);
    expect((await getMessage(fixture, both)).display_recipient).toHaveLength(2);
    const alone = await sendDirect(fixture.as(fixture.meg), [fixture.meg.id]);
    expect((await getMessage(fixture, alone)).display_recipient).toMatchObject([{id: fixture.meg.id}]);
  });

  test('the topic of a direct message is ignored', async () => {
    const fixture = await operationsFixture();
    const {id} = await fixture
      .as(fixture.meg)
      .post('/messages', {type: 'direct', to: [fixture.otto.id], topic: 'x'.repeat(200), content: 'hi'});
    expect((await getMessage(fixture, id)).subject).toBe('');
  });

  test('`subject` is a legacy name of `topic`, and both at once are refused', async () => {
    const fixture = await operationsFixture();
    const message = {type: 'stream', to: fixture.general, content: 'hi'};
    const {id} = await fixture.as(fixture.meg).post('/messages', {...message, subject: 'old'});
    expect((await getMessage(fixture, id)).subject).toBe('old');
    const both = {...message, subject: 'old', topic: 'new'};
    const refusal = await fixture.as(fixture.meg).refused('POST', '/messages', both, {code: 'REQUEST_CONFUSING_VAR'});
    expect(new Set([refusal.var_name1, refusal.var_name2])).toEqual(new Set(['subject', 'topic']));
  });
});

describe('1. send a message: response', () => {
  test('has the id and the links of the message; ids grow', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.channel('quiet', [fixture.otto]);
    await sendToChannel(fixture.as(fixture.otto), fixture.general);
    const first = await fixture
      .as(fixture.meg)
      .post('/messages', {type: 'channel', to: fixture.general, topic: 'lunch', content: 'a'});
    expect(responseFields(first)).toEqual(['id', 'message_link', 'message_url']);
    const second = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    expect(second).toBeGreaterThan(first.id);
  });

  test('the new visibility policy is returned only if it changed: followed for a new topic', async () => {
    const fixture = await operationsFixture();
    const params = {type: 'channel', to: fixture.general, topic: 'new', content: 'a'};
    const started = await fixture.as(fixture.meg).post('/messages', params);
    expect(expectValid(endpoints.sendMessage, started).automatic_new_visibility_policy).toBe(3);
    const again = await fixture.as(fixture.meg).post('/messages', params);
    expect(again).not.toHaveProperty('automatic_new_visibility_policy');
    const joined = await fixture.as(fixture.otto).post('/messages', params);
    expect(joined).not.toHaveProperty('automatic_new_visibility_policy');
  });

  test('the policy becomes unmuted for a sender in a muted channel; only the sender’s sessions get it', async () => {
    const fixture = await operationsFixture();
    await sendToChannel(fixture.as(fixture.otto), fixture.general, 'talk');
    await fixture
      .as(fixture.meg)
      .patch(`/users/me/subscriptions/${fixture.general}`, {property: 'is_muted', value: true});
    const [mine, other, ottos] = [
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.otto).listen(),
    ];
    const reply = await fixture
      .as(fixture.meg)
      .post('/messages', {type: 'channel', to: fixture.general, topic: 'talk', content: 'a'});
    expect(reply.automatic_new_visibility_policy).toBe(2);
    const event = {
      type: 'user_topic',
      stream_id: fixture.general,
      topic_name: 'talk',
      last_updated: fixture.clock.seconds(),
      visibility_policy: 2,
    };
    for (const listener of [mine, other]) {
      expect((await eventsOf(listener, 'user_topic')).map(withoutEventId)).toEqual([event]);
    }
    expect(await eventsOf(ottos, 'user_topic')).toEqual([]);
  });

  test('unsupported parameters are listed and have no effect', async () => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.meg).post('/messages', {
      type: 'direct',
      to: [fixture.otto.id],
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
    const fixture = await operationsFixture();
    const {max_message_length: limit} = await fixture.as(fixture.meg).post('/register', {fetch_event_types: ['realm']});
    const exact = await sendDirect(fixture.as(fixture.meg), [fixture.otto.id], 'é'.repeat(limit));
    expect((await getMessage(fixture, exact)).content).toHaveLength(limit);
    const long = await getMessage(
      fixture,
      await sendDirect(fixture.as(fixture.meg), [fixture.otto.id], 'é'.repeat(limit + 1)),
    );
    expect(long.content).toHaveLength(limit);
    expect(long.content).toMatch(/\n\[message truncated\]$/);
    const padded = await getMessage(
      fixture,
      await sendDirect(fixture.as(fixture.meg), [fixture.otto.id], '\n\n  hi \n '),
    );
    expect(padded.content).toBe('  hi');
  });

  test.each(['', ' \n ', 'a\0b'])('content %j is refused', async (content) => {
    const fixture = await operationsFixture();
    const message = {type: 'direct', to: [fixture.otto.id], content};
    await fixture.as(fixture.meg).refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
  });

  test('a topic is cut at max_topic_length', async () => {
    const fixture = await operationsFixture();
    const {max_topic_length: limit} = await fixture.as(fixture.meg).post('/register', {fetch_event_types: ['realm']});
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, 't'.repeat(limit + 1));
    expect((await getMessage(fixture, id)).subject).toBe(`${'t'.repeat(limit - 3)}...`);
  });

  test.each(['', '(no topic)', 'general chat', '  '])('topic %j is the empty topic', async (topic) => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, topic);
    expect((await getMessage(fixture, id)).subject).toBe('');
  });

  test.each(['', '(no topic)', 'general chat'])('topic %j is refused if a topic is required', async (topic) => {
    const fixture = await operationsFixture();
    const named = fixture.server.people.channel('named', [fixture.meg], {
      topics_policy: 'disable_empty_topic',
    });
    const message = {type: 'channel', content: 'hi', topic};
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: named}, {code: 'BAD_REQUEST'});
    fixture.server.people.setting('topics_policy', 'disable_empty_topic');
    await fixture
      .as(fixture.meg)
      .refused('POST', '/messages', {...message, to: fixture.general}, {code: 'BAD_REQUEST'});
  });

  test('a named topic is refused if only the empty topic is allowed', async () => {
    const fixture = await operationsFixture();
    const flat = fixture.server.people.channel('flat', [fixture.meg], {topics_policy: 'empty_topic_only'});
    await sendToChannel(fixture.as(fixture.meg), flat, '');
    const named = {type: 'channel', to: flat, topic: 'named', content: 'hi'};
    await fixture.as(fixture.meg).refused('POST', '/messages', named, {code: 'BAD_REQUEST'});
  });

  test('control characters in a topic and a missing topic are refused', async () => {
    const fixture = await operationsFixture();
    const message = {type: 'channel', to: fixture.general, content: 'hi'};
    const refusal = {code: 'BAD_REQUEST'};
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, topic: 'a\tb'}, refusal);
    await fixture.as(fixture.meg).refused('POST', '/messages', message, refusal);
  });
});

describe('1. send a message: required and malformed parameters', () => {
  const validParams = {type: 'channel', to: 'general', topic: 'a', content: 'b'};
  test.each(['type', 'content'] as const)('%s is required', async (name) => {
    const fixture = await operationsFixture();
    const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
    const body = await fixture
      .as(fixture.meg)
      .refused('POST', '/messages', {...validParams, [name]: undefined}, refusal);
    expect(body.var_name).toBe(name);
  });

  test('a message without recipients is refused', async () => {
    const fixture = await operationsFixture();
    const params = {...validParams, to: undefined};
    await fixture.as(fixture.meg).refused('POST', '/messages', params, {code: 'BAD_REQUEST'});
  });

  test('another type is refused', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).refused('POST', '/messages', {...validParams, type: 'email'}, {code: 'BAD_REQUEST'});
  });
});

describe('1. send a message: errors', () => {
  test('a missing channel: STREAM_DOES_NOT_EXIST with the requested name or id', async () => {
    const fixture = await operationsFixture();
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const refusal = {code: 'STREAM_DOES_NOT_EXIST'};
    const byName = await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: 'nowhere'}, refusal);
    expect(byName.stream).toBe('nowhere');
    const byId = await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: 999}, refusal);
    expect(byId.stream_id).toBe(999);
    expect(byId).not.toHaveProperty('stream');
  });

  test('a private channel without a subscription is refused', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const refusal = {code: 'STREAM_DOES_NOT_EXIST'};
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: 'secret'}, refusal);
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: secret}, refusal);
  });

  test('an unknown address or id among the recipients is refused', async () => {
    const fixture = await operationsFixture();
    const refusal = {code: 'BAD_REQUEST'};
    const message = {type: 'direct', content: 'hi'};
    const unknown = {...message, to: '["nobody@example.com"]'};
    const body = await fixture.as(fixture.meg).refused('POST', '/messages', unknown, refusal);
    expect(body.msg).toContain('nobody@example.com');
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: [9999]}, refusal);
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: []}, refusal);
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: ''}, refusal);
    const deactivated = fixture.server.people.add('Gone Girl', {active: false});
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: [deactivated.id]}, refusal);
  });

  test('members without a subscription and subscribed guests may post in a public channel', async () => {
    const fixture = await operationsFixture();
    await sendToChannel(fixture.as(fixture.outsider), fixture.general);
    await sendToChannel(fixture.as(fixture.bot), fixture.general);
    await sendToChannel(fixture.as(fixture.guest), fixture.general);
    const other = fixture.server.people.channel('other', [fixture.meg]);
    const message = {type: 'channel', to: other, topic: 'a', content: 'b'};
    await fixture.as(fixture.guest).refused('POST', '/messages', message, {code: 'STREAM_DOES_NOT_EXIST'});
  });

  test('administrators without a subscription cannot post in a private channel', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const message = {type: 'channel', to: secret, topic: 'a', content: 'b'};
    const reply = await fixture.as(fixture.admin).raw('POST', '/messages', message);
    expect(reply.status).toBe(400);
    expect(['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST']).toContain(reply.body.code);
  });

  test('archived channels and channels without the posting permission are refused', async () => {
    const fixture = await operationsFixture();
    const archived = fixture.server.people.channel('old', [fixture.meg], {is_archived: 1});
    const announcements = fixture.server.people.channel('news', [fixture.meg, fixture.admin], {
      permissions: {can_send_message_group: 6},
    });
    const message = {type: 'channel', topic: 'a', content: 'b'};
    const refusal = {code: 'BAD_REQUEST'};
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: archived}, refusal);
    await fixture.as(fixture.meg).refused('POST', '/messages', {...message, to: announcements}, refusal);
    await sendToChannel(fixture.as(fixture.admin), announcements);
  });

  test('wildcard mentions in big channels and topics need can_mention_many_users_group', async () => {
    const fixture = await operationsFixture();
    const crowd = Array.from({length: 15}, (_, index) => fixture.server.people.member(`Person ${index}`));
    const big = fixture.server.people.channel('big', [...crowd, fixture.meg, fixture.admin]);
    for (const person of crowd) await sendToChannel(fixture.as(person), big, 'busy');
    const to = (content: string, topic: string) => ({type: 'channel', to: big, topic, content});
    const channelWide = {code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'};
    for (const word of ['all', 'everyone', 'channel', 'stream']) {
      await fixture.as(fixture.meg).refused('POST', '/messages', to(`@**${word}** hi`, 'busy'), channelWide);
    }
    await fixture.as(fixture.meg).post('/messages', to('@_**all** silently', 'busy'));
    const topicWide = {code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'};
    await fixture.as(fixture.meg).refused('POST', '/messages', to('@**topic** hi', 'busy'), topicWide);
    await fixture.as(fixture.meg).post('/messages', to('@**topic** hi', 'calm'));
    await fixture.as(fixture.admin).post('/messages', to('@**all** @**topic** hi', 'busy'));
    fixture.server.people.setting('can_mention_many_users_group', {
      direct_members: [fixture.meg.id],
      direct_subgroups: [],
    });
    await fixture.as(fixture.meg).post('/messages', to('@**all** hi', 'busy'));
    await fixture.as(fixture.admin).refused('POST', '/messages', to('@**all** hi', 'busy'), channelWide);
  });

  test('in a channel of fifteen all users may use wildcard mentions', async () => {
    const fixture = await operationsFixture();
    const crowd = Array.from({length: 14}, (_, index) => fixture.server.people.member(`Person ${index}`));
    const small = fixture.server.people.channel('small', [...crowd, fixture.meg]);
    await sendToChannel(fixture.as(fixture.meg), small, 'a', '@**all** hi');
  });
});

describe('1. send a message: events', () => {
  test('local_message_id is sent only to the named queue', async () => {
    const fixture = await operationsFixture();
    const [mine, other, ottos] = [
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.meg).listen(),
      await fixture.as(fixture.otto).listen(),
    ];
    const {id} = await fixture.as(fixture.meg).post('/messages', {
      type: 'channel',
      to: fixture.general,
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
    const fixture = await operationsFixture();
    const listeners = new Map(
      await Promise.all(
        [fixture.meg, fixture.otto, fixture.guest, fixture.outsider, fixture.owner].map(
          async (person) => [person, await fixture.as(person).listen({event_types: ['message']})] as const,
        ),
      ),
    );
    const ids = async (person: typeof fixture.meg) =>
      (await listeners.get(person)?.events())?.map((event) => event.message.id);
    const open = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    const direct = await sendDirect(fixture.as(fixture.meg), [fixture.otto.id]);
    expect(await ids(fixture.meg)).toEqual([open, direct]);
    expect(await ids(fixture.otto)).toEqual([open, direct]);
    expect(await ids(fixture.guest)).toEqual([open]);
    expect(await ids(fixture.owner)).toEqual([open]);
    expect(await ids(fixture.outsider)).toEqual([]);
  });

  test.each([
    [{read_by_sender: true}, 'ParleyTest/1.0', true],
    [{read_by_sender: false}, 'Parley/1.0', false],
    [{}, 'Parley/1.0', false],
    [{}, 'ZulipMobile/27.1', true],
    [{}, 'website', true],
    [{}, 'python-requests/2.31', false],
  ])('with %j from %s the message arrives read for its sender: %s', async (params, agent, read) => {
    const fixture = await operationsFixture();
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    const message = {type: 'channel', to: fixture.general, topic: 'a', content: 'b', ...params};
    await fixture.as(fixture.meg).raw('POST', '/messages', message, {'user-agent': agent});
    expect((await eventsOf(mine, 'message'))[0]?.flags.includes('read')).toBe(read);
    expect((await eventsOf(ottos, 'message'))[0]?.flags).toEqual([]);
  });

  test('a refused message is not stored', async () => {
    const fixture = await operationsFixture();
    const listener = await fixture.as(fixture.otto).listen();
    const message = {type: 'direct', to: [fixture.otto.id, 9999], content: 'hi'};
    await fixture.as(fixture.meg).refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
    expect(await listener.events()).toEqual([]);
  });
});
