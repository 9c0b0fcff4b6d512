import {test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, since} from './contract-fixture.ts';
import {png} from './picture.ts';

test('an account is created', async () => {
  const {server, owner, expectConsistent: watch} = await contractFixture();
  const account = {email: 'new@example.com', password: 'correct horse battery', full_name: 'New Person'};
  await watch(() => server.as(owner).post('/users', account));
});

test('a name and a role change', async () => {
  const {server, owner, meg, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).patch(`/users/${meg.id}`, {full_name: 'Meg Renamed'}));
  await watch(() => server.as(owner).patch(`/users/${meg.id}`, {role: 300}));
});

test('a guest becomes a member, and a member a guest', async () => {
  const {server, owner, guest, outsider, expectConsistent: watch} = await contractFixture();
  server.people.channel('elsewhere', [owner]);
  await watch(() => server.as(owner).patch(`/users/${guest.id}`, {role: 400}), guest);
  await watch(() => server.as(owner).patch(`/users/${outsider.id}`, {role: 600}), outsider);
});

test('an owner becomes a member, and a member an owner', async () => {
  const {server, owner, outsider, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).patch(`/users/${outsider.id}`, {role: 100}), outsider);
  await watch(() => server.as(outsider).patch(`/users/${owner.id}`, {role: 400}), owner);
});

since(levels.userByEmail)('a name changes by address', async () => {
  const {server, owner, meg, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).patch(`/users/${meg.email}`, {full_name: 'Meg Renamed'}));
});

since(levels.changeUserEmail)('an address changes', async () => {
  const {server, owner, expectConsistent: watch} = await contractFixture();
  const other = server.people.member('Moving Person');
  await watch(() => server.as(owner).patch(`/users/${other.id}`, {new_email: 'moved@example.com'}));
});

test('deactivation and reactivation', async () => {
  const {server, owner, expectConsistent: watch} = await contractFixture();
  const other = server.people.member('Leaving Person');
  const group = {name: 'leavers', description: '', members: [owner.id, other.id]};
  await server.as(owner).post('/user_groups/create', group);
  server.people.subscribe(other, 1);
  await watch(() => server.as(owner).delete(`/users/${other.id}`));
  await watch(() => server.as(owner).post(`/users/${other.id}/reactivate`));
});

test('somebody leaves by themselves', async () => {
  const {server, expectConsistent: watch} = await contractFixture();
  const other = server.people.member('Leaving Person');
  server.people.subscribe(other, 1);
  await watch(() => server.as(other).delete('/users/me'));
});

since(endpoints.updateRealm.params.can_access_all_users_group.since)(
  'a guest who sees only those they share a conversation with',
  async () => {
    const {
      server,
      owner,
      meg,
      guest,
      outsider,
      sendDirect: tell,
      expectConsistent: watch,
    } = await contractFixture();
    await watch(
      () => server.as(owner).patch('/realm', {can_access_all_users_group: {new: 3}}),
      levelUnderTest() >= levels.incompleteUserList ? guest : meg,
    );
    await watch(() => tell(outsider, [guest], 'hello'), guest);
    const subscriptions = ['general'];
    await watch(
      () => server.as(owner).delete('/users/me/subscriptions', {subscriptions, principals: [guest.id]}),
      guest,
    );
  },
);

test('status comes and goes', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  const client = server.as(meg);
  await watch(() => client.post('/users/me/status', {status_text: 'at lunch', emoji_name: 'hamburger'}));
  await watch(() => client.post('/users/me/status', {status_text: ''}));
  await watch(() => client.post('/users/me/status', {emoji_name: ''}));
});

since(levels.setUserStatus)('an administrator sets the status of another', async () => {
  const {server, owner, meg, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).post(`/users/${meg.id}/status`, {status_text: 'on leave'}));
});

test('muting a person', async () => {
  const {server, meg, owner, send: say, expectConsistent: watch} = await contractFixture();
  await say(owner, 'unread');
  await watch(() => server.as(meg).post(`/users/me/muted_users/${owner.id}`));
  await watch(() => server.as(meg).delete(`/users/me/muted_users/${owner.id}`));
});

test('alert words', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(meg).post('/users/me/alert_words', {alert_words: ['lunch', 'deploy']}));
  await watch(() => server.as(meg).delete('/users/me/alert_words', {alert_words: ['lunch']}));
});

test('a picture comes and goes', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(meg).upload('/users/me/avatar', 'me.png', png, 'image/png'));
  await watch(() => server.as(meg).delete('/users/me/avatar'));
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

test('a personal setting changes', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  for (const [name, value] of settings) {
    if (server.world.level < endpoints.updateSettings.params[name].since) continue;
    await watch(() => server.as(meg).patch('/settings', {[name]: value}), meg, name);
  }
});

// Before, the organization decided it for everybody.
since(levels.deliveryEmail)('who sees an address', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  for (const email_address_visibility of [3, 4, 1]) {
    await watch(() => server.as(meg).patch('/settings', {email_address_visibility}));
  }
});

test('a home view by its name of then and of now', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  const web_home_view = levelUnderTest() >= levels.recentView ? 'recent' : 'recent_topics';
  await watch(() => server.as(meg).patch('/settings', {web_home_view}));
});

test('profile data', async () => {
  const {server, owner, meg, expectConsistent: watch} = await contractFixture();
  const {id} = await server.as(owner).post('/realm/profile_fields', {name: 'Motto', field_type: 1});
  await watch(() => server.as(meg).patch('/users/me/profile_data', {data: [{id, value: 'carpe *diem*'}]}));
  await watch(() => server.as(owner).patch(`/users/${meg.id}`, {profile_data: [{id, value: 'changed'}]}));
  await watch(() => server.as(meg).delete('/users/me/profile_data', {data: [id]}));
});

test('coming online', async () => {
  const {server, meg, owner, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(meg).post('/users/me/presence', {status: 'active', last_update_id: -1}), owner);
});
