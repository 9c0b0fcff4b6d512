import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {channelFixture} from './channel-fixture.ts';

/** Meg in the list of all channels, with Nora and Sol, who are in no channel, and the group crew of both. */
async function addPeopleFixture(options: Parameters<typeof channelFixture>[0] = {}) {
  const parts = await channelFixture(options);
  const {server, meg, app, refresh, owner} = parts;
  const [nora, sol] = [server.people.member('Nora'), server.people.member('Sol')];
  await owner.post('/user_groups/create', {name: 'crew', description: '', members: [nora.id, sol.id]});
  const harbour = server.people.channel('harbour', [meg]);
  await refresh(({channels, users}) => channels.has(harbour) && users.has(sol.id));
  openView(app, {kind: 'channels'});
  /** Who is subscribed, by the server. */
  const subscribers = async (channelId: number): Promise<readonly number[]> =>
    (await owner.get(`/streams/${channelId}/members`)).subscribers;
  return {...parts, nora, sol, harbour, subscribers};
}

test('add people: a person and the members of a group are added to several channels, told, and undone as one', async () => {
  const {press, type, goTo, closed, says, server, nora, sol, harbour, fixture, subscribers, become} =
    await addPeopleFixture();
  await become('administrator');
  const queue = await server.as(nora).listen({event_types: ['subscription', 'message']});
  press('v', 'j', 'v', 'j', '+');
  goTo('Groups');
  type('crew');
  press('Enter', 'Esc', 'Ctrl-D');
  await closed();
  await says('Added 2 people to 2 channels · z undo');
  for (const id of [harbour, fixture.channelId]) {
    expect(await subscribers(id)).toEqual(expect.arrayContaining([nora.id, sol.id]));
  }
  const events = JSON.stringify(await queue.events());
  expect(events).toContain('harbour');
  expect(events).toContain('subscribed you to the following channels');
  press('z');
  await says('Removed 2 people from 2 channels again');
  expect(await subscribers(harbour)).not.toContain(nora.id);
});

test('add people: they are not told if the user does not want it', async () => {
  const {press, type, goTo, closed, says, server, nora} = await addPeopleFixture();
  const queue = await server.as(nora).listen({event_types: ['subscription', 'message']});
  press('+');
  type('nora');
  press('Enter', 'Esc');
  goTo('Tell them');
  press('Space', 'Ctrl-D');
  await closed();
  // Meg may add people but not remove them, so there is no undo.
  expect(await says('Added Nora')).toContain('Added Nora to #general');
  const events = await queue.events();
  expect(events.map((event) => Reflect.get(event, 'type'))).not.toContain('message');
});

test('add people: without people, without channels and with a forbidden channel nothing is sent', async () => {
  const {press, type, goTo, says, server, refresh, fixture, become, overlay} = await addPeopleFixture();
  await become('administrator');
  const vault = server.people.channel('vault', [fixture.otto], {invite_only: 1});
  await refresh(({channels}) => channels.has(vault));
  press('+', 'Ctrl-D');
  await says('Choose people or groups');
  type('nora');
  press('Enter', 'Esc');
  goTo('Channels');
  press('Enter', 'Enter', 'Esc', 'Ctrl-D');
  expect(overlay()).toContain('Choose a channel');
  press('Enter');
  type('vault');
  expect(overlay()).not.toContain('#vault');
});

test('add people: channels that the server does not allow are named, and the others are done', async () => {
  const {press, type, closed, says, server, fixture, nora, harbour, subscribers, groupId} = await addPeopleFixture();
  // Without an event, so that the client cannot know it: only owners may add people, except in #harbour.
  const permissions = JSON.stringify({can_add_subscribers_group: groupId('role:members')});
  server.context.db.run('UPDATE channel SET permissions = ? WHERE id = ?', permissions, harbour);
  server.people.setting('can_add_subscribers_group', groupId('role:owners'));
  press('v', 'j', 'v', 'j', '+');
  type('nora');
  press('Enter', 'Esc', 'Ctrl-D');
  await closed();
  await says('Added Nora to #harbour · not allowed for #general');
  expect(await subscribers(harbour)).toContain(nora.id);
  expect(await subscribers(fixture.channelId)).not.toContain(nora.id);
});

test('add people: if the server allows no channel, the form stays open and says so', async () => {
  const {press, type, says, server, groupId} = await addPeopleFixture();
  server.people.setting('can_add_subscribers_group', groupId('role:owners'));
  press('+');
  type('nora');
  press('Enter', 'Esc', 'Ctrl-D');
  expect(await says('Not saved')).toContain('Adding people is not allowed for #general.');
});

test('add people: a user who was deactivated or removed unseen is refused in words', async () => {
  const {press, type, says, server, nora} = await addPeopleFixture();
  press('+');
  type('nora');
  press('Enter', 'Esc');
  server.context.db.run('UPDATE user SET is_active = 0 WHERE id = ?', nora.id);
  press('Ctrl-D');
  await says('User is deactivated');
  server.context.db.run('UPDATE user SET is_system_bot = 1 WHERE id = ?', nora.id);
  press('Ctrl-D');
  await says('No such user');
});

test('add people: who is in one of the chosen channels is offered, who is in all of them is not', async () => {
  const {press, type, overlay, says} = await addPeopleFixture();
  press('+');
  type('otto');
  await says('No matches');
  press('Esc', 'Ctrl-R', 'Esc', 'v', 'j', 'v', 'j', '+');
  type('otto');
  expect(overlay()).toContain('Otto');
});

test('add people: a role adds everyone who has it, and bots of the server are not offered', async () => {
  const {press, type, goTo, closed, overlay, says, nora, sol, fixture, subscribers, state} = await addPeopleFixture();
  expect([...state().users.values()].some(({isSystemBot}) => isSystemBot)).toBe(true);
  press('+', 'Enter');
  type('bot');
  expect(overlay()).toContain('No matches');
  press('Esc');
  goTo('Groups');
  type('everyone except');
  press('Enter', 'Esc', 'Ctrl-D');
  await closed();
  await says('to #general');
  expect(await subscribers(fixture.channelId)).toEqual(expect.arrayContaining([nora.id, sol.id]));
});

test('add people: those who are subscribed already are not added again', async () => {
  const {press, goTo, type, closed, says, server, fixture, nora, sol} = await addPeopleFixture();
  server.people.subscribe(nora, fixture.channelId);
  server.people.subscribe(sol, fixture.channelId);
  press('+');
  goTo('Groups');
  type('crew');
  press('Enter', 'Esc', 'Ctrl-D');
  await closed();
  await says('They were subscribed already');
});

test('remove people: what the server refuses unseen is shown, and they stay', async () => {
  const {press, type, says, session, server, fixture, nora, owner, groupId, subscribers, refresh} =
    await addPeopleFixture();
  const {channelId} = fixture;
  server.people.subscribe(nora, channelId);
  await owner.patch(`/streams/${channelId}`, {can_remove_subscribers_group: {new: groupId('role:members')}});
  await refresh(({channels}) => channels.get(channelId)?.canRemoveSubscribersGroup === groupId('role:members'));
  press('m');
  await says('Nora');
  type('nora');
  server.context.db.run('UPDATE channel SET permissions = ? WHERE id = ?', '{}', channelId);
  press('Delete', 'y');
  await says('Nora was not removed: Insufficient permission');
  expect(await subscribers(channelId)).toContain(nora.id);
  await waitForState(session, ({subscribers: known}) => known.get(channelId)?.ids.has(nora.id) === true);
});
