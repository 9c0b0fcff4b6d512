import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {verbFixture} from './verb-fixture.ts';
import {verbScene} from './verb-scene.ts';

async function channelScene() {
  const scene = await verbScene();
  const {server, meg} = scene;
  const channels = async (): Promise<Record<string, unknown>[]> =>
    (await server.as(scene.owner).get('/streams', {exclude_archived: false, include_all: true})).streams;
  const channel = async (name: string) => (await channels()).find((each) => each.name === name);
  const ownTopics = async () =>
    (await server.as(meg).post('/register', {fetch_event_types: ['user_topic']})).user_topics.map(
      ({topic_name, visibility_policy}: {topic_name: string; visibility_policy: number}) => [
        topic_name,
        visibility_policy,
      ],
    );
  return {...scene, channels, channel, ownTopics};
}

test('mute and follow: topics, channels and users, once or twice', async () => {
  const {run, ownTopics, server, meg, otto} = await channelScene();
  expect(await run('mute', ['#general>noise', 'general>more'])).toEqual({
    code: 0,
    out: 'Muted #general › noise, #general › more.\n',
    err: '',
  });
  expect(await run('follow', ['#general>plans'])).toMatchObject({out: 'Following #general › plans.\n'});
  expect(await run('unmute', ['#general>more'])).toMatchObject({code: 0});
  expect(await ownTopics()).toEqual([
    ['noise', 1],
    ['plans', 3],
  ]);
  expect(await run('unfollow', ['#general>plans'])).toMatchObject({out: 'No longer following #general › plans.\n'});
  expect(await run('mute', ['#general', '@Otto Other', '--json'])).toMatchObject({code: 0});
  // In a muted channel, an unmuted topic is unmuted by itself.
  expect(await run('unmute', ['#general>noise'])).toMatchObject({code: 0});
  expect(await ownTopics()).toEqual([['noise', 2]]);
  expect(await run('mute', ['@Otto Other'])).toEqual({code: 0, out: 'Muted Otto Other.\n', err: ''});
  const {muted_users, subscriptions} = await server
    .as(meg)
    .post('/register', {fetch_event_types: ['muted_users', 'subscription']});
  expect(muted_users).toMatchObject([{id: otto.id}]);
  expect(subscriptions).toMatchObject([{name: 'general', is_muted: true}]);
  expect(await run('unmute', ['@Otto Other', '#general'])).toMatchObject({out: 'Unmuted Otto Other, #general.\n'});
  const after = await server.as(meg).post('/register', {fetch_event_types: ['muted_users', 'subscription']});
  expect([after.muted_users, after.subscriptions]).toMatchObject([[], [{is_muted: false}]]);
});

test('mute, channel archive: of several, those done before a failure are named', async () => {
  const {run, asOwner, server, otto, fault} = await channelScene();
  server.people.channel('attic', [otto]);
  const cellar = server.people.channel('cellar', [otto]);
  const refusal = {kind: 'status', status: 400, code: 'BAD_REQUEST'};
  await fault({method: 'POST', path: '/user_topics', kind: 'delay'});
  await fault({method: 'POST', path: '/user_topics', ...refusal});
  expect(await run('mute', ['#general>noise', '#general>more'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Muted #general › noise\. Then this failed:\n./),
  });
  await fault({method: 'DELETE', path: `/streams/${cellar}`, ...refusal});
  expect(await asOwner.run('channel archive', ['attic', 'cellar'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Archived #attic\. Then this failed:\n./),
  });
});

test('mute and follow: what cannot be muted or followed is refused with the reason', async () => {
  const {run, server, otto} = await channelScene();
  server.people.channel('elsewhere', [otto]);
  expect(await run('mute', ['#elsewhere'])).toMatchObject({code: 1, err: 'You are not subscribed to #elsewhere.\n'});
  expect(await run('mute', ['@me'])).toMatchObject({code: 1, err: 'You cannot mute yourself.\n'});
  expect(await run('mute', ['@Ottp Other'])).toMatchObject({
    code: 1,
    err: 'No user is called “Ottp Other”. Did you mean “Otto Other”?\n',
  });
  expect(await run('follow', ['#general'])).toMatchObject({code: 2});
  expect(await run('follow', ['@Otto Other'])).toMatchObject({code: 2});
});

test('subscribe: oneself and others, but no channel is created', async () => {
  const {run, asOwner, server, otto, meg} = await channelScene();
  const open = server.people.channel('open', []);
  const closed = server.people.channel('closed', [otto], {invite_only: 1});
  server.people.subscribe(meg, closed);
  expect(await run('subscribe', ['#open'])).toEqual({code: 0, out: 'Subscribed to #open.\n', err: ''});
  expect(await run('subscribe', ['open', '--user', '@Otto Other', '--json'])).toMatchObject({code: 0});
  const members = async (id: number) => (await server.as(meg).get(`/streams/${id}/members`)).subscribers;
  expect(await members(open)).toEqual([meg.id, otto.id]);
  expect(await run('subscribe', ['opem'])).toMatchObject({
    code: 1,
    err: 'There is no channel called “opem”. Did you mean “open”?\n',
  });
  expect(await run('unsubscribe', ['#open', '#closed'])).toMatchObject({out: 'Unsubscribed from #open, #closed.\n'});
  expect(await run('unsubscribe', ['#open'])).toMatchObject({code: 0, out: 'Not subscribed to #open.\n'});
  expect(await members(open)).toEqual([otto.id]);
  expect(await asOwner.run('unsubscribe', ['#open', '--user', '@Otto Other'])).toMatchObject({
    code: 0,
    out: 'Unsubscribed 1 user from #open.\n',
  });
  expect(await members(open)).toEqual([]);
});

test('subscribe: a refusal is exit code 5, and the other channels are joined', async () => {
  const {asOwner, run, server, otto, owner} = await channelScene();
  const open = server.people.channel('open', []);
  server.people.channel('secret', [otto], {invite_only: 1});
  expect(await asOwner.run('subscribe', ['secret', 'open'])).toEqual({
    code: 5,
    out: 'Subscribed to #open.\n',
    err: 'You do not have the permission to subscribe to #secret.\n',
  });
  expect((await server.as(owner).get(`/streams/${open}/members`)).subscribers).toEqual([owner.id]);
  expect(await run('unsubscribe', ['general', '--user', otto.email])).toEqual({
    code: 5,
    out: '',
    err: 'You do not have permission to remove people from #general.\n',
  });
});

test('channel create: all settings are set', async () => {
  const {asOwner, channel, server, meg, owner} = await channelScene();
  const made = await asOwner.run('channel create', [
    '#plans',
    ...['-d', '- what we *plan*', '--privacy', 'protected', '--topics', 'require', '--retention', '30'],
    ...['--push', 'no', '--user', '@Meg Member'],
    ...['--permission', 'send_message=moderators', '--permission', 'add_subscribers=owners,@Meg Member', '--json'],
  ]);
  const {id} = JSON.parse(made.out);
  expect(await channel('plans')).toMatchObject({
    stream_id: id,
    description: '- what we *plan*',
    invite_only: true,
    history_public_to_subscribers: false,
    topics_policy: 'disable_empty_topic',
    message_retention_days: 30,
    can_add_subscribers_group: {direct_members: [meg.id]},
  });
  expect((await server.as(owner).get(`/streams/${id}/members`)).subscribers.sort()).toEqual([meg.id, owner.id].sort());
  expect(await asOwner.run('channel create', ['Plans'])).toMatchObject({
    code: 1,
    err: 'There is already a channel called “plans”.\n',
  });
  expect(await asOwner.run('channel create', ['x', '--permission', 'fly=owners'])).toMatchObject({code: 2});
  expect(await asOwner.run('channel create', ['x', '--permission', 'send_message=owlers'])).toMatchObject({
    code: 1,
    err: 'There is no group called “owlers”. Did you mean “owners”?\n',
  });
  expect(await asOwner.run('channel create', ['x', '--folder', 'Nowhere'])).toMatchObject({code: 1});
  expect(await asOwner.run('channel create', ['x'.repeat(61)])).toMatchObject({
    code: 1,
    err: 'The name has 61 characters; this server allows 60.\n',
  });
});

test('channel create: without the permission it is exit code 5', async () => {
  const {server} = await channelScene();
  const {run} = verbFixture(server, server.people.guest());
  expect(await run('channel create', ['mine'])).toEqual({
    code: 5,
    out: '',
    err: 'You do not have permission to create public channels.\n',
  });
});

test('channel edit: settings change, and only for administrators of the channel', async () => {
  const {asOwner, run, channel} = await channelScene();
  expect(await asOwner.run('channel edit', ['general', '--name', 'lobby', '-d', 'hello', '--default', 'yes'])).toEqual({
    code: 0,
    out: 'Changed #lobby.\n',
    err: '',
  });
  expect(await channel('lobby')).toMatchObject({description: 'hello'});
  const makePrivate = ['lobby', '--privacy', 'private', '--topics', 'inherit'];
  expect(await asOwner.run('channel edit', makePrivate)).toMatchObject({
    code: 1,
    err: 'A default channel cannot be private.\n',
  });
  expect(await asOwner.run('channel edit', [...makePrivate, '--default', 'no'])).toMatchObject({code: 0});
  expect(await channel('lobby')).toMatchObject({invite_only: true, history_public_to_subscribers: true});
  const permission = (who: string) => asOwner.run('channel edit', ['lobby', '--permission', `send_message=${who}`]);
  expect(await permission('')).toMatchObject({code: 2, err: 'Name who has the permission, or “nobody”.\n'});
  expect(await permission('owners, moderators')).toMatchObject({code: 0});
  const {owners, moderators} = SystemGroup;
  expect(await channel('lobby')).toMatchObject({can_send_message_group: {direct_subgroups: [moderators, owners]}});
  expect(await permission('nobody')).toMatchObject({code: 0});
  expect(await run('channel edit', ['lobby', '-d', 'x'])).toEqual({
    code: 5,
    out: '',
    err: 'Only administrators of #lobby may change its settings.\n',
  });
  expect(await asOwner.run('channel edit', ['lobby'])).toMatchObject({code: 2});
  expect(await asOwner.run('channel edit', ['lobby', '--retention', 'soon'])).toMatchObject({code: 2});
});

test('channel list, members, archive and unarchive', async () => {
  const {run, asOwner, server, meg, otto, channelId} = await channelScene();
  server.people.channel('attic', [otto], {invite_only: 0});
  const lines = (await run('channel list', [])).out.trimEnd().split('\n');
  expect(lines.map((line) => line.trim().replace(/^\d+ +/, ''))).toEqual([
    '#attic                1 subscriber',
    '#general  subscribed  3 subscribers',
  ]);
  expect((await run('channel list', ['--subscribed'])).out).toContain('#general');
  expect((await run('channel list', ['--subscribed'])).out).not.toContain('#attic');
  expect(JSON.parse((await run('channel list', ['gener', '--json'])).out)).toMatchObject([
    {id: channelId, name: 'general', isSubscribed: true, isPrivate: false, isArchived: false},
  ]);
  expect(await run('channel list', ['zzz'])).toMatchObject({code: 1, out: ''});
  expect((await run('channel members', ['#general'])).out).toContain(`${meg.email}  `);
  expect(JSON.parse((await run('channel members', ['attic', '--json'])).out)).toMatchObject([{id: otto.id}]);
  expect(await run('channel archive', ['attic'])).toMatchObject({code: 5});
  expect(await asOwner.run('channel archive', ['attic', 'general'])).toEqual({
    code: 0,
    out: 'Archived #attic, #general.\n',
    err: '',
  });
  expect(await asOwner.run('channel archive', ['attic'])).toMatchObject({code: 0});
  expect((await asOwner.run('channel list', [])).out).toBe('');
  expect((await asOwner.run('channel list', ['--archived'])).out).toContain('archived');
  expect(await asOwner.run('channel unarchive', ['attic'])).toMatchObject({code: 0, out: 'Unarchived #attic.\n'});
  expect((await asOwner.run('channel list', [])).out).toContain('#attic');
});

test('channel list: descriptions are searched too, and web-public channels are marked', async () => {
  const {run, asOwner, server, meg} = await channelScene();
  server.people.channel('open', [meg], {is_web_public: 1});
  await asOwner.run('channel edit', ['general', '-d', 'Tides and weather']);
  expect((await run('channel list', ['WEATHER'])).out).toMatch(/#general .* Tides and weather\n$/);
  expect((await run('channel list', ['open'])).out).toContain('#open  web-public, subscribed');
  expect(await asOwner.run('channel edit', ['open', '--privacy', 'public'])).toMatchObject({code: 0});
  expect((await run('channel list', ['open'])).out).toContain('#open  subscribed');
});

test('channel create and edit: names, folders, announcements and the default retention', async () => {
  const {run, asOwner, server, owner, otto, channel} = await channelScene();
  const made = await asOwner.run('channel create', ['plans', '--retention', '30', '--announce']);
  expect(made).toEqual({
    code: 0,
    out: 'Created #plans.\n',
    err: 'It was not announced: the organization has no channel for announcements.\n',
  });
  expect(await asOwner.run('channel edit', ['plans', '--name', 'Plans', '--retention', 'default'])).toMatchObject({
    out: 'Changed #Plans.\n',
  });
  expect(await channel('Plans')).toMatchObject({message_retention_days: null});
  expect(await asOwner.run('channel edit', ['plans', '--retention', 'unlimited'])).toMatchObject({code: 0});
  expect(await channel('Plans')).toMatchObject({message_retention_days: -1});
  const as = server.as(owner);
  const {channel_folder_id: id} = await as.post('/channel_folders/create', {name: 'Work', description: ''});
  expect(await asOwner.run('channel edit', ['plans', '--folder', 'work'])).toMatchObject({code: 0});
  expect(await channel('Plans')).toMatchObject({folder_id: id});
  expect(await asOwner.run('channel edit', ['plans', '--folder', ''])).toMatchObject({code: 0});
  await as.patch(`/channel_folders/${id}`, {is_archived: true});
  expect(await asOwner.run('channel edit', ['plans', '--folder', 'work'])).toMatchObject({
    code: 1,
    err: 'There is no folder called “work”.\n',
  });
  expect(await channel('Plans')).toMatchObject({folder_id: null});
  expect(await run('channel create', ['site', '--privacy', 'web-public'])).toMatchObject({
    code: 5,
    err: 'Web-public channels are turned off in this organization.\n',
  });
  server.people.channel('attic', [otto], {is_archived: 1});
  expect((await asOwner.run('channel create', ['attic'])).err).not.toContain('There is already a channel');
});

test('channel archive, unsubscribe: if one of several may not be changed, none is', async () => {
  const {run, server, otto, channelId} = await channelScene();
  const {id} = JSON.parse((await run('channel create', ['mine', '--user', '@Otto Other', '--json'])).out);
  expect(await run('channel archive', ['mine', 'general'])).toMatchObject({code: 5, out: ''});
  expect(JSON.parse((await run('channel list', ['mine', '--json'])).out)).toMatchObject([{isArchived: false}]);
  expect(await run('unsubscribe', ['mine', 'general', '--user', '@Otto Other'])).toMatchObject({code: 5, out: ''});
  for (const channel of [id, channelId]) {
    expect((await server.as(otto).get(`/streams/${channel}/members`)).subscribers).toContain(otto.id);
  }
  const twice = ['--user', '@Otto Other', '--user', otto.email];
  expect((await run('unsubscribe', ['mine', ...twice])).out).toBe('Unsubscribed 1 user from #mine.\n');
});
