import {expect, test} from 'vitest';
import {invitations} from '#app/people/invite-form.ts';
import {openCreateUserForm} from '#app/people/person-form.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {peopleFixture} from './people-fixture.ts';

test('invitations: people are invited by email with role, channels and expiry; the list extends and revokes', async () => {
  const {fixture, app, press, type, goTo, says, closed, olive, overlay, deviceCalls} =
    await peopleFixture('administrator');
  const {server, channelId} = fixture;
  const queue = await server.as(olive).listen({event_types: ['invites_changed']});
  invitations.openForm(app, undefined, {kind: 'email'});
  type('ann@example.com, Bo <bo@example.com>, oops');
  await says('“oops” is no email address');
  press('Ctrl-W', 'Backspace');
  goTo('They join as');
  press('Enter');
  type('owner');
  press('Enter');
  await says('Only owners can invite owners.');
  press('Ctrl-U');
  type('moder');
  press('Enter');
  goTo('Expires in');
  press('Ctrl-U');
  type('3');
  goTo('More channels');
  type('general');
  press('Enter', 'Esc', 'Ctrl-D');
  await says('This server sends no email.');
  const copied = () => String(deviceCalls.findLast(([name]) => name === 'copy')?.[1]);
  expect(copied()).toMatch(/^ann@example.com http.*\/join\/\S+\nbo@example.com http.*\/join\/\S+\n$/);
  press('Esc');
  await closed();
  expect(await queue.next()).toMatchObject([{type: 'invites_changed'}]);
  const {invites} = await server.as(olive).get('/invites');
  expect(invites).toMatchObject([
    {email: 'bo@example.com', invited_as: 300, is_multiuse: false},
    {email: 'ann@example.com', invited_as: 300},
  ]);
  expect(invites[0].expiry_date - invites[0].invited).toBe(3 * 86_400);
  expect(server.context.db.value('SELECT channel_ids FROM invite LIMIT 1')).toBe(`[${channelId}]`);
  invitations.open(app);
  expect(await says('ann@example.com')).toMatch(/bo@example.com +Moderator · sent just now · until/);
  type('ann');
  press('Ctrl-R');
  await says('Give each person their link yourself');
  expect(copied()).toMatch(/^http.*\/join\/\S+$/);
  press('Esc');
  press('Delete', 'y');
  await says('Revoked the invitation of ann@example.com');
  press('Ctrl-U');
  await untilApp(app, () => /Invitations(?![\s\S]*ann@)[\s\S]*bo@example/.test(overlay() ?? ''));
  // Another client's change arrives by event.
  const [bo] = (await server.as(olive).get('/invites')).invites;
  await server.as(olive).delete(`/invites/${bo.id}`);
  await says('No open invitations');
  expect(overlay()).not.toContain('bo@');
});

test('invitations: addresses that the server refuses are named, at the field', async () => {
  const {fixture, olive, app, press, type, says} = await peopleFixture();
  invitations.openForm(app, undefined, {kind: 'email'});
  type(`${olive.email}, new@example.com`);
  press('Ctrl-D');
  await says('Invitation link');
  press('Esc');
  const text = await says('Not saved');
  expect(text.replaceAll(/\s*│\n│\s*/g, ' ')).toContain('olive.owner@example.com: Already has an account.');
  expect(text).toMatch(/▌\* Addresses/);
  press('Ctrl-U');
  type('person@localhost');
  await fixture.hook('fault', {method: 'POST', path: '/invites', kind: 'rate_limit', retry_after: 30});
  press('Ctrl-D');
  await says(/too many requests|wait/i);
});

test('invitations: a link is created, copied, listed and revoked', async () => {
  const {app, press, says, closed, command, deviceCalls, goTo, fixture, olive} = await peopleFixture('administrator');
  command('create an invitation link');
  await says('With a link');
  goTo('Expires in');
  press('Ctrl-U', 'Ctrl-D');
  await closed();
  const copied = deviceCalls.find(([name]) => name === 'copy')?.[1];
  expect(copied).toMatch(/\/join\//);
  const {invites} = await fixture.server.as(olive).get('/invites');
  expect(invites).toMatchObject([{is_multiuse: true, link_url: copied, expiry_date: null}]);
  invitations.open(app);
  await says('never expires');
  press('Down', 'Enter');
  expect(deviceCalls.filter(([name]) => name === 'copy')).toHaveLength(2);
  press('Delete', 'y');
  await says('Revoked the link');
  await says('No open invitations');
});

test('invitations: a member may not create links, and a guest may not invite at all', async () => {
  const member = await peopleFixture('member');
  member.press('Ctrl-G');
  member.type('>create an invitation link');
  member.press('Enter');
  await member.says('You may not create invitation links.');
  const guest = await peopleFixture('guest');
  guest.press('Ctrl-G');
  guest.type('>invite people by email');
  guest.press('Enter');
  await guest.says('You may not invite people to this organization.');
});

test('invitations: an older server gets the default channels by id, and lacks newer fields', async () => {
  const {fixture, olive, app, press, type, goTo, says, closed, session} = await peopleFixture('administrator', {
    server: {level: 185},
  });
  const {server, channelId} = fixture;
  await server.as(olive).post('/default_streams', {stream_id: channelId});
  await waitForState(session, ({defaultChannels}) => defaultChannels.has(channelId));
  invitations.openForm(app, undefined, {kind: 'email'});
  type('ann@example.com');
  goTo('Groups');
  press('Enter');
  await says('Needs Zulip 10');
  goTo('Welcome message');
  type('x');
  await says('Needs Zulip 11');
  press('Ctrl-D');
  await says('This server sends no email.');
  press('Esc');
  await closed();
  expect(server.context.db.value('SELECT channel_ids FROM invite LIMIT 1')).toBe(`[${channelId}]`);
});

test('accounts: an owner creates one, and the refusals of the server are shown', async () => {
  const {fixture, session, olive, app, press, type, goTo, says, closed} = await peopleFixture('owner');
  openCreateUserForm(app);
  type(olive.email);
  goTo('Name');
  type('Nora');
  goTo('Password');
  type('correct horse battery');
  press('Ctrl-D');
  expect(await says(/already/)).toMatch(/▌\* Email/);
  press('Ctrl-U');
  type('nora@example.com');
  press('Ctrl-D');
  await closed();
  await waitForState(session, ({users}) => [...users.values()].some(({fullName}) => fullName === 'Nora'));
  expect(fixture.server.context.db.value("SELECT role FROM user WHERE full_name = 'Nora'")).toBe(400);
});
