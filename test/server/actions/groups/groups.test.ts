import {expect, test} from 'vitest';
import {type TestServer, testServer} from '#test/support/server.ts';

async function setup() {
  const server = await testServer();
  const {people} = server;
  return {server, owner: people.owner(), admin: people.admin(), meg: people.member(), gus: people.guest()};
}

async function createGroup(server: TestServer, by: Parameters<TestServer['as']>[0], params: object = {}) {
  const reply = await server
    .as(by)
    .post('/user_groups/create', {name: 'support', description: 'Help desk', members: [], ...params});
  return reply.group_id as number;
}

async function getGroup(server: TestServer, by: Parameters<TestServer['as']>[0], id: number) {
  const {user_groups} = await server.as(by).get('/user_groups', {include_deactivated_groups: true});
  return user_groups.find((candidate: {id: number}) => candidate.id === id);
}

test('groups: a new group is managed by its creator and sent to all users', async () => {
  const {server, meg, gus} = await setup();
  const guest = await server.as(gus).listen();
  const id = await createGroup(server, meg, {members: [gus.id], subgroups: [5]});
  const expected = {
    id,
    name: 'support',
    description: 'Help desk',
    members: [gus.id],
    direct_subgroup_ids: [5],
    is_system_group: false,
    deactivated: false,
    date_created: expect.any(Number),
    creator_id: meg.id,
    can_add_members_group: {direct_members: [meg.id], direct_subgroups: []},
    can_join_group: 8,
    can_leave_group: 2,
    can_manage_group: {direct_members: [meg.id], direct_subgroups: []},
    can_mention_group: 2,
    can_remove_members_group: 8,
  };
  expect(await getGroup(server, meg, id)).toEqual(expected);
  expect(await guest.events()).toMatchObject([
    {type: 'user_group', op: 'add', group: {...expected, direct_subgroup_ids: []}},
    {type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: [5]},
  ]);
});

test('groups: system groups list the users of exactly their role and contain each other', async () => {
  const {server, owner, admin, meg, gus} = await setup();
  server.people.add('Ian Inactive', {active: false});
  const {user_groups} = await server.as(meg).get('/user_groups');
  const shown = user_groups.map((row: Record<string, unknown>) => [
    row.name,
    row.members,
    row.direct_subgroup_ids,
    row.can_mention_group,
  ]);
  expect(shown).toEqual([
    ['role:internet', [], [2], 8],
    ['role:everyone', [gus.id], [3], 8],
    ['role:members', [meg.id], [4], 8],
    ['role:fullmembers', [meg.id], [5], 8],
    ['role:moderators', [], [6], 8],
    ['role:administrators', [admin.id], [7], 8],
    ['role:owners', [owner.id], [], 8],
    ['role:nobody', [], [], 8],
  ]);
});

test.each([
  ['empty', '  '],
  ['too long', 'x'.repeat(101)],
  ['like a mention', '@team'],
  ['like a role', 'role:chefs'],
  ['like a user', 'user:1'],
  ['like a channel', 'channel:x'],
  ['like a stream', 'stream:x'],
])('groups: a group name that is %s is refused', async (_, name) => {
  const {server, meg} = await setup();
  const params = {name, description: '', members: []};
  await server.as(meg).refused('POST', '/user_groups/create', params, {code: 'BAD_REQUEST'});
});

test('groups: names are unique by exact case, and a mention means the exact name', async () => {
  const {server, meg} = await setup();
  const first = await createGroup(server, meg);
  const second = await createGroup(server, meg, {name: 'SUPPORT'});
  await createGroup(server, meg, {name: 'Role:x', description: ' padded '});
  const again = {name: 'SUPPORT', description: '', members: []};
  const {msg} = await server.as(meg).refused('POST', '/user_groups/create', again, {code: 'BAD_REQUEST'});
  expect(msg).toBe("User group 'SUPPORT' already exists.");
  for (const [name, id] of [
    ['support', first],
    ['SUPPORT', second],
  ]) {
    const {rendered} = await server.as(meg).post('/messages/render', {content: `@_*${name}*`});
    expect(rendered).toContain(`data-user-group-id="${id}"`);
  }
});

test('groups: errors and their order are those of Zulip’s servers', async () => {
  const {server, owner, meg, gus} = await setup();
  const bot = server.people.bot('Bo', meg);
  const gone = server.people.add('Ian Inactive', {active: false});
  const dead = await createGroup(server, meg, {name: 'dead', members: [meg.id]});
  await server.as(meg).post(`/user_groups/${dead}/deactivate`);
  const adder = await createGroup(server, owner, {
    name: 'adder',
    can_add_members_group: 3,
    can_remove_members_group: 3,
  });
  await server.as(owner).post(`/user_groups/${adder}/subgroups`, {add: [5]});
  const set = (direct_members: number[], direct_subgroups: number[]) => ({new: {direct_members, direct_subgroups}});
  const cases: [typeof meg, string, string, Record<string, unknown>, string][] = [
    [meg, 'POST', 'create', {name: '', description: '', members: [gone.id]}, `Invalid user ID: ${gone.id}`],
    [meg, 'POST', 'create', {name: 'x', description: ''}, "Missing 'members' argument"],
    [meg, 'POST', 'create', {name: 'dead', description: '', members: [], can_join_group: 999}, 'Invalid user group'],
    [meg, 'PATCH', '999', {}, 'No new data supplied'],
    [
      meg,
      'POST',
      '999/members',
      {},
      'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
    ],
    [gus, 'POST', `${dead}/deactivate`, {}, 'User group is deactivated.'],
    [gus, 'POST', `${adder}/deactivate`, {}, 'Insufficient permission'],
    [meg, 'POST', `${dead}/members`, {delete: [gone.id]}, `Invalid user ID: ${gone.id}`],
    [meg, 'POST', `${adder}/subgroups`, {delete: [5]}, 'Insufficient permission'],
    [meg, 'POST', `${adder}/subgroups`, {add: [adder, 5]}, 'User group 5 is already a subgroup of this group.'],
    [owner, 'POST', `${adder}/subgroups`, {delete: [999]}, 'Invalid user group ID: 999'],
    [owner, 'POST', `${adder}/subgroups`, {delete: [dead]}, 'User group is deactivated.'],
    [owner, 'PATCH', `${adder}`, {can_join_group: set([999], [998])}, 'Invalid user ID: 999'],
    [owner, 'PATCH', `${adder}`, {can_join_group: set([owner.id], [998])}, 'Invalid user group ID: 998'],
    [owner, 'PATCH', `${adder}`, {can_join_group: set([], [998])}, 'Invalid user group'],
    [meg, 'GET', `${dead}/members`, {}, 'User group is deactivated.'],
    [meg, 'GET', `${dead}/members/999`, {}, 'User group is deactivated.'],
    [meg, 'GET', `${adder}/members/${bot.id}`, {}, 'No such user'],
    [meg, 'GET', `${adder}/members/${gone.id}`, {}, 'User is deactivated'],
  ];
  const replies = [];
  for (const [who, method, path, params] of cases) {
    replies.push((await server.as(who).raw(method, `/user_groups/${path}`, params)).body.msg);
  }
  expect(replies).toEqual(cases.map(([, , , , message]) => message));
});

test('groups: guests cannot create groups, members only with the permission', async () => {
  const {server, meg, gus, admin} = await setup();
  const params = {name: 'x', description: '', members: []};
  await server.as(gus).refused('POST', '/user_groups/create', params, {code: 'BAD_REQUEST'});
  server.people.setting('can_create_groups', 6);
  // The permission is checked before the parameters.
  await server.as(meg).refused('POST', '/user_groups/create', {}, {code: 'BAD_REQUEST'});
  await createGroup(server, admin);
});

test('groups: each changed property is an event of its own, also of several at once', async () => {
  const {server, meg, gus} = await setup();
  const id = await createGroup(server, meg);
  const guest = await server.as(gus).listen();
  await server.as(meg).patch(`/user_groups/${id}`, {
    name: 'help',
    description: 'Help desk',
    can_join_group: {new: {direct_members: [], direct_subgroups: [3]}, old: 8},
  });
  expect(await guest.events()).toEqual([
    {id: 0, type: 'user_group', op: 'update', group_id: id, data: {name: 'help'}},
    {id: 1, type: 'user_group', op: 'update', group_id: id, data: {can_join_group: 3}},
  ]);
  expect(await getGroup(server, meg, id)).toMatchObject({
    name: 'help',
    can_join_group: 3,
    description: 'Help desk',
  });
});

test('groups: a permission change with a wrong expected value is refused', async () => {
  const {server, meg} = await setup();
  const id = await createGroup(server, meg);
  const params = {can_join_group: {new: 3, old: 2}};
  const body = await server.as(meg).refused('PATCH', `/user_groups/${id}`, params, {code: 'EXPECTATION_MISMATCH'});
  expect(body.field_name).toBe('old');
});

test('groups: a permission that guests must never have cannot be given to everyone', async () => {
  const {server, meg} = await setup();
  const id = await createGroup(server, meg);
  const bad = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('PATCH', `/user_groups/${id}`, {can_manage_group: {new: 2}}, bad);
  await server.as(meg).refused('PATCH', `/user_groups/${id}`, {can_join_group: {new: 999}}, bad);
  await server.as(meg).refused('PATCH', `/user_groups/${id}`, {}, bad);
  await server.as(meg).patch(`/user_groups/${id}`, {can_leave_group: {new: 2}});
});

test('groups: only managers of the group or of all groups change it', async () => {
  const {server, owner, admin, meg} = await setup();
  const other = server.people.member('Otto Other');
  const id = await createGroup(server, meg);
  for (const person of [admin, other]) {
    await server.as(person).refused('PATCH', `/user_groups/${id}`, {name: 'n'}, {code: 'BAD_REQUEST'});
    await server.as(person).refused('POST', `/user_groups/${id}/deactivate`, {}, {code: 'BAD_REQUEST'});
  }
  await server.as(owner).patch(`/user_groups/${id}`, {name: 'by owner'});
  await server.as(owner).refused('PATCH', '/user_groups/3', {name: 'n'}, {code: 'BAD_REQUEST'});
  await server.as(owner).refused('PATCH', '/user_groups/999', {name: 'n'}, {code: 'BAD_REQUEST'});
});

test('groups: a group in its own setting is in use and cannot be deactivated', async () => {
  const {server, meg} = await setup();
  const id = await createGroup(server, meg);
  await server.as(meg).patch(`/user_groups/${id}`, {can_mention_group: {new: id}});
  const refusal = {code: 'CANNOT_DEACTIVATE_GROUP_IN_USE', status: 400};
  const {objections} = await server.as(meg).refused('POST', `/user_groups/${id}/deactivate`, {}, refusal);
  expect(objections).toEqual([{type: 'user_group', group_id: id, settings: ['can_mention_group']}]);
});

test('groups: adding and removing members is sent to all users and tells the members; repeating it is refused', async () => {
  const {server, meg, gus, admin} = await setup();
  const id = await createGroup(server, meg);
  const guest = await server.as(gus).listen();
  const notices = await server.as(admin).listen({event_types: ['message']});
  await server.as(meg).post(`/user_groups/${id}/members`, {add: [gus.id, admin.id]});
  await server.as(meg).refused('POST', `/user_groups/${id}/members`, {add: [gus.id]}, {code: 'BAD_REQUEST'});
  await server.as(meg).post(`/user_groups/${id}/members`, {delete: [admin.id]});
  await server.as(meg).refused('POST', `/user_groups/${id}/members`, {delete: [admin.id]}, {code: 'BAD_REQUEST'});
  await server.as(meg).refused('POST', `/user_groups/${id}/members`, {}, {code: 'BAD_REQUEST'});
  // Bots get no notice.
  const bot = server.people.bot('Bo', admin);
  const bots = await server.as(bot).listen({event_types: ['message']});
  await server.as(meg).post(`/user_groups/${id}/members`, {add: [bot.id]});
  await server.as(meg).post(`/user_groups/${id}/members`, {delete: [bot.id]});
  expect(await bots.events()).toEqual([]);
  expect((await guest.events()).slice(0, 3)).toMatchObject([
    {type: 'user_group', op: 'add_members', group_id: id, user_ids: [gus.id, admin.id]},
    {type: 'message', message: {content: expect.stringContaining('added you to the group')}},
    {type: 'user_group', op: 'remove_members', group_id: id, user_ids: [admin.id]},
  ]);
  expect((await notices.events()).map(({message}) => message.content)).toEqual([
    expect.stringContaining('added you to the group'),
    expect.stringContaining('removed you from the group'),
  ]);
  expect(await getGroup(server, meg, id)).toMatchObject({members: [gus.id]});
});

test('groups: joining and leaving follow the group’s permissions', async () => {
  const {server, meg, gus} = await setup();
  const otto = server.people.member('Otto Other');
  const id = await createGroup(server, meg, {members: [gus.id]});
  const path = `/user_groups/${id}/members`;
  await server.as(otto).refused('POST', path, {add: [otto.id]}, {code: 'BAD_REQUEST'});
  await server.as(meg).patch(`/user_groups/${id}`, {can_join_group: {new: 3}});
  await server.as(otto).post(path, {add: [otto.id]});
  await server.as(otto).refused('POST', path, {delete: [gus.id]}, {code: 'BAD_REQUEST'});
  await server.as(gus).refused('POST', path, {delete: [gus.id]}, {code: 'BAD_REQUEST'});
  await server.as(meg).patch(`/user_groups/${id}`, {can_leave_group: {new: 8}});
  await server.as(otto).refused('POST', path, {delete: [otto.id]}, {code: 'BAD_REQUEST'});
});

test('groups: users with the permission add and remove others', async () => {
  const {server, meg, gus} = await setup();
  const otto = server.people.member('Otto Other');
  const id = await createGroup(server, meg, {
    can_add_members_group: {direct_members: [otto.id], direct_subgroups: []},
    can_remove_members_group: 3,
  });
  await server.as(otto).post(`/user_groups/${id}/members`, {add: [gus.id]});
  await server.as(otto).post(`/user_groups/${id}/members`, {delete: [gus.id]});
  await server.as(otto).refused('PATCH', `/user_groups/${id}`, {name: 'n'}, {code: 'BAD_REQUEST'});
});

test('groups: subgroups that would form a cycle are refused', async () => {
  const {server, meg, gus} = await setup();
  const inner = await createGroup(server, meg, {name: 'inner', members: [gus.id]});
  const outer = await createGroup(server, meg, {name: 'outer'});
  const guest = await server.as(gus).listen();
  await server.as(meg).post(`/user_groups/${outer}/subgroups`, {add: [inner]});
  const bad = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('POST', `/user_groups/${inner}/subgroups`, {add: [outer]}, bad);
  await server.as(meg).refused('POST', `/user_groups/${outer}/subgroups`, {add: [outer]}, bad);
  await server.as(meg).refused('POST', `/user_groups/${outer}/subgroups`, {add: [inner]}, bad);
  await server.as(meg).refused('POST', `/user_groups/${outer}/subgroups`, {delete: [3]}, bad);
  await server.as(meg).post(`/user_groups/${inner}/members`, {add_subgroups: [6]});
  expect(await server.as(meg).get(`/user_groups/${outer}/subgroups`)).toMatchObject({
    subgroups: [6, 7, inner],
  });
  const direct = {direct_subgroup_only: true};
  expect(await server.as(meg).get(`/user_groups/${outer}/subgroups`, direct)).toMatchObject({
    subgroups: [inner],
  });
  await server.as(meg).post(`/user_groups/${outer}/subgroups`, {delete: [inner]});
  expect(await guest.events()).toMatchObject([
    {op: 'add_subgroups', group_id: outer, direct_subgroup_ids: [inner]},
    {op: 'add_subgroups', group_id: inner, direct_subgroup_ids: [6]},
    {op: 'remove_subgroups', group_id: outer, direct_subgroup_ids: [inner]},
  ]);
});

test('groups: membership can be queried directly or including subgroups', async () => {
  const {server, owner, admin, meg, gus} = await setup();
  const id = await createGroup(server, meg, {members: [gus.id], subgroups: [6]});
  const client = server.as(meg);
  expect((await client.get(`/user_groups/${id}/members`)).members).toEqual([owner.id, admin.id, gus.id]);
  const direct = {direct_member_only: true};
  expect((await client.get(`/user_groups/${id}/members`, direct)).members).toEqual([gus.id]);
  const gone = server.people.add('Ian Inactive', {active: false});
  server.context.db.run('INSERT INTO group_member (group_id, user_id) VALUES (?, ?)', id, gone.id);
  expect((await getGroup(server, meg, id)).members).toEqual([gus.id]);
  const response = await client.get(`/user_groups/${id}/members/${owner.id}`);
  expect(response.is_user_group_member).toBe(true);
  const not = await client.get(`/user_groups/${id}/members/${owner.id}`, direct);
  expect(not.is_user_group_member).toBe(false);
  await client.refused('GET', `/user_groups/${id}/members/9999`, {}, {code: 'BAD_REQUEST'});
});

test('groups: deactivation is sent as update, or as removal to older clients', async () => {
  const {server, meg, gus} = await setup();
  const id = await createGroup(server, meg, {members: [gus.id]});
  const modern = await server.as(gus).listen();
  const old = await server.as(gus).listen({client_capabilities: {notification_settings_null: false}});
  await server.as(meg).post(`/user_groups/${id}/deactivate`);
  await server.as(meg).patch(`/user_groups/${id}`, {name: 'unseen', deactivated: true});
  await server.as(meg).refused('POST', `/user_groups/${id}/deactivate`, {}, {code: 'BAD_REQUEST'});
  await server.as(meg).post(`/user_groups/${id}/members`, {add: [meg.id]});
  expect((await server.as(meg).get('/user_groups')).user_groups).toHaveLength(8);
  await server.as(meg).patch(`/user_groups/${id}`, {deactivated: false});
  expect(await modern.events()).toMatchObject([
    {op: 'update', group_id: id, data: {deactivated: true}},
    {op: 'update', group_id: id, data: {name: 'unseen'}},
    {op: 'add_members', group_id: id, user_ids: [meg.id]},
    {op: 'update', group_id: id, data: {deactivated: false}},
  ]);
  expect(await old.events()).toMatchObject([
    {op: 'remove', group_id: id},
    {op: 'add_members', group_id: id, user_ids: [meg.id]},
    {op: 'add', group: {id, name: 'unseen', members: [meg.id, gus.id], deactivated: false}},
  ]);
});

test('groups: a group in use cannot be deactivated, and the error lists its uses', async () => {
  const {server, owner, meg} = await setup();
  const id = await createGroup(server, meg);
  const outer = await createGroup(server, meg, {name: 'outer', subgroups: [id], can_mention_group: id});
  // What is archived or deactivated does not use it.
  const gone = await createGroup(server, meg, {name: 'gone', subgroups: [id], can_mention_group: id});
  await server.as(meg).post(`/user_groups/${gone}/deactivate`);
  server.people.channel('attic', [meg], {is_archived: 1, permissions: {can_subscribe_group: id}});
  const channel = server.people.channel('c', [meg], {permissions: {can_subscribe_group: id}});
  server.people.channel('d', [meg], {permissions: {can_subscribe_group: outer}});
  server.people.setting('can_create_groups', {direct_members: [], direct_subgroups: [id, 7]});
  const refusal = {code: 'CANNOT_DEACTIVATE_GROUP_IN_USE'};
  const body = await server.as(owner).refused('POST', `/user_groups/${id}/deactivate`, {}, refusal);
  expect(body.objections).toEqual([
    {type: 'subgroup', supergroup_ids: [outer]},
    {type: 'channel', channel_id: channel, settings: ['can_subscribe_group']},
    {type: 'user_group', group_id: outer, settings: ['can_mention_group']},
    {type: 'realm', settings: ['can_create_groups']},
  ]);
});

test('groups: joining a group with access to private channels creates those without a subscription, leaving deletes them', async () => {
  const {server, meg} = await setup();
  const otto = server.people.member('Otto Other');
  const id = await createGroup(server, meg);
  const options = {invite_only: 1, permissions: {can_subscribe_group: id}};
  const channel = server.people.channel('secret', [meg], options);
  server.people.channel('crew', [meg, otto], options);
  const other = server.people.channel('vault', [meg], options);
  const queue = await server.as(otto).listen({event_types: ['stream']});
  await server.as(meg).post(`/user_groups/${id}/members`, {add: [otto.id]});
  await server.as(meg).post(`/user_groups/${id}/members`, {delete: [otto.id]});
  expect(await queue.events()).toMatchObject([
    {type: 'stream', op: 'create', streams: [{stream_id: channel, name: 'secret'}]},
    {type: 'stream', op: 'create', streams: [{stream_id: other, name: 'vault'}]},
    {type: 'stream', op: 'delete', stream_ids: [channel]},
    {type: 'stream', op: 'delete', stream_ids: [other]},
  ]);
});

test('groups: the registration has the same groups as the list', async () => {
  const {server, meg, gus} = await setup();
  const id = await createGroup(server, meg);
  await server.as(meg).post(`/user_groups/${id}/deactivate`);
  const {user_groups} = await server.as(meg).get('/user_groups', {include_deactivated_groups: true});
  const fetch = {fetch_event_types: ['realm_user_groups']};
  const modern = await server.as(gus).listen(fetch);
  expect(modern.state.realm_user_groups).toEqual(user_groups);
  const old = await server.as(gus).listen({...fetch, client_capabilities: {notification_settings_null: false}});
  expect(old.state.realm_user_groups).toHaveLength(8);
});
