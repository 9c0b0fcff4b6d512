import {expect, test} from 'vitest';
import {openPersonForm} from '#app/people/person-form.ts';
import {openPersonFinder, openUserCard} from '#app/people/user-card.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {peopleFixture} from './people-fixture.ts';

test('person form: an administrator renames somebody, gives a role and fills the profile; others see it, and z undoes it', async () => {
  const {fixture, session, olive, app, press, type, goTo, closed, says} = await peopleFixture('administrator');
  const {server, otto} = fixture;
  const {id: job} = await server.as(olive).post('/realm/profile_fields', {name: 'Job', field_type: 1});
  await waitForState(session, ({profileFields}) => profileFields.length === 1);
  const queue = await server.as(otto).listen({event_types: ['realm_user']});
  openUserCard(app, otto.id);
  expect(await says('E edit account')).toContain('Member');
  press('E');
  type(' Writer');
  goTo('Role');
  press('Left');
  goTo('Job');
  type('Pilot');
  press('Ctrl-D');
  await says('Changed the account of Otto Writer');
  const user = () => session.cache.state.users.get(otto.id);
  await waitForState(session, () => user()?.fullName === 'Otto Writer' && user()?.role === 300);
  expect(user()?.profile[job]?.value).toBe('Pilot');
  expect((await queue.events()).map((event) => Object.keys(Object(Reflect.get(event, 'person'))))).toEqual([
    ['user_id', 'role'],
    ['user_id', 'full_name'],
    ['user_id', 'custom_profile_field'],
  ]);
  press('Esc');
  await closed();
  press('z');
  await waitForState(session, () => user()?.fullName === 'Otto' && user()?.role === 400);
  expect(user()?.profile[job]).toBeUndefined();
});

test('person form: the rules of roles are shown before anything is sent', async () => {
  const {fixture, session, olive, app, press, type, goTo, says, overlay} = await peopleFixture('administrator');
  const {server, otto} = fixture;
  await server.as(olive).patch(`/users/${otto.id}`, {role: 600});
  await waitForState(session, ({users}) => users.get(otto.id)?.role === 600);
  openPersonForm(app, otto.id);
  goTo('Role');
  press('Enter');
  type('Owner');
  press('Enter');
  await says('Only owners can make somebody an owner');
  press('Ctrl-U');
  type('Administrator');
  press('Enter');
  await says('Guests cannot be administrators. Make them a member first.');
  press('Esc', 'Esc');
  openPersonForm(app, olive.id);
  goTo('Role');
  press('Right');
  await says('Only owners can make somebody an owner, or take that role away.');
  goTo('Deactivate the account…');
  press('Enter');
  await says('Only owners can change an owner.');
  goTo('Email');
  type('x');
  await says('Only owners can change the email addresses of others.');
  expect(overlay()).toContain('Account of Olive Owner');
});

test('person form: the only owner keeps the role, and is told why', async () => {
  const {fixture, session, olive, app, press, goTo, says, command} = await peopleFixture('owner');
  const {server, meg} = fixture;
  await server.as(meg).patch(`/users/${olive.id}`, {role: 400});
  await waitForState(session, ({users}) => users.get(olive.id)?.role === 400);
  openPersonForm(app, meg.id);
  goTo('Role');
  press('Left');
  await says('Meg Member is the only owner. Make somebody else an owner first.');
  press('Esc');
  command('edit my profile');
  goTo('Deactivate my account…');
  press('Enter');
  await says('Meg Member is the only owner, so this account cannot be deactivated.');
});

test('person form: what the server refuses is shown at its field', async () => {
  const {fixture, session, olive, app, press, type, goTo, says, closed} = await peopleFixture('owner');
  const {server, otto} = fixture;
  server.people.setting('require_unique_names', true);
  openPersonForm(app, otto.id);
  type('>');
  await says('A name cannot contain');
  press('Ctrl-U');
  type('Olive Owner');
  press('Ctrl-D');
  expect(await says('Unique names required')).toMatch(/▌\* Name +Olive Owner/);
  press('Ctrl-U');
  type('Otto');
  goTo('Email');
  press('Ctrl-U');
  type('nobody');
  await says('Write an address such as ann@example.com');
  press('Ctrl-U');
  type(olive.email);
  press('Ctrl-D');
  expect(await says(/already/i)).toMatch(/▌\* Email/);
  press('Ctrl-U');
  type('otto@example.org');
  press('Ctrl-D');
  await waitForState(session, ({users}) => users.get(otto.id)?.deliveryEmail === 'otto@example.org');
  await closed();
  server.people.setting('can_change_user_emails_group', SystemGroup.nobody);
  openPersonForm(app, otto.id);
  goTo('Email');
  press('Ctrl-U');
  type('otto@example.net');
  press('Ctrl-D');
  await says('User not authorized to change user emails');
});

test('person form: what another administrator changes meanwhile shows in untouched fields', async () => {
  const {fixture, session, olive, app, type, says, overlay} = await peopleFixture('administrator');
  const {server, otto} = fixture;
  openPersonForm(app, otto.id);
  type('2');
  await server.as(olive).patch(`/users/${otto.id}`, {full_name: 'Otto the Great', role: 300});
  await says('Moderator');
  expect(overlay()).toMatch(/\* Name +Otto2/);
  expect(session.cache.state.users.get(otto.id)?.fullName).toBe('Otto the Great');
});

test('deactivation: with a deleted profile; without it, z reactivates', async () => {
  const {fixture, session, app, press, goTo, says} = await peopleFixture('administrator');
  const {server, otto, channelId} = fixture;
  const nora = server.people.member('Nora');
  server.people.subscribe(nora, channelId);
  await fixture.hook('expire-queues');
  await waitForState(session, ({users}) => users.has(nora.id));
  const isActive = (id: number) => session.cache.state.users.get(id)?.isActive === true;
  openPersonForm(app, nora.id);
  goTo('Deactivate the account…');
  press('Enter');
  goTo('Their name and profile');
  press('Space', 'Ctrl-D');
  await says('Deactivated Nora');
  await waitForState(session, ({users}) => users.get(nora.id)?.fullName === 'Deleted user' && !isActive(nora.id));
  press('Esc');
  openPersonForm(app, otto.id);
  goTo('Deactivate the account…');
  press('Enter', 'Space');
  await says('Comment');
  press('Ctrl-D');
  await says('Deactivated Otto');
  await waitForState(session, () => !isActive(otto.id));
  press('Esc', 'z');
  await waitForState(session, () => isActive(otto.id));
});

test('deactivation: a refusal of the server is shown in the form', async () => {
  const {fixture, app, press, goTo, says} = await peopleFixture('owner');
  openPersonForm(app, fixture.otto.id);
  goTo('Deactivate the account…');
  press('Enter');
  await fixture.hook('fault', {
    method: 'DELETE',
    path: '/users/',
    kind: 'status',
    status: 400,
    code: 'CANNOT_DEACTIVATE_LAST_USER',
  });
  press('Ctrl-D');
  expect(await says('Not saved')).toContain('Deactivate Otto?');
});

test('person finder: finds by name and address, also deactivated people, and asks the server', async () => {
  const {fixture, session, olive, app, press, type, says, overlay} = await peopleFixture('administrator');
  const {server, otto} = fixture;
  await server.as(olive).delete(`/users/${otto.id}`);
  await waitForState(session, ({users}) => users.get(otto.id)?.isActive === false);
  openPersonFinder(app);
  type('ott');
  expect(overlay()).toMatch(/Otto +deactivated/);
  press('Enter');
  await says(/Otto +deactivated/);
  press('Esc');
  openPersonFinder(app);
  type(`user${olive.id}@${new URL(server.url).hostname}`);
  press('Enter');
  await says('Olive Owner');
  press('Esc');
  openPersonFinder(app);
  type('nobody@example.com');
  press('Enter');
  await says('nobody@example.com: No such user.');
});

test('person finder: Ctrl-E edits the account of an address', async () => {
  const {fixture, session, app, press, type, says, closed} = await peopleFixture('administrator');
  const {otto} = fixture;
  openPersonFinder(app);
  type(otto.email);
  press('Down');
  await says('Ctrl-E edits that account');
  press('Ctrl-E');
  await says('Account of Otto');
  type(' Again');
  press('Ctrl-D');
  await waitForState(session, ({users}) => users.get(otto.id)?.fullName === 'Otto Again');
  await closed();
});

test('palette: a whole email address is looked up', async () => {
  const {fixture, press, type, says} = await peopleFixture();
  press('Ctrl-G');
  type(fixture.otto.email);
  await says('look up this address');
  // The last row searches messages.
  press('End', 'Up', 'Up', 'Enter');
  await says(/Person[\s\S]*Otto/);
  press('Esc', 'Ctrl-G');
  type('@nobody@example.com');
  press('Enter');
  await says('nobody@example.com: No such user.');
});

test('list of people: deactivated ones are in a folded group, and a filter finds them and addresses', async () => {
  const {fixture, session, olive, app, press, type, says} = await peopleFixture();
  const {server, otto} = fixture;
  await server.as(olive).delete(`/users/${otto.id}`);
  await waitForState(session, ({users}) => users.get(otto.id)?.isActive === false);
  const labels = () => visibleRowsOf(app.frame, peopleList).rows.map(({label}) => label);
  press('g', 'u');
  expect(labels()).toEqual(expect.arrayContaining(['Meg Member', 'Deactivated (1)']));
  expect(labels()).not.toContain('Otto');
  press('G', 'l', 'G');
  expect(labels().at(-1)).toBe('Otto');
  press('u');
  await says(/Otto +deactivated/);
  press('Esc', 'f');
  type('olive.owner@');
  expect(labels()).toEqual(['People', 'Olive Owner']);
});

test('status of others: an administrator sets it, and z restores it', async () => {
  const {fixture, session, app, press, goTo, says, type} = await peopleFixture('administrator');
  const {otto} = fixture;
  openPersonForm(app, otto.id);
  goTo('Set their status…');
  press('Enter');
  type('On a boat');
  press('Enter');
  await says('Set the status of Otto');
  await waitForState(session, ({statuses}) => statuses.get(otto.id)?.statusText === 'On a boat');
  press('Esc', 'z');
  await waitForState(session, ({statuses}) => !statuses.has(otto.id));
});

test.each(['moderator', 'member', 'guest'] as const)(
  'a %s cannot edit others, and the palette says why',
  async (role) => {
    const {fixture, press, type, select, overlay, says} = await peopleFixture(role);
    await select(await fixture.postMessage('hello'));
    press('u');
    expect(await says('Otto')).not.toContain('edit account');
    press('Esc', 'Ctrl-G');
    type('>edit the account');
    expect(overlay()).toContain('Edit the account of this person');
    press('Enter');
    await says('Only administrators can change the accounts of others.');
  },
);

test('person form: an older server has fewer fields, and the form says which version has them', async () => {
  const {fixture, app, press, type, goTo, says} = await peopleFixture('owner', {server: {level: 185}});
  openPersonForm(app, fixture.otto.id);
  goTo('Email');
  type('x');
  await says('Needs Zulip 10');
  goTo('Set their status…');
  press('Enter');
  await says('Needs Zulip 11');
  goTo('Deactivate the account…');
  press('Enter');
  goTo('Direct messages');
  press('Space');
  await says('Needs Zulip 12');
});

test('read-only session: the form shows the account and saves nothing', async () => {
  const {fixture, session, app, press, type, says} = await peopleFixture('administrator', {
    app: {info: {isReadOnly: true}},
  });
  openPersonForm(app, fixture.otto.id);
  type('2');
  press('Ctrl-D');
  await says('This session is read-only: nothing is changed');
  expect(session.cache.state.users.get(fixture.otto.id)?.fullName).toBe('Otto');
});
