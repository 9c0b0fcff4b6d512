import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {channelSettingNames} from '#wire/objects/channel.ts';
import {
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  sendDirect,
  sendToChannel,
} from './operations-fixture.ts';

const path = '/users/me/subscriptions';
const members = 3;
const moderators = 5;
const nobody = 8;

async function getChannel(fixture: OperationsFixture, name: string) {
  const {streams} = await fixture
    .as(fixture.owner)
    .get('/streams', {include_all: true, exclude_archived: false, include_default: true});
  return streams.find((channel: {name: string}) => channel.name === name);
}

describe('2. subscribe to a channel: response', () => {
  test('returns new and existing subscriptions by user id', async () => {
    const fixture = await operationsFixture();
    const params = {
      subscriptions: [{name: 'general'}, {name: 'plans'}],
      principals: [fixture.meg.id, fixture.outsider.id],
    };
    const reply = expectValid(endpoints.subscribe, await fixture.as(fixture.meg).post(path, params));
    expect(responseFields(reply)).toEqual(['already_subscribed', 'new_subscription_messages_sent', 'subscribed']);
    expect(reply.subscribed).toEqual({
      [fixture.meg.id]: ['plans'],
      [fixture.outsider.id]: ['general', 'plans'],
    });
    expect(reply.already_subscribed).toEqual({[fixture.meg.id]: ['general']});
    expect(reply.new_subscription_messages_sent).toBe(true);
  });

  test('without principals the requester is subscribed', async () => {
    const fixture = await operationsFixture();
    const alone = await fixture.as(fixture.outsider).post(path, {subscriptions: [{name: 'general'}]});
    expect(alone.subscribed).toEqual({[fixture.outsider.id]: ['general']});
    const empty = await fixture.as(fixture.outsider).post(path, {subscriptions: [{name: 'general'}], principals: []});
    expect(empty.already_subscribed).toEqual({[fixture.outsider.id]: ['general']});
  });

  test('principals can be ids or API email addresses', async () => {
    const fixture = await operationsFixture();
    const host = new URL(fixture.server.url).hostname;
    for (const principals of [[fixture.otto.email], [`user${fixture.guest.id}@${host}`]]) {
      const reply = await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'new'}], principals});
      expect(Object.keys(reply.subscribed)).toEqual([
        String(principals[0] === fixture.otto.email ? fixture.otto.id : fixture.guest.id),
      ]);
    }
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'new'}], wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });

  test('subscriptions is required and must be a list of objects with names', async () => {
    const fixture = await operationsFixture();
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await fixture.as(fixture.meg).refused('POST', path, {}, missing)).var_name).toBe('subscriptions');
    await fixture.as(fixture.meg).refused('POST', path, {subscriptions: '[{'}, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.meg).refused('POST', path, {subscriptions: ['general']}, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.meg).refused('POST', path, {subscriptions: [{description: 'a'}]}, {code: 'BAD_REQUEST'});
  });
});

describe('2. subscribe to a channel: a new channel', () => {
  test('has the default settings', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'plans'}]});
    expect(await getChannel(fixture, 'plans')).toMatchObject({
      description: '',
      invite_only: false,
      is_web_public: false,
      is_default: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      topics_policy: 'inherit',
      folder_id: null,
      creator_id: fixture.meg.id,
      date_created: fixture.clock.seconds(),
      can_administer_channel_group: {direct_members: [fixture.meg.id], direct_subgroups: []},
      can_remove_subscribers_group: 6,
      can_add_subscribers_group: nobody,
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: nobody,
      can_move_messages_out_of_channel_group: nobody,
    });
  });

  test('accepts every initial setting', async () => {
    const fixture = await operationsFixture();
    const {channel_folder_id} = await fixture
      .as(fixture.owner)
      .post('/channel_folders/create', {name: 'Folder', description: ''});
    const unnamed = {direct_members: [fixture.otto.id], direct_subgroups: [moderators]};
    const groups = Object.fromEntries(channelSettingNames.map((name, index) => [name, index % 2 ? members : unnamed]));
    await fixture.as(fixture.owner).post(path, {
      subscriptions: [{name: 'plans', description: 'What *we* plan'}],
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: '"disable_empty_topic"',
      folder_id: channel_folder_id,
      default_push_notifications: true,
      ...groups,
    });
    expect(await getChannel(fixture, 'plans')).toMatchObject({
      description: 'What *we* plan',
      rendered_description: expect.stringContaining('<em>we</em>'),
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      folder_id: channel_folder_id,
      default_push_notifications: true,
      ...groups,
    });
  });

  test('ignores initial settings for an existing channel', async () => {
    const fixture = await operationsFixture();
    const before = await getChannel(fixture, 'general');
    await fixture.as(fixture.owner).post(path, {
      subscriptions: [{name: 'general', description: 'other'}],
      invite_only: true,
      is_default_stream: true,
      history_public_to_subscribers: false,
      message_retention_days: 3,
      topics_policy: '"empty_topic_only"',
      can_add_subscribers_group: members,
    });
    expect(await getChannel(fixture, 'general')).toEqual(before);
  });

  test('message_retention_days is a number or JSON text and can be omitted', async () => {
    const fixture = await operationsFixture();
    const spellings: [string | number, number | null][] = [
      ['"realm_default"', null],
      ['"unlimited"', -1],
      ['45', 45],
      [45, 45],
    ];
    for (const [index, [input, stored]] of spellings.entries()) {
      const name = `plans ${index}`;
      await fixture.as(fixture.owner).post(path, {subscriptions: [{name}], message_retention_days: input});
      expect((await getChannel(fixture, name)).message_retention_days, String(input)).toBe(stored);
    }
    for (const input of [0, -5, '"soon"', '"45"', 'unlimited', '']) {
      const params = {subscriptions: [{name: 'plans'}], message_retention_days: input};
      const {status} = await fixture.as(fixture.owner).raw('POST', path, params);
      expect(status, String(input)).toBe(400);
    }
    expect(await getChannel(fixture, 'plans')).toBeUndefined();
  });

  test('every topics_policy is accepted, and no other value', async () => {
    const fixture = await operationsFixture();
    for (const topics_policy of ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) {
      await fixture
        .as(fixture.meg)
        .post(path, {subscriptions: [{name: topics_policy}], topics_policy: `"${topics_policy}"`});
      expect((await getChannel(fixture, topics_policy)).topics_policy).toBe(topics_policy);
    }
    const params = {subscriptions: [{name: 'plans'}], topics_policy: '"whatever"'};
    await fixture.as(fixture.meg).refused('POST', path, params, {code: 'BAD_REQUEST'});
  });

  test('a private channel has protected history by default', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'secret'}], invite_only: true});
    expect(await getChannel(fixture, 'secret')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
  });

  test('name and description are limited to the registration’s maximum lengths', async () => {
    const fixture = await operationsFixture();
    const limits = await fixture.as(fixture.meg).post('/register', {fetch_event_types: ['realm']});
    const name = 'n'.repeat(limits.max_stream_name_length);
    const description = 'd'.repeat(limits.max_stream_description_length);
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name, description}]});
    const refusal = {code: 'BAD_REQUEST'};
    await fixture.as(fixture.meg).refused('POST', path, {subscriptions: [{name: `${name}n`}]}, refusal);
    const long = {subscriptions: [{name: 'b', description: `${description}d`}]};
    await fixture.as(fixture.meg).refused('POST', path, long, refusal);
    await fixture.as(fixture.meg).refused('POST', path, {subscriptions: [{name: '  '}]}, refusal);
    await fixture.as(fixture.meg).refused('POST', path, {subscriptions: [{name: 'a\0b'}]}, refusal);
  });

  test('the notification bot announces it only on request', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('new_stream_announcements_stream_id', fixture.general);
    const listener = await fixture.as(fixture.otto).listen({event_types: ['message']});
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'quiet'}]});
    expect(await listener.events()).toEqual([]);
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'loud'}], announce: true});
    const [notice, ...more] = await listener.events();
    expect(notice).toMatchObject({
      message: {stream_id: fixture.general, content: expect.stringContaining('#**loud**')},
    });
    expect(more).toEqual([]);
  });

  test('is_default_stream creates a default channel and needs an administrator', async () => {
    const fixture = await operationsFixture();
    const listener = await fixture.as(fixture.meg).listen({event_types: ['default_streams']});
    await fixture.as(fixture.admin).post(path, {subscriptions: [{name: 'lobby'}], is_default_stream: true});
    const lobby = await getChannel(fixture, 'lobby');
    expect(lobby.is_default).toBe(true);
    expect(await listener.events()).toMatchObject([{default_streams: [lobby.stream_id]}]);
    const reply = await fixture
      .as(fixture.meg)
      .raw('POST', path, {subscriptions: [{name: 'mine'}], is_default_stream: true});
    expect(reply.status).toBe(400);
    expect(await getChannel(fixture, 'mine')).toBeUndefined();
  });

  test('is_web_public needs the organization’s setting and the permission', async () => {
    const fixture = await operationsFixture();
    const params = {subscriptions: [{name: 'open'}], is_web_public: true};
    await fixture.as(fixture.owner).refused('POST', path, params, {code: 'BAD_REQUEST'});
    fixture.server.people.setting('enable_spectator_access', true);
    await fixture.as(fixture.admin).refused('POST', path, params, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.owner).post(path, params);
    expect((await getChannel(fixture, 'open')).is_web_public).toBe(true);
  });

  test('the permissions decide who creates public and private channels', async () => {
    const fixture = await operationsFixture();
    const make = (name: string, invite_only: boolean) => ({subscriptions: [{name}], invite_only});
    await fixture.as(fixture.guest).refused('POST', path, make('a', false), {code: 'BAD_REQUEST'});
    fixture.server.people.setting('can_create_public_channel_group', moderators);
    await fixture.as(fixture.meg).refused('POST', path, make('b', false), {code: 'BAD_REQUEST'});
    await fixture.as(fixture.meg).post(path, make('c', true));
    fixture.server.people.setting('can_create_private_channel_group', nobody);
    await fixture.as(fixture.owner).refused('POST', path, make('d', true), {code: 'BAD_REQUEST'});
    await fixture.as(fixture.moderator).post(path, make('e', false));
  });

  test('a group setting with unknown or forbidden groups or users is refused', async () => {
    const fixture = await operationsFixture();
    const refusal = {code: 'BAD_REQUEST'};
    for (const value of [9999, {direct_members: [9999], direct_subgroups: []}, 'everybody', {}]) {
      const params = {subscriptions: [{name: 'x'}], can_administer_channel_group: value};
      const reply = await fixture.as(fixture.owner).raw('POST', path, params);
      expect([reply.status, reply.body.code === 'BAD_REQUEST']).toEqual([400, true]);
    }
    const internet = {subscriptions: [{name: 'x'}], can_send_message_group: 1};
    await fixture.as(fixture.owner).refused('POST', path, internet, refusal);
    const policy = {subscriptions: [{name: 'x'}], can_delete_any_message_group: members};
    await fixture.as(fixture.meg).refused('POST', path, policy, refusal);
    expect(await getChannel(fixture, 'x')).toBeUndefined();
  });
});

describe('2. subscribe to a channel: permissions', () => {
  test('a private channel cannot be joined without permission', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const params = {subscriptions: [{name: 'secret'}]};
    for (const person of [fixture.meg, fixture.guest, fixture.admin]) {
      await fixture.as(person).refused('POST', path, params, {code: 'BAD_REQUEST'});
    }
    const invited = await fixture.as(fixture.otto).post(path, {...params, principals: [fixture.meg.id]});
    expect(invited.subscribed).toEqual({[fixture.meg.id]: ['secret']});
  });

  test('with authorization_errors_fatal=false refused channels are listed and the rest succeeds', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    const params = {subscriptions: [{name: 'secret'}, {name: 'general'}], authorization_errors_fatal: false};
    const reply = await fixture.as(fixture.outsider).raw('POST', path, params);
    expect(reply.status).toBe(200);
    expectValid(endpoints.subscribe, reply.body);
    expect(reply.body.unauthorized).toEqual(['secret']);
    expect(reply.body.subscribed).toEqual({[fixture.outsider.id]: ['general']});
    await fixture
      .as(fixture.outsider)
      .refused('POST', path, {subscriptions: params.subscriptions}, {code: 'BAD_REQUEST'});
  });

  test('guests can neither join public channels nor subscribe others', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.channel('other', [fixture.meg]);
    const refusal = {code: 'BAD_REQUEST'};
    await fixture.as(fixture.guest).refused('POST', path, {subscriptions: [{name: 'other'}]}, refusal);
    const adding = {subscriptions: [{name: 'general'}], principals: [fixture.outsider.id]};
    await fixture.as(fixture.guest).refused('POST', path, adding, refusal);
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'other'}], principals: [fixture.guest.id]});
  });

  test('subscribing others needs the organization’s or the channel’s permission', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('can_add_subscribers_group', moderators);
    fixture.server.people.channel('ours', [fixture.meg], {
      permissions: {can_add_subscribers_group: {direct_members: [fixture.meg.id], direct_subgroups: []}},
    });
    const add = (name: string) => ({subscriptions: [{name}], principals: [fixture.outsider.id]});
    await fixture.as(fixture.meg).refused('POST', path, add('general'), {code: 'BAD_REQUEST'});
    await fixture.as(fixture.moderator).post(path, add('general'));
    await fixture.as(fixture.meg).post(path, add('ours'));
  });

  test.each([
    ['unknown id', () => [9999]],
    ['unknown address', () => ['nobody@example.com']],
    ['deactivated', (fixture: OperationsFixture) => [fixture.server.people.add('Gone Girl', {active: false}).id]],
  ])('a principal that is %s is refused with 400 BAD_REQUEST', async (_, principals) => {
    const fixture = await operationsFixture();
    const params = {subscriptions: [{name: 'new'}], principals: principals(fixture)};
    await fixture.as(fixture.owner).refused('POST', path, params, {code: 'BAD_REQUEST', status: 400});
    expect(await getChannel(fixture, 'new')).toBeUndefined();
  });
});

describe('2. subscribe to a channel: events', () => {
  test('subscribed users get the subscription and a notice, others get peer_add', async () => {
    const fixture = await operationsFixture();
    const [joined, watching] = [await fixture.as(fixture.outsider).listen(), await fixture.as(fixture.otto).listen()];
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'general'}], principals: [fixture.outsider.id]});
    const events = await joined.events();
    const added = events.find((event) => event.type === 'subscription' && event.op === 'add');
    expect(added).toMatchObject({
      subscriptions: [{stream_id: fixture.general, name: 'general', is_muted: false}],
    });
    expect(events.filter((event) => event.type === 'message')).toMatchObject([
      {message: {type: 'private', content: expect.stringContaining('#**general**')}},
    ]);
    const peers = await eventsOf(watching, 'subscription');
    expect(peers).toMatchObject([{op: 'peer_add', stream_ids: [fixture.general], user_ids: [fixture.outsider.id]}]);
  });

  test('send_new_subscription_messages=false sends no notice', async () => {
    const fixture = await operationsFixture();
    const listener = await fixture.as(fixture.outsider).listen({event_types: ['message']});
    const params = {subscriptions: [{name: 'general'}], principals: [fixture.outsider.id]};
    const reply = await fixture.as(fixture.meg).post(path, {...params, send_new_subscription_messages: false});
    expect(reply).not.toHaveProperty('new_subscription_messages_sent');
    expect(await listener.events()).toEqual([]);
  });

  test('users outside of a private channel get no events', async () => {
    const fixture = await operationsFixture();
    const [otto, outsider, admin] = [
      await fixture.as(fixture.otto).listen(),
      await fixture.as(fixture.outsider).listen(),
      await fixture.as(fixture.admin).listen(),
    ];
    await fixture.as(fixture.meg).post(path, {
      subscriptions: [{name: 'secret'}],
      invite_only: true,
      principals: [fixture.meg.id, fixture.otto.id],
    });
    expect((await eventsOf(otto, 'subscription')).map(({op}) => op)).toContain('add');
    expect(await outsider.events()).toEqual([]);
    expect((await eventsOf(admin, 'stream')).map(({op}) => op)).toEqual(['create']);
  });

  test('a later subscriber of a channel with protected history reads only newer messages', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'secret'}], invite_only: true});
    const {stream_id} = await getChannel(fixture, 'secret');
    const before = await sendToChannel(fixture.as(fixture.meg), stream_id);
    await fixture.as(fixture.meg).post(path, {subscriptions: [{name: 'secret'}], principals: [fixture.otto.id]});
    const after = await sendToChannel(fixture.as(fixture.meg), stream_id);
    await fixture.as(fixture.otto).refused('GET', `/messages/${before}`, {}, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.otto).get(`/messages/${after}`);
    await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]);
  });
});
