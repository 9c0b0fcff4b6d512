import type {Param} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, png, since, test} from './contract-fixture.ts';

test('events match a new registration: adding, changing, reordering and removing linkifiers', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  const client = server.as(owner);
  const level = levelUnderTest();
  const linkifier = (pattern: string, variable: string) =>
    level >= levels.linkifierTemplates
      ? {pattern, url_template: `https://tickets.example/{${variable}}`}
      : {pattern, url_format_string: `https://tickets.example/%(${variable})s`};
  const params = linkifier('#(?P<id>[0-9]+)', 'id');
  const example = level >= levels.reverseLinkifiers ? {example_input: '##12', reverse_template: '##{id}'} : {};
  await expectConsistent(() => client.post('/realm/filters', params));
  const {linkifiers} = await client.get('/realm/linkifiers');
  await expectConsistent(() =>
    client.patch(`/realm/filters/${linkifiers[0].id}`, {...linkifier('##(?P<id>[0-9]+)', 'id'), ...example}),
  );
  await expectConsistent(() => client.post('/realm/filters', linkifier('T(?P<n>[0-9]+)', 'n')));
  const ids = (await client.get('/realm/linkifiers')).linkifiers.map((one: {id: number}) => one.id);
  if (level >= levels.reorderLinkifiers) {
    await expectConsistent(() => client.patch('/realm/linkifiers', {ordered_linkifier_ids: [...ids].reverse()}));
  }
  await expectConsistent(() => client.delete(`/realm/filters/${ids[0]}`));
});

test('events match a new registration: adding, changing and removing an allowed domain', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  const client = server.as(owner);
  await expectConsistent(() => client.post('/realm/domains', {domain: 'example.org', allow_subdomains: false}));
  await expectConsistent(() => client.patch('/realm/domains/example.org', {allow_subdomains: true}));
  await expectConsistent(() => client.delete('/realm/domains/example.org'));
});

test('events match a new registration: adding, changing, reordering and removing profile fields', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  const client = server.as(owner);
  await expectConsistent(() => client.post('/realm/profile_fields', {name: 'Motto', hint: 'short', field_type: 1}));
  const choices = {a: {text: 'Tea', order: '1'}, b: {text: 'Coffee', order: '2'}};
  await expectConsistent(() =>
    client.post('/realm/profile_fields', {name: 'Drink', field_type: 3, field_data: choices}),
  );
  const ids = (await client.get('/realm/profile_fields')).custom_fields.map((field: {id: number}) => field.id);
  await expectConsistent(() => client.patch('/realm/profile_fields', {order: [...ids].reverse()}));
  await expectConsistent(() => client.patch(`/realm/profile_fields/${ids[0]}`, {name: 'Saying', hint: 'brief'}));
  await server.as(meg).patch('/users/me/profile_data', {data: [{id: ids[1], value: 'a'}]});
  await expectConsistent(() => client.delete(`/realm/profile_fields/${ids[1]}`));
});

test('events match a new registration: adding and removing a custom emoji', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).upload('/realm/emoji/tide_clock', 'clock.png', png, 'image/png'));
  await expectConsistent(() => server.as(owner).delete('/realm/emoji/tide_clock'));
});

test('events match a new registration: adding and removing a code playground', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  const url =
    levelUnderTest() >= levels.playgroundTemplates
      ? {url_template: 'https://py.example/?x={code}'}
      : {url_prefix: 'https://py.example/?x='};
  const params = {name: 'Py', pygments_language: 'Python', ...url};
  let id = 0;
  await expectConsistent(async () => {
    ({id} = await server.as(owner).post('/realm/playgrounds', params));
  });
  await expectConsistent(() => server.as(owner).delete(`/realm/playgrounds/${id}`));
});

test('events match a new registration: uploading and removing the icon of the organization', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).upload('/realm/icon', 'icon.png', png, 'image/png'));
  await expectConsistent(() => server.as(owner).delete('/realm/icon'));
});

async function twoGroups() {
  const fixture = await contractFixture();
  const {server, owner, guest, expectConsistent} = fixture;
  const client = server.as(owner);
  await expectConsistent(() =>
    client.post('/user_groups/create', {name: 'crew', description: 'all hands', members: [owner.id]}),
  );
  await expectConsistent(() =>
    client.post('/user_groups/create', {name: 'deck', description: '', members: [guest.id]}),
  );
  const {user_groups} = await client.get('/user_groups');
  const [crew, deck] = user_groups.filter((group: {is_system_group: boolean}) => !group.is_system_group);
  return {...fixture, client, crew: crew.id as number, deck: deck.id as number};
}

test('events match a new registration: changing a group and its members', async () => {
  const {meg, client, crew, expectConsistent} = await twoGroups();
  await expectConsistent(() => client.patch(`/user_groups/${crew}`, {name: 'whole crew', description: 'everybody'}));
  await expectConsistent(() => client.post(`/user_groups/${crew}/members`, {add: [meg.id]}));
  await expectConsistent(() => client.post(`/user_groups/${crew}/members`, {delete: [meg.id]}));
});

since(levels.groupMention)('events match a new registration: changing who may mention a group', async () => {
  const {client, crew, expectConsistent} = await twoGroups();
  await expectConsistent(() => client.patch(`/user_groups/${crew}`, {can_mention_group: {new: 4}}));
});

since(131)('events match a new registration: adding and removing a subgroup', async () => {
  const {client, crew, deck, expectConsistent} = await twoGroups();
  await expectConsistent(() => client.post(`/user_groups/${crew}/subgroups`, {add: [deck]}));
  await expectConsistent(() => client.post(`/user_groups/${crew}/subgroups`, {delete: [deck]}));
});

test('events match a new registration: deactivating a group', async () => {
  const {client, deck, expectConsistent} = await twoGroups();
  await expectConsistent(() =>
    levelUnderTest() >= levels.groupDeactivated
      ? client.post(`/user_groups/${deck}/deactivate`)
      : client.delete(`/user_groups/${deck}`),
  );
});

const settings = [
  ['name', 'Renamed'],
  ['description', 'About **us**'],
  ['waiting_period_threshold', 3],
  ['message_content_edit_limit_seconds', 60],
  ['message_content_edit_limit_seconds', '"unlimited"'],
  ['message_content_delete_limit_seconds', '"unlimited"'],
  ['move_messages_within_stream_limit_seconds', 60],
  ['allow_message_editing', false],
  ['message_edit_history_visibility_policy', 'none'],
  ['topics_policy', 'disable_empty_topic'],
  ['mandatory_topics', true],
  ['allow_edit_history', false],
  ['enable_read_receipts', false],
  ['default_code_block_language', 'python'],
  ['video_chat_provider', 0],
  ['jitsi_server_url', '"https://meet.example"'],
  ['enable_guest_user_indicator', false],
  ['can_create_public_channel_group', {new: 5}],
  ['can_create_private_channel_group', {new: 5}],
  ['direct_message_permission_group', {new: 8}],
  ['can_delete_own_message_group', {new: 5}],
  ['can_create_groups', {new: 5}],
  ['can_add_custom_emoji_group', {new: 5}],
  ['can_move_messages_between_channels_group', {new: 5}],
  ['can_move_messages_between_topics_group', {new: 5}],
  ['can_invite_users_group', {new: 5}],
  ['can_add_subscribers_group', {new: 5}],
  ['can_create_bots_group', {new: 5}],
  ['can_mention_many_users_group', {new: 3}],
] as const;

test('events match a new registration: changing an organization setting', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  for (const [name, value] of settings) {
    const {since, until = Number.POSITIVE_INFINITY}: Param = endpoints.updateRealm.params[name];
    if (server.context.level < since || server.context.level >= until) continue;
    await expectConsistent(() => server.as(owner).patch('/realm', {[name]: value}), meg, name);
  }
});

test('events match a new registration: creating, changing and deactivating a bot', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  const client = server.as(meg);
  let path = '';
  await expectConsistent(async () => {
    path = `/bots/${(await client.post('/bots', {full_name: 'Tide Bot', short_name: 'tide'})).user_id}`;
  });
  await expectConsistent(() => client.patch(path, {full_name: 'High Tide Bot'}));
  await expectConsistent(() => client.patch(path, {default_sending_stream: 'general'}));
  await expectConsistent(() => server.as(owner).patch(path, {bot_owner_id: owner.id}));
  await expectConsistent(() => server.as(owner).delete(path));
});
