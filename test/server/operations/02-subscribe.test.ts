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

async function channelOf(at: OperationsFixture, name: string) {
  const {streams} = await at
    .as(at.owner)
    .get('/streams', {include_all: true, exclude_archived: false, include_default: true});
  return streams.find((channel: {name: string}) => channel.name === name);
}

describe('2. subscribe to a channel: response', () => {
  test('returns new and existing subscriptions by user id', async () => {
    const at = await operationsFixture();
    const params = {
      subscriptions: [{name: 'general'}, {name: 'plans'}],
      principals: [at.meg.id, at.outsider.id],
    };
    const reply = expectValid(endpoints.subscribe, await at.as(at.meg).post(path, params));
    expect(responseFields(reply)).toEqual([
      'already_subscribed',
      'new_subscription_messages_sent',
      'subscribed',
    ]);
    expect(reply.subscribed).toEqual({
      [at.meg.id]: ['plans'],
      [at.outsider.id]: ['general', 'plans'],
    });
    expect(reply.already_subscribed).toEqual({[at.meg.id]: ['general']});
    expect(reply.new_subscription_messages_sent).toBe(true);
  });

  test('without principals the requester is subscribed', async () => {
    const at = await operationsFixture();
    const alone = await at.as(at.outsider).post(path, {subscriptions: [{name: 'general'}]});
    expect(alone.subscribed).toEqual({[at.outsider.id]: ['general']});
    const empty = await at.as(at.outsider).post(path, {subscriptions: [{name: 'general'}], principals: []});
    expect(empty.already_subscribed).toEqual({[at.outsider.id]: ['general']});
  });

  test('principals can be ids or API email addresses', async () => {
    const at = await operationsFixture();
    const host = new URL(at.server.url).hostname;
    for (const principals of [[at.otto.email], [`user${at.guest.id}@${host}`]]) {
      const reply = await at.as(at.meg).post(path, {subscriptions: [{name: 'new'}], principals});
      expect(Object.keys(reply.subscribed)).toEqual([
        String(principals[0] === at.otto.email ? at.otto.id : at.guest.id),
      ]);
    }
  });

  test('unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    const reply = await at.as(at.meg).post(path, {subscriptions: [{name: 'new'}], wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });

  test('subscriptions is required and must be a list of objects with names', async () => {
    const at = await operationsFixture();
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await at.as(at.meg).refused('POST', path, {}, missing)).var_name).toBe('subscriptions');
    await at.as(at.meg).refused('POST', path, {subscriptions: '[{'}, {code: 'INVALID_JSON'});
    await at.as(at.meg).refused('POST', path, {subscriptions: ['general']}, {code: 'BAD_REQUEST'});
    await at.as(at.meg).refused('POST', path, {subscriptions: [{description: 'a'}]}, {code: 'BAD_REQUEST'});
  });
});

describe('2. subscribe to a channel: a new channel', () => {
  test('has the default settings', async () => {
    const at = await operationsFixture();
    await at.as(at.meg).post(path, {subscriptions: [{name: 'plans'}]});
    expect(await channelOf(at, 'plans')).toMatchObject({
      description: '',
      invite_only: false,
      is_web_public: false,
      is_default: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      topics_policy: 'inherit',
      folder_id: null,
      creator_id: at.meg.id,
      date_created: at.clock.seconds(),
      can_administer_channel_group: {direct_members: [at.meg.id], direct_subgroups: []},
      can_remove_subscribers_group: 6,
      can_add_subscribers_group: nobody,
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: nobody,
      can_move_messages_out_of_channel_group: nobody,
    });
  });

  test('accepts every initial setting', async () => {
    const at = await operationsFixture();
    const {channel_folder_id} = await at
      .as(at.owner)
      .post('/channel_folders/create', {name: 'Folder', description: ''});
    const unnamed = {direct_members: [at.otto.id], direct_subgroups: [moderators]};
    const groups = Object.fromEntries(
      channelSettingNames.map((name, index) => [name, index % 2 ? members : unnamed]),
    );
    await at.as(at.owner).post(path, {
      subscriptions: [{name: 'plans', description: 'What *we* plan'}],
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
      folder_id: channel_folder_id,
      default_push_notifications: true,
      ...groups,
    });
    expect(await channelOf(at, 'plans')).toMatchObject({
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
    const at = await operationsFixture();
    const before = await channelOf(at, 'general');
    await at.as(at.owner).post(path, {
      subscriptions: [{name: 'general', description: 'other'}],
      invite_only: true,
      is_default_stream: true,
      history_public_to_subscribers: false,
      message_retention_days: 3,
      topics_policy: 'empty_topic_only',
      can_add_subscribers_group: members,
    });
    expect(await channelOf(at, 'general')).toEqual(before);
  });

  test('message_retention_days is accepted in every format and can be omitted', async () => {
    const at = await operationsFixture();
    const spellings: [string | number, number | null][] = [
      ['realm_default', null],
      ['"realm_default"', null],
      ['unlimited', -1],
      ['"unlimited"', -1],
      ['45', 45],
      ['"45"', 45],
      [45, 45],
    ];
    for (const [index, [given, kept]] of spellings.entries()) {
      const name = `plans ${index}`;
      await at.as(at.owner).post(path, {subscriptions: [{name}], message_retention_days: given});
      expect((await channelOf(at, name)).message_retention_days, String(given)).toBe(kept);
    }
    for (const given of [0, -5, 'soon', '']) {
      const params = {subscriptions: [{name: 'plans'}], message_retention_days: given};
      await at.as(at.owner).refused('POST', path, params, {code: 'BAD_REQUEST'});
    }
    expect(await channelOf(at, 'plans')).toBeUndefined();
  });

  test('every topics_policy is accepted, and no other value', async () => {
    const at = await operationsFixture();
    for (const topics_policy of ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) {
      await at.as(at.meg).post(path, {subscriptions: [{name: topics_policy}], topics_policy});
      expect((await channelOf(at, topics_policy)).topics_policy).toBe(topics_policy);
    }
    const params = {subscriptions: [{name: 'plans'}], topics_policy: 'whatever'};
    await at.as(at.meg).refused('POST', path, params, {code: 'BAD_REQUEST'});
  });

  test('a private channel has protected history by default', async () => {
    const at = await operationsFixture();
    await at.as(at.meg).post(path, {subscriptions: [{name: 'secret'}], invite_only: true});
    expect(await channelOf(at, 'secret')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
  });

  test('name and description are limited to the registration’s maximum lengths', async () => {
    const at = await operationsFixture();
    const limits = await at.as(at.meg).post('/register', {fetch_event_types: ['realm']});
    const name = 'n'.repeat(limits.max_stream_name_length);
    const description = 'd'.repeat(limits.max_stream_description_length);
    await at.as(at.meg).post(path, {subscriptions: [{name, description}]});
    const refusal = {code: 'BAD_REQUEST'};
    await at.as(at.meg).refused('POST', path, {subscriptions: [{name: `${name}n`}]}, refusal);
    const long = {subscriptions: [{name: 'b', description: `${description}d`}]};
    await at.as(at.meg).refused('POST', path, long, refusal);
    await at.as(at.meg).refused('POST', path, {subscriptions: [{name: '  '}]}, refusal);
    await at.as(at.meg).refused('POST', path, {subscriptions: [{name: 'a\0b'}]}, refusal);
  });

  test('the notification bot announces it only on request', async () => {
    const at = await operationsFixture();
    at.server.people.setting('new_stream_announcements_stream_id', at.general);
    const listener = await at.as(at.otto).listen({event_types: ['message']});
    await at.as(at.meg).post(path, {subscriptions: [{name: 'quiet'}]});
    expect(await listener.events()).toEqual([]);
    await at.as(at.meg).post(path, {subscriptions: [{name: 'loud'}], announce: true});
    const [notice, ...more] = await listener.events();
    expect(notice).toMatchObject({
      message: {stream_id: at.general, content: expect.stringContaining('#**loud**')},
    });
    expect(more).toEqual([]);
  });

  test('is_default_stream creates a default channel and needs an administrator', async () => {
    const at = await operationsFixture();
    const listener = await at.as(at.meg).listen({event_types: ['default_streams']});
    await at.as(at.admin).post(path, {subscriptions: [{name: 'lobby'}], is_default_stream: true});
    const lobby = await channelOf(at, 'lobby');
    expect(lobby.is_default).toBe(true);
    expect(await listener.events()).toMatchObject([{default_streams: [lobby.stream_id]}]);
    const reply = await at
      .as(at.meg)
      .raw('POST', path, {subscriptions: [{name: 'mine'}], is_default_stream: true});
    expect(reply.status).toBe(400);
    expect(await channelOf(at, 'mine')).toBeUndefined();
  });

  test('is_web_public needs the organization’s setting and the permission', async () => {
    const at = await operationsFixture();
    const params = {subscriptions: [{name: 'open'}], is_web_public: true};
    await at.as(at.owner).refused('POST', path, params, {code: 'BAD_REQUEST'});
    at.server.people.setting('enable_spectator_access', true);
    await at.as(at.admin).refused('POST', path, params, {code: 'BAD_REQUEST'});
    await at.as(at.owner).post(path, params);
    expect((await channelOf(at, 'open')).is_web_public).toBe(true);
  });

  test('the permissions decide who creates public and private channels', async () => {
    const at = await operationsFixture();
    const make = (name: string, invite_only: boolean) => ({subscriptions: [{name}], invite_only});
    await at.as(at.guest).refused('POST', path, make('a', false), {code: 'BAD_REQUEST'});
    at.server.people.setting('can_create_public_channel_group', moderators);
    await at.as(at.meg).refused('POST', path, make('b', false), {code: 'BAD_REQUEST'});
    await at.as(at.meg).post(path, make('c', true));
    at.server.people.setting('can_create_private_channel_group', nobody);
    await at.as(at.owner).refused('POST', path, make('d', true), {code: 'BAD_REQUEST'});
    await at.as(at.moderator).post(path, make('e', false));
  });

  test('a group setting with unknown or forbidden groups or users is refused', async () => {
    const at = await operationsFixture();
    const refusal = {code: 'BAD_REQUEST'};
    for (const value of [9999, {direct_members: [9999], direct_subgroups: []}, 'everybody', {}]) {
      const params = {subscriptions: [{name: 'x'}], can_administer_channel_group: value};
      const reply = await at.as(at.owner).raw('POST', path, params);
      expect([reply.status, ['BAD_REQUEST', 'INVALID_JSON'].includes(reply.body.code)]).toEqual([400, true]);
    }
    const internet = {subscriptions: [{name: 'x'}], can_send_message_group: 1};
    await at.as(at.owner).refused('POST', path, internet, refusal);
    const policy = {subscriptions: [{name: 'x'}], can_delete_any_message_group: members};
    await at.as(at.meg).refused('POST', path, policy, refusal);
    expect(await channelOf(at, 'x')).toBeUndefined();
  });
});

describe('2. subscribe to a channel: permissions', () => {
  test('a private channel cannot be joined without permission', async () => {
    const at = await operationsFixture();
    at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const params = {subscriptions: [{name: 'secret'}]};
    for (const person of [at.meg, at.guest, at.admin]) {
      await at.as(person).refused('POST', path, params, {code: 'BAD_REQUEST'});
    }
    const invited = await at.as(at.otto).post(path, {...params, principals: [at.meg.id]});
    expect(invited.subscribed).toEqual({[at.meg.id]: ['secret']});
  });

  test('with authorization_errors_fatal=false refused channels are listed and the rest succeeds', async () => {
    const at = await operationsFixture();
    at.server.people.channel('secret', [at.otto], {invite_only: 1});
    const params = {subscriptions: [{name: 'secret'}, {name: 'general'}], authorization_errors_fatal: false};
    const reply = await at.as(at.outsider).raw('POST', path, params);
    expect(reply.status).toBe(200);
    expectValid(endpoints.subscribe, reply.body);
    expect(reply.body.unauthorized).toEqual(['secret']);
    expect(reply.body.subscribed).toEqual({[at.outsider.id]: ['general']});
    await at
      .as(at.outsider)
      .refused('POST', path, {subscriptions: params.subscriptions}, {code: 'BAD_REQUEST'});
  });

  test('guests can neither join public channels nor subscribe others', async () => {
    const at = await operationsFixture();
    at.server.people.channel('other', [at.meg]);
    const refusal = {code: 'BAD_REQUEST'};
    await at.as(at.guest).refused('POST', path, {subscriptions: [{name: 'other'}]}, refusal);
    const adding = {subscriptions: [{name: 'general'}], principals: [at.outsider.id]};
    await at.as(at.guest).refused('POST', path, adding, refusal);
    await at.as(at.meg).post(path, {subscriptions: [{name: 'other'}], principals: [at.guest.id]});
  });

  test('subscribing others needs the organization’s or the channel’s permission', async () => {
    const at = await operationsFixture();
    at.server.people.setting('can_add_subscribers_group', moderators);
    at.server.people.channel('ours', [at.meg], {
      permissions: {can_add_subscribers_group: {direct_members: [at.meg.id], direct_subgroups: []}},
    });
    const add = (name: string) => ({subscriptions: [{name}], principals: [at.outsider.id]});
    await at.as(at.meg).refused('POST', path, add('general'), {code: 'BAD_REQUEST'});
    await at.as(at.moderator).post(path, add('general'));
    await at.as(at.meg).post(path, add('ours'));
  });

  test.each([
    ['unknown id', () => [9999]],
    ['unknown address', () => ['nobody@example.com']],
    ['deactivated', (at: OperationsFixture) => [at.server.people.add('Gone Girl', {active: false}).id]],
  ])('a principal that is %s is refused with 400 BAD_REQUEST', async (_, principals) => {
    const at = await operationsFixture();
    const params = {subscriptions: [{name: 'new'}], principals: principals(at)};
    await at.as(at.owner).refused('POST', path, params, {code: 'BAD_REQUEST', status: 400});
    expect(await channelOf(at, 'new')).toBeUndefined();
  });
});

describe('2. subscribe to a channel: events', () => {
  test('subscribed users get the subscription and a notice, others get peer_add', async () => {
    const at = await operationsFixture();
    const [joined, watching] = [await at.as(at.outsider).listen(), await at.as(at.otto).listen()];
    await at.as(at.meg).post(path, {subscriptions: [{name: 'general'}], principals: [at.outsider.id]});
    const events = await joined.events();
    const added = events.find((event) => event.type === 'subscription' && event.op === 'add');
    expect(added).toMatchObject({subscriptions: [{stream_id: at.general, name: 'general', is_muted: false}]});
    expect(events.filter((event) => event.type === 'message')).toMatchObject([
      {message: {type: 'private', content: expect.stringContaining('#**general**')}},
    ]);
    const peers = await eventsOf(watching, 'subscription');
    expect(peers).toMatchObject([{op: 'peer_add', stream_ids: [at.general], user_ids: [at.outsider.id]}]);
  });

  test('send_new_subscription_messages=false sends no notice', async () => {
    const at = await operationsFixture();
    const listener = await at.as(at.outsider).listen({event_types: ['message']});
    const params = {subscriptions: [{name: 'general'}], principals: [at.outsider.id]};
    const reply = await at.as(at.meg).post(path, {...params, send_new_subscription_messages: false});
    expect(reply).not.toHaveProperty('new_subscription_messages_sent');
    expect(await listener.events()).toEqual([]);
  });

  test('users outside of a private channel get no events', async () => {
    const at = await operationsFixture();
    const [otto, outsider, admin] = [
      await at.as(at.otto).listen(),
      await at.as(at.outsider).listen(),
      await at.as(at.admin).listen(),
    ];
    await at.as(at.meg).post(path, {
      subscriptions: [{name: 'secret'}],
      invite_only: true,
      principals: [at.meg.id, at.otto.id],
    });
    expect((await eventsOf(otto, 'subscription')).map(({op}) => op)).toContain('add');
    expect(await outsider.events()).toEqual([]);
    expect((await eventsOf(admin, 'stream')).map(({op}) => op)).toEqual(['create']);
  });

  test('a later subscriber of a channel with protected history reads only newer messages', async () => {
    const at = await operationsFixture();
    await at.as(at.meg).post(path, {subscriptions: [{name: 'secret'}], invite_only: true});
    const {stream_id} = await channelOf(at, 'secret');
    const before = await sendToChannel(at.as(at.meg), stream_id);
    await at.as(at.meg).post(path, {subscriptions: [{name: 'secret'}], principals: [at.otto.id]});
    const after = await sendToChannel(at.as(at.meg), stream_id);
    await at.as(at.otto).refused('GET', `/messages/${before}`, {}, {code: 'BAD_REQUEST'});
    await at.as(at.otto).get(`/messages/${after}`);
    await sendDirect(at.as(at.otto), [at.meg.id]);
  });
});
