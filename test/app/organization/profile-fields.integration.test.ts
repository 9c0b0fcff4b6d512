import {expect, test} from 'vitest';
import {
  optionChangeText,
  optionsFromText,
  profileFields as profileFieldKind,
  profileFieldList,
  readOptions,
} from '#app/organization/profile-field-form.ts';
import type {AccountState} from '#state/state.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {organizationFixture} from './organization-fixture.ts';

const drinks = {a: {text: 'Tea', order: '1'}, b: {text: 'Milk', order: '2'}};

test('profile options: the same text keeps its key, a text in its place renames it, others are new', () => {
  const before = readOptions(JSON.stringify({b: {text: 'Milk', order: '2'}, '4': {text: 'Tea', order: '1'}}));
  expect(before).toEqual([
    {key: '4', text: 'Tea'},
    {key: 'b', text: 'Milk'},
  ]);
  const reordered = optionsFromText('Milk\n\nTea\nWater', before);
  expect(reordered.map(({key}) => key)).toEqual(['b', '4', '5']);
  const renamed = optionsFromText('Green tea\nMilk', before);
  expect(renamed.map(({key}) => key)).toEqual(['4', 'b']);
  expect(optionChangeText(before, renamed)).toBe('Renames Tea to Green tea');
  expect(optionChangeText(before, optionsFromText('Tea', before))).toBe('Removes Milk from all profiles');
  expect(optionChangeText(before, reordered)).toBeUndefined();
});

test('profile fields: one of each type is created as the form says', async () => {
  const {app, press, type, fill, goTo, closed, until, state} = await organizationFixture('administrator');
  profileFieldList.open(app);
  const create = async (kind: string, name: string, more: () => void = () => {}) => {
    const before = state().profileFields.length;
    press('Ctrl-A');
    goTo('Type');
    type(kind);
    press('Enter');
    more();
    if (name !== '') fill('Label', name);
    press('Ctrl-D');
    await closed();
    await until(({profileFields}) => profileFields.length === before + 1);
  };
  await create('short', 'Job', () => {
    fill('Hint', 'What you do');
    goTo('In the summary');
    press('Space');
    goTo('Finds people');
    press('Space');
  });
  await create('long', 'About me', () => {
    goTo('Required');
    press('Space');
  });
  await create('list', 'Drink', () => fill('Options', 'Tea or milk'));
  await create('date', 'Birthday');
  await create('link', 'Homepage', () => {
    goTo('Users can edit');
    press('Space');
  });
  await create('people', 'Mentor');
  await create('external', 'Forge', () => fill('URL pattern', 'https://git.example/%(username)s'));
  await create('external', '', () => {
    goTo('Account type');
    type('github');
    press('Enter');
  });
  await create('pronouns', 'Pronouns');
  expect(state().profileFields).toMatchObject([
    {name: 'Job', hint: 'What you do', type: 1, displayInProfileSummary: true, useForUserMatching: true},
    {name: 'About me', type: 2, required: true, editableByUser: true},
    {name: 'Drink', type: 3, fieldData: JSON.stringify({0: {text: 'Tea or milk', order: '1'}})},
    {name: 'Birthday', type: 4},
    {name: 'Homepage', type: 5, editableByUser: false},
    {name: 'Mentor', type: 6},
    {
      name: 'Forge',
      type: 7,
      fieldData: JSON.stringify({subtype: 'custom', url_pattern: 'https://git.example/%(username)s'}),
    },
    {name: 'GitHub username', type: 7, fieldData: JSON.stringify({subtype: 'github'})},
    {name: 'Pronouns', type: 8, hint: 'What pronouns should people use to refer to you?'},
  ]);
});

test('profile fields: options are renamed, added and reordered, and undo restores them', async () => {
  const {fixture, app, owner, press, type, goTo, overlay, until, toast, state} =
    await organizationFixture('administrator');
  const {id} = await owner.post('/realm/profile_fields', {name: 'Drink', field_type: 3, field_data: drinks});
  await until(({profileFields}) => profileFields.length === 1);
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['custom_profile_fields']});
  profileFieldKind.openForm(app, id);
  goTo('Options');
  type(' shake');
  press('Enter');
  type('Water');
  expect(overlay()).toContain('Renames Milk to Milk shake');
  press('Ctrl-D');
  await toast('Changed the profile field Drink');
  const data = () => JSON.parse(state().profileFields[0]?.fieldData ?? '{}');
  await until(() => data().b?.text === 'Milk shake');
  expect(data()).toEqual({
    a: {text: 'Tea', order: '1'},
    b: {text: 'Milk shake', order: '2'},
    0: {text: 'Water', order: '3'},
  });
  expect(await queue.events()).toMatchObject([{fields: [{name: 'Drink'}]}]);
  press('z');
  await until(() => data().b?.text === 'Milk');
  expect(data()).toEqual(drinks);
});

test('profile fields: limits are shown while typing, and what only the server knows at its field', async () => {
  const {app, owner, press, type, fill, goTo, overlay, says, until, unseen} =
    await organizationFixture('administrator');
  for (const name of ['Job', 'Town']) {
    await owner.post('/realm/profile_fields', {name, field_type: 1, display_in_profile_summary: true});
  }
  await until(({profileFields}) => profileFields.length === 2);
  profileFieldKind.openForm(app, undefined);
  const problems: readonly (readonly [label: string, text: string, problem: string])[] = [
    ['Label', 'x'.repeat(41), '1 character too long'],
    ['Label', 'job', 'Another field has this label'],
    ['Hint', 'x'.repeat(81), '1 character too long'],
  ];
  for (const [label, text, problem] of problems) {
    fill(label, text);
    expect(overlay()).toContain(problem);
  }
  fill('Hint', '');
  goTo('In the summary');
  expect(overlay()).toContain('Two fields are in the summary already: Job, Town');
  goTo('Type');
  type('list');
  press('Enter');
  fill('Options', 'Tea');
  press('Enter');
  type('Tea');
  expect(overlay()).toContain('Two options are the same');
  goTo('Type');
  type('external');
  press('Enter');
  fill('URL pattern', 'https://git.example/');
  expect(overlay()).toContain('Write %(username)s once');
  goTo('Type');
  type('people');
  press('Enter');
  goTo('Finds people');
  expect(overlay()).toContain('Only short texts and external accounts can be searched');
  unseen(`INSERT INTO profile_field (name, hint, type, field_data, sort_order) VALUES ('Mentor', '', 6, '', 9)`);
  fill('Label', 'Mentor');
  press('Ctrl-D');
  expect(await says('Not saved')).toMatch(/▌\* Label .*\n.*A field with that label already exists\./);
});

test('profile fields: a field for a known service keeps its name; all keep their type', async () => {
  const {app, owner, press, type, until, goTo, overlay} = await organizationFixture('administrator');
  const args = {field_type: profileFieldTypes.externalAccount, field_data: {subtype: 'github'}};
  const {id} = await owner.post('/realm/profile_fields', args);
  await until(({profileFields}) => profileFields.length === 1);
  profileFieldKind.openForm(app, id);
  for (const [label, reason] of [
    ['Type', 'A field keeps its type: create another one'],
    ['Account type', 'A field for this account type keeps it'],
    ['Label', 'The account type has its own name and hint'],
  ] as const) {
    goTo(label);
    expect(overlay()).toContain(reason);
  }
  goTo('Label');
  type('x');
  press('Ctrl-D');
  expect(app.screen.overlays).toEqual([]);
});

function namesInOrder(fields: AccountState['profileFields']): string {
  return fields
    .toSorted((a, b) => a.order - b.order)
    .map(({name}) => name)
    .join();
}

test('profile fields: they are moved and removed; removing asks first', async () => {
  const {app, owner, press, says, until, toast} = await organizationFixture('administrator');
  for (const name of ['Job', 'Town']) await owner.post('/realm/profile_fields', {name, field_type: 1});
  await until(({profileFields}) => profileFields.length === 2);
  profileFieldList.open(app);
  press('Down', 'Alt-Down');
  await toast('Changed the order of profile fields');
  await until(({profileFields}) => namesInOrder(profileFields) === 'Town,Job');
  press('Delete');
  await says('with what all users have written in it, for ever');
  press('y');
  await until(({profileFields}) => profileFields.map(({name}) => name).join() === 'Town');
});

test.each(['moderator', 'member', 'guest'] as const)('profile fields: a %s only looks', async (role) => {
  const {app, owner, press, overlay, until} = await organizationFixture(role);
  await owner.post('/realm/profile_fields', {name: 'Job', field_type: 1});
  await until(({profileFields}) => profileFields.length === 1);
  profileFieldList.open(app);
  press('Ctrl-A');
  expect(app.screen.toast?.text).toBe('Only administrators can change this');
  press('Down', 'Enter');
  expect(overlay()).toContain('Only administrators can change this');
});

test('profile fields: an older server names the release that a flag needs', async () => {
  const {app, overlay, goTo} = await organizationFixture('administrator', {server: {level: 237}});
  profileFieldKind.openForm(app, undefined);
  goTo('Required');
  expect(overlay()).toContain('Needs Zulip 9');
  goTo('Finds people');
  expect(overlay()).toContain('Needs Zulip 12');
});
