import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, png, since, test} from './contract-fixture.ts';

test('events match a new registration: creating a user', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  const account = {email: 'new@example.com', password: 'correct horse battery', full_name: 'New Person'};
  await expectConsistent(() => server.as(owner).post('/users', account));
});

test('events match a new registration: joining with an invitation', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  const lobby = server.people.channel('lobby', [owner, meg], {invite_only: 1});
  const group = {name: 'newcomers', description: '', members: [meg.id]};
  await server.as(owner).post('/user_groups/create', group);
  const {user_groups} = await server.as(owner).get('/user_groups');
  const {id} = user_groups.find(({name}: {name: string}) => name === group.name);
  const {invite_link} = await server.as(owner).post('/invites/multiuse', {stream_ids: [lobby], group_ids: [id]});
  const join = async (name: string) => {
    const values = {name, email: `${name}@example.com`, password: 'correct horse battery'};
    return (await fetch(invite_link, {method: 'POST', body: new URLSearchParams(values)})).status;
  };
  await expectConsistent(() => join('anna'));
  await expectConsistent(() => join('bo'), meg);
});

test('events match a new registration: changing a name and a role', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).patch(`/users/${meg.id}`, {full_name: 'Meg Renamed'}));
  await expectConsistent(() => server.as(owner).patch(`/users/${meg.id}`, {role: 300}));
});

test('events match a new registration: a guest becomes a member, and a member a guest', async () => {
  const {server, owner, guest, outsider, expectConsistent} = await contractFixture();
  server.people.channel('elsewhere', [owner]);
  await expectConsistent(() => server.as(owner).patch(`/users/${guest.id}`, {role: 400}), guest);
  await expectConsistent(() => server.as(owner).patch(`/users/${outsider.id}`, {role: 600}), outsider);
});

test('events match a new registration: an owner becomes a member, and a member an owner', async () => {
  const {server, owner, outsider, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).patch(`/users/${outsider.id}`, {role: 100}), outsider);
  await expectConsistent(() => server.as(outsider).patch(`/users/${owner.id}`, {role: 400}), owner);
});

since(levels.userByEmail)('events match a new registration: changing a name by e-mail address', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).patch(`/users/${meg.email}`, {full_name: 'Meg Renamed'}));
});

since(levels.changeUserEmail)('events match a new registration: changing an e-mail address', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  const other = server.people.member('Moving Person');
  await expectConsistent(() => server.as(owner).patch(`/users/${other.id}`, {new_email: 'moved@example.com'}));
});

test('events match a new registration: deactivating and reactivating a user', async () => {
  const {server, owner, expectConsistent} = await contractFixture();
  const other = server.people.member('Leaving Person');
  const group = {name: 'leavers', description: '', members: [owner.id, other.id]};
  await server.as(owner).post('/user_groups/create', group);
  server.people.subscribe(other, 1);
  await expectConsistent(() => server.as(owner).delete(`/users/${other.id}`));
  await expectConsistent(() => server.as(owner).post(`/users/${other.id}/reactivate`));
});

test('events match a new registration: deactivating the own account', async () => {
  const {server, expectConsistent} = await contractFixture();
  const other = server.people.member('Leaving Person');
  server.people.subscribe(other, 1);
  await expectConsistent(() => server.as(other).delete('/users/me'));
});

since(endpoints.updateRealm.params.can_access_all_users_group.since)(
  'events match a new registration: restricting which users a guest can access',
  async () => {
    const {server, owner, meg, guest, outsider, sendDirect, expectConsistent} = await contractFixture();
    await expectConsistent(
      () => server.as(owner).patch('/realm', {can_access_all_users_group: {new: 3}}),
      levelUnderTest() >= 232 ? guest : meg,
    );
    await expectConsistent(() => sendDirect(outsider, [guest], 'hello'), guest);
    const subscriptions = ['general'];
    await expectConsistent(
      () => server.as(owner).delete('/users/me/subscriptions', {subscriptions, principals: [guest.id]}),
      guest,
    );
  },
);

test('events match a new registration: setting and clearing a status', async () => {
  const {server, meg, expectConsistent} = await contractFixture();
  const client = server.as(meg);
  await expectConsistent(() => client.post('/users/me/status', {status_text: 'at lunch', emoji_name: 'hamburger'}));
  await expectConsistent(() => client.post('/users/me/status', {status_text: ''}));
  await expectConsistent(() => client.post('/users/me/status', {emoji_name: ''}));
});

since(levels.setUserStatus)('events match a new registration: setting the status of another user', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).post(`/users/${meg.id}/status`, {status_text: 'on leave'}));
});

test('events match a new registration: muting and unmuting a user', async () => {
  const {server, meg, owner, send, expectConsistent} = await contractFixture();
  await send(owner, 'unread');
  await expectConsistent(() => server.as(meg).post(`/users/me/muted_users/${owner.id}`));
  await expectConsistent(() => server.as(meg).delete(`/users/me/muted_users/${owner.id}`));
});

test('events match a new registration: adding and removing alert words', async () => {
  const {server, meg, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(meg).post('/users/me/alert_words', {alert_words: ['lunch', 'deploy']}));
  await expectConsistent(() => server.as(meg).delete('/users/me/alert_words', {alert_words: ['lunch']}));
});

test('events match a new registration: setting and removing an avatar', async () => {
  const {server, meg, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(meg).upload('/users/me/avatar', 'me.png', png, 'image/png'));
  await expectConsistent(() => server.as(meg).delete('/users/me/avatar'));
});

const settings = [
  ['enter_sends', true],
  ['color_scheme', 2],
  ['web_home_view', 'all_messages'],
  ['twenty_four_hour_time', true],
  ['presence_enabled', false],
  ['timezone', 'Europe/Lisbon'],
  ['full_name', 'Meg Otherwise'],
  ['enable_drafts_synchronization', false],
  ['send_read_receipts', false],
  ['automatically_follow_topics_policy', 1],
  ['default_language', 'de'],
] as const;

test('events match a new registration: changing a personal setting', async () => {
  const {server, meg, expectConsistent} = await contractFixture();
  for (const [name, value] of settings) {
    if (server.context.level < endpoints.updateSettings.params[name].since) continue;
    await expectConsistent(() => server.as(meg).patch('/settings', {[name]: value}), meg, name);
  }
});

// On older servers this was an organization setting.
since(levels.emailVisibilitySetting)(
  'events match a new registration: changing who can see the e-mail address',
  async () => {
    const {server, meg, expectConsistent} = await contractFixture();
    for (const email_address_visibility of [3, 4, 1]) {
      await expectConsistent(() => server.as(meg).patch('/settings', {email_address_visibility}));
    }
  },
);

since(levels.webHomeView)(
  'events match a new registration: changing the home view, by the name of the level',
  async () => {
    const {server, meg, expectConsistent} = await contractFixture();
    const web_home_view = levelUnderTest() >= levels.recentView ? 'recent' : 'recent_topics';
    await expectConsistent(() => server.as(meg).patch('/settings', {web_home_view}));
  },
);

test('events match a new registration: changing profile data', async () => {
  const {server, owner, meg, expectConsistent} = await contractFixture();
  const {id} = await server.as(owner).post('/realm/profile_fields', {name: 'Motto', field_type: 1});
  await expectConsistent(() => server.as(meg).patch('/users/me/profile_data', {data: [{id, value: 'carpe *diem*'}]}));
  await expectConsistent(() => server.as(owner).patch(`/users/${meg.id}`, {profile_data: [{id, value: 'changed'}]}));
  await expectConsistent(() => server.as(meg).delete('/users/me/profile_data', {data: [id]}));
});

test('events match a new registration: reporting presence', async () => {
  const {server, meg, owner, expectConsistent} = await contractFixture();
  await expectConsistent(
    () => server.as(meg).post('/users/me/presence', {status: 'active', last_update_id: -1}),
    owner,
  );
});
