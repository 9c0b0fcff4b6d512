import {expect, test} from 'vitest';
import {openOwnProfileForm} from '#app/people/person-form.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {png} from '#test/contract/contract-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {type PeopleFixture, peopleFixture} from './people-fixture.ts';

/** Adds a field of every type. */
async function addProfileFields({fixture, olive, session}: PeopleFixture): Promise<void> {
  const add = (name: string, type: number, more: object = {}) =>
    fixture.server.as(olive).post('/realm/profile_fields', {name, field_type: type, ...more});
  await add('Job', profileFieldTypes.shortText, {hint: 'What you do here'});
  await add('About', profileFieldTypes.paragraph);
  await add('Team', profileFieldTypes.dropdown, {
    field_data: {a: {text: 'Hardware', order: '1'}, b: {text: 'Maps', order: '2'}},
  });
  await add('Birthday', profileFieldTypes.date);
  await add('Homepage', profileFieldTypes.url);
  await add('Mentor', profileFieldTypes.user);
  await add('Forge', profileFieldTypes.externalAccount, {
    field_data: {subtype: 'custom', url_pattern: 'https://forge.example/%(username)s'},
  });
  await add('Pronouns', profileFieldTypes.pronouns);
  await add('Desk', profileFieldTypes.shortText, {editable_by_user: false});
  await waitForState(session, ({profileFields}) => profileFields.length === 9);
}

test('own profile: name, time zone and every type of field are saved, and one undo restores them', async () => {
  const parts = await peopleFixture();
  const {fixture, session, app, press, type, goTo, closed, says, overlay} = parts;
  await addProfileFields(parts);
  const me = () => session.cache.state.users.get(fixture.meg.id);
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['realm_user']});
  openOwnProfileForm(app);
  type(' Mariner');
  goTo('Role');
  press('Right');
  await says('Only administrators can change roles.');
  goTo('Time zone');
  type('Tokyo');
  press('Enter');
  goTo('Job');
  expect(overlay()).toContain('What you do here');
  type('Pilot');
  goTo('About');
  type('I like **tides**');
  goTo('Team');
  press('Right', 'Right');
  goTo('Birthday');
  type('1990-02-31');
  await says('Write the day as year-month-day');
  press('Ctrl-U');
  type('1990-02-28');
  goTo('Homepage');
  type('example');
  await says('Write an address that starts with https:// or http://');
  press('Ctrl-U');
  type('https://meg.example/');
  goTo('Mentor');
  type('otto');
  press('Enter', 'Esc');
  goTo('Forge');
  type('megm');
  goTo('Pronouns');
  type('she/her');
  goTo('Desk');
  type('x');
  await says('Only administrators can change this field.');
  press('Ctrl-D');
  await closed();
  expect(app.screen.toast?.text).toMatch(/^Changed your profile · [zZ] undo$/);
  await waitForState(session, ({profileFields}) =>
    profileFields.every(({id, name}) => name === 'Desk' || me()?.profile[id] !== undefined),
  );
  expect((await queue.next())[0]).toMatchObject({type: 'realm_user'});
  const fields = session.cache.state.profileFields;
  expect(Object.fromEntries(fields.map(({id, name}) => [name, me()?.profile[id]?.value]))).toEqual({
    Job: 'Pilot',
    About: 'I like **tides**',
    Team: 'b',
    Birthday: '1990-02-28',
    Homepage: 'https://meg.example/',
    Mentor: `[${fixture.otto.id}]`,
    Forge: 'megm',
    Pronouns: 'she/her',
    Desk: undefined,
  });
  expect(me()).toMatchObject({fullName: 'Meg Member Mariner', timezone: 'Asia/Tokyo'});
  openUserCard(app, fixture.meg.id);
  const card = overlay();
  expect(card).toMatch(/Team +Maps/);
  expect(card).toMatch(/Birthday +Wed 28 Feb 1990/);
  expect(card).toMatch(/Mentor +Otto/);
  expect(card).toMatch(/Forge +megm \(https:\/\/forge\.example\/megm\)/);
  expect(card).toMatch(/Time zone +Asia\/Tokyo/);
  press('o');
  expect(overlay()).toMatch(/Homepage +https:\/\/meg\.example/);
  press('Down', 'Enter');
  await says(/Otto[\s\S]*direct message/);
  press('Esc', 'Esc', 'z');
  await waitForState(session, () => me()?.fullName === 'Meg Member' && Object.keys(me()?.profile ?? {}).length === 0);
  await waitForState(session, () => me()?.timezone === '');
});

test('own profile: what the organization forbids is disabled with the reason', async () => {
  const {fixture, session, olive, app, press, type, goTo, says, closed} = await peopleFixture();
  await fixture.server.as(olive).patch('/realm', {name_changes_disabled: true, avatar_changes_disabled: true});
  await waitForState(session, ({realm}) => realm.avatarChangesDisabled === true);
  openOwnProfileForm(app);
  goTo('Name');
  type('x');
  await says('This organization does not let people change their names.');
  goTo('Change the picture…');
  press('Enter');
  await says('This organization does not let people change their pictures.');
  press('Esc');
  await closed();
});

test('own profile: a picture is uploaded from a file and removed; a file that is no image is refused', async () => {
  const files: Record<string, Uint8Array> = {'me.png': png, 'notes.txt': new TextEncoder().encode('hello')};
  const {fixture, app, press, type, goTo, says} = await peopleFixture('member', {
    app: {
      device: {
        listFiles: () => Object.keys(files).map((name) => ({name, isDirectory: false})),
        readFile: async (name) => ({name, bytes: files[name] ?? png, size: files[name]?.length ?? 0}),
      },
    },
  });
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['realm_user']});
  openOwnProfileForm(app);
  goTo('Change the picture…');
  press('Enter');
  type('notes');
  press('Enter');
  await says('The picture was not changed: Invalid image format');
  press('Enter');
  type('me.p');
  press('Enter');
  await says('Changed the picture');
  expect(await queue.next()).toMatchObject([{person: {user_id: fixture.meg.id, avatar_source: 'U'}}]);
  goTo('Remove the picture…');
  press('Enter', 'y');
  await says('Removed your picture');
  expect(await queue.next()).toMatchObject([{person: {user_id: fixture.meg.id, avatar_source: 'G'}}]);
});

test('own profile: an owner gives up the role while there is another one', async () => {
  const {fixture, session, app, press, goTo} = await peopleFixture('owner');
  openOwnProfileForm(app);
  goTo('Change my role or address…');
  press('Enter');
  goTo('Role');
  press('Right', 'Ctrl-D');
  await waitForState(session, ({users}) => users.get(fixture.meg.id)?.role === 200);
});

test('own account: is deactivated after a question', async () => {
  const {fixture, app, press, goTo, says, olive} = await peopleFixture();
  const queue = await fixture.server.as(olive).listen({event_types: ['realm_user']});
  openOwnProfileForm(app);
  goTo('Deactivate my account…');
  press('Enter');
  await says('only an administrator can bring it back');
  press('y');
  expect(await queue.next()).toMatchObject([{person: {user_id: fixture.meg.id, is_active: false}}]);
});
