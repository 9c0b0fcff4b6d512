import {expect, test} from 'vitest';
import type {LocalSetting, LocalSettingValue} from '#app/core/host.ts';
import {nameProblem, settingSections} from '#app/settings/settings-list.ts';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {pathsOf} from '#config/paths.ts';
import {settingTable} from '#config/settings.ts';
import {hashPassword} from '#server/accounts/password.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import * as eg from '#test/support/state-builders.ts';
import {listFixture} from '#test/ui/lists/list-fixture.ts';
import {settingFields} from '#wire/objects/user-settings.ts';

function exampleSettings() {
  const changes: [string, LocalSettingValue][] = [];
  const values: Record<string, LocalSettingValue> = {theme: 'default', mouse: false, undoSendSeconds: 0};
  const setting = (key: string, title: string, more: Partial<LocalSetting> = {}): LocalSetting => {
    const value = values[key] ?? false;
    return {key, name: key, title, description: `About ${title}`, default: false, value, ...more};
  };
  return {
    changes,
    list: () => [
      setting('theme', 'Theme', {default: 'default', choices: {default: 'terminal colours', dark: 'dark'}}),
      setting('mouse', 'Mouse'),
      setting('undoSendSeconds', 'Undo-send delay', {default: 0, min: 0, max: 60, unit: 'seconds'}),
    ],
    change: (key: string, value: LocalSettingValue) => {
      values[key] = value;
      changes.push([key, value]);
      return {isSaved: true, statusText: 'saved'};
    },
  };
}

test('settings: every setting of the account is in the list once, with a help and a known value', async () => {
  const {app} = await messageFixture();
  const items = settingSections(app, app.frame).flatMap(({items: some}) => some);
  const names = items.map(({key}) => key);
  const own = ['full_name', 'email', 'password', 'api key', 'ssh keys', 'alert words', 'muted', 'snippets', 'files'];
  expect(names.toSorted()).toEqual([...Object.keys(settingFields), ...own].toSorted());
  for (const {key, help, valueText, disabled} of items) {
    expect(help, key).not.toBe('');
    expect(valueText, key).not.toMatch(/undefined|null/);
    expect(disabled, key).toBeUndefined();
  }
});

test('settings: every setting of the file is in the list, with an explanation and its default', async () => {
  const {session} = await messageFixture();
  const home = scratchDirectory();
  const parts = {paths: pathsOf({}, home), env: {}, home, settings: defaultSettings};
  const {app} = appFixture({session, localSettings: localSettingsFile(parts)});
  const [own] = settingSections(app, app.frame);
  expect(own?.items.map(({key}) => key)).toEqual(Object.keys(settingTable).map((key) => `local ${key}`));
  for (const [at, {name}] of Object.values(settingTable).entries()) {
    const {help = '', valueText} = own?.items[at] ?? {};
    expect(help.split(` (${name}). `), name).toEqual([expect.stringMatching(/\w{3}/), `Default: ${valueText}.`]);
  }
  const texts = own?.items.flatMap(({valueText}) => (/^\d/.test(valueText) ? [valueText] : []));
  expect(texts).toEqual(['10 minutes', '20000 messages', '12 rows', '100 MiB', '0 seconds']);
});

test('settings: a switch toggles, a choice is chosen, and the server and undo follow', async () => {
  const {session, press, type, says, fixture} = await messageFixture();
  const queue = await fixture.server.as(fixture.meg).listen({event_types: ['user_settings']});
  press('g', ',');
  type('emoticons');
  expect(await says('Convert emoticons to emoji')).toMatch(/Convert emoticons to emoji +off/);
  press('Enter');
  expect(await says(/emoji +on/)).toContain('Convert emoticons to emoji');
  press('Ctrl-U');
  type('home view');
  press('Enter');
  await says('combined feed');
  type('recent');
  press('Enter');
  await waitForState(
    session,
    ({settings}) => settings.translateEmoticons === true && settings.webHomeView === 'recent',
  );
  const events = [...(await queue.next()), ...(await queue.next())];
  expect(events).toMatchObject([
    {property: 'translate_emoticons', value: true},
    {property: 'web_home_view', value: 'recent'},
  ]);
  press('Esc', 'z');
  await waitForState(session, ({settings}) => settings.webHomeView === 'inbox');
});

test('settings: the list shows what another client changes, the default, and Delete restores it', async () => {
  const {session, fixture, press, type, says, overlay} = await messageFixture();
  press('g', ',');
  type('delay of emails');
  expect(overlay()).toMatch(/Delay of emails +120 seconds/);
  expect(overlay()).toContain('Default: 120');
  const client = fixture.server.as(fixture.meg);
  await client.patch('/settings', {email_notifications_batching_period_seconds: 300});
  await says(/Delay of emails +300 seconds/);
  press('Delete');
  await waitForState(session, ({settings}) => settings.emailNotificationsBatchingPeriodSeconds === 120);
});

test('settings: a number is checked while it is typed', async () => {
  const {session, press, type, overlay} = await messageFixture();
  press('g', ',');
  type('font size');
  press('Enter', 'Ctrl-U');
  type('99');
  expect(overlay()).toMatch(/64/);
  press('Ctrl-U');
  type('18');
  press('Ctrl-D');
  await waitForState(session, ({settings}) => settings.webFontSizePx === 18);
});

test('settings: a change that the server refuses is taken back, and the reason is shown', async () => {
  const {session, fixture, press, type, says} = await messageFixture();
  await fixture.hook('fault', {path: '/settings', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  press('g', ',');
  type('Time zone');
  press('Enter');
  type('Europe/Paris');
  press('Enter');
  await says(/Time zone +Europe\/Paris/);
  await waitForState(session, ({settings}) => settings.timezone === '');
  await says('Refused by the server: Time zone: Europe/Paris');
});

test('settings: what the server is too old for is shown and cannot be changed', async () => {
  const {app, press, type, overlay} = await messageFixture({server: {level: 122}});
  press('g', ',');
  type('followed topics: desktop');
  expect(overlay()).toContain('Needs Zulip 8');
  press('Enter');
  expect(app.screen.toast?.text).toMatch(/^Needs Zulip 8/);
  press('Ctrl-U');
  type('time format');
  press('Enter');
  expect(overlay()).toMatch(/by the locale +Needs Zulip 11/);
  press('Esc', 'Ctrl-U');
  type('saved snippets');
  press('Enter');
  expect(app.screen.toast?.text).toMatch(/^Needs Zulip 10/);
});

test('settings: a change that lasts only until the program ends is a warning', () => {
  const change = () => ({isSaved: false, statusText: 'until Parley exits: config.toml is read-only'});
  const {app, press, type} = listFixture({localSettings: {...exampleSettings(), change}});
  press('g', ',');
  type('mouse');
  press('Enter');
  const text = 'Mouse: on · until Parley exits: config.toml is read-only';
  expect(app.screen.toast).toMatchObject({text, tone: 'warning'});
});

test('settings: a read-only session changes nothing of the account', async () => {
  const {session} = await messageFixture();
  const {app, press, type} = appFixture({session, info: {isReadOnly: true}, localSettings: exampleSettings()});
  press('g', ',');
  type('emoticons');
  press('Enter');
  expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
  press('Ctrl-U');
  type('mouse');
  press('Enter');
  expect(app.screen.toast?.text).toContain('Mouse: on');
});

test('settings: a setting of this program is saved, the list follows, and undo restores it', async () => {
  const {session} = await messageFixture();
  const localSettings = exampleSettings();
  const {app, press, type} = appFixture({session, localSettings});
  press('g', ',');
  type('theme');
  press('Enter');
  type('dark');
  press('Enter');
  expect(app.screen.toast).toMatchObject({text: 'Theme: dark · saved', tone: 'plain'});
  press('Delete');
  press('Ctrl-U');
  type('undo-send');
  press('Enter', 'Ctrl-U');
  type('10');
  press('Ctrl-D');
  await untilApp(app, () => localSettings.changes.length === 3);
  press('Esc', 'z');
  expect(localSettings.changes).toEqual([
    ['theme', 'dark'],
    ['theme', 'default'],
    ['undoSendSeconds', 10],
    ['undoSendSeconds', 0],
  ]);
  press('Z');
  expect(localSettings.changes.at(-1)).toEqual(['undoSendSeconds', 10]);
  press('z');
  expect(localSettings.changes.at(-1)).toEqual(['undoSendSeconds', 0]);
  press('z');
  expect(localSettings.changes.at(-1)).toEqual(['theme', 'dark']);
  press('Z');
  expect(localSettings.changes.at(-1)).toEqual(['theme', 'default']);
});

test('settings: moving in the choices shows each one, Esc shows the saved one again, and Enter keeps the chosen one', async () => {
  const {session} = await messageFixture();
  const previews: (LocalSettingValue | undefined)[] = [];
  const localSettings = {
    ...exampleSettings(),
    choicesOf: (key: string) => (key === 'theme' ? ['sea'] : []),
    preview: (_key: string, value: LocalSettingValue | undefined) => void previews.push(value),
  };
  const {press, type} = appFixture({session, localSettings});
  press('g', ',');
  type('theme');
  press('Enter', 'Down', 'Down', 'Esc');
  expect(previews).toEqual(['dark', 'sea', undefined]);
  expect(localSettings.changes).toEqual([]);
  press('Enter');
  type('sea');
  press('Enter');
  expect(previews.slice(-2)).toEqual(['sea', undefined]);
  expect(localSettings.changes).toEqual([['theme', 'sea']]);
  // The choices start at the one that is kept.
  press('Enter', 'Up', 'Esc');
  expect(previews.slice(-2)).toEqual(['dark', undefined]);
});

test('own account: the name changes at once and can be undone', async () => {
  const {session, fixture, press, type} = await messageFixture();
  const name = () => session.cache.state.users.get(fixture.meg.id)?.fullName;
  const before = name();
  press('g', ',');
  type('name as others');
  press('Enter', 'Ctrl-U');
  type('Margaret');
  press('Ctrl-D');
  await waitForState(session, () => name() === 'Margaret');
  press('Esc', 'z');
  await waitForState(session, () => name() === before);
});

test('own account: a wrong password is refused at its field, and a weak one while it is typed', async () => {
  const {press, type, says, overlay} = await messageFixture();
  press('g', ',');
  type('password that');
  press('Enter');
  type('wrong');
  press('Tab');
  type('short');
  press('Tab');
  type('longer-secret-words-42');
  expect(overlay()).toContain('The new passwords differ');
  press('Shift-Tab', 'Ctrl-U');
  type('longer-secret-words-42');
  press('Ctrl-D');
  expect(await says('Wrong password')).toMatch(/Current password/);
});

test('own account: a common password is refused with the reason, and a good one is the new password', async () => {
  const {fixture, press, type, says} = await messageFixture();
  const {server, meg} = fixture;
  const {db, passwordCost} = server.context;
  db.run('UPDATE user SET password_hash = ? WHERE id = ?', await hashPassword('old horse 1', passwordCost), meg.id);
  press('g', ',');
  type('password that');
  press('Enter');
  const fill = (next: string) => {
    press('Ctrl-U');
    type(next);
    press('Tab', 'Ctrl-U');
    type(next);
    press('Ctrl-D');
  };
  type('old horse 1');
  press('Tab');
  fill('password1');
  await says('The password is too common: others guess it first.');
  fill('correct horse');
  await says('Password changed');
  await server.anonymous().post('/fetch_api_key', {username: meg.email, password: 'correct horse'});
});

test('own account: the organization may forbid members to change their name and address', async () => {
  const {session, fixture, app, press, type, overlay} = await messageFixture();
  const {server} = fixture;
  await server.as(server.people.owner()).patch('/realm', {name_changes_disabled: true, email_changes_disabled: true});
  await waitForState(session, ({realm}) => realm.emailChangesDisabled === true && realm.nameChangesDisabled === true);
  press('g', ',');
  type('address that you');
  expect(overlay()).toContain('Only administrators change email addresses in this organization. The');
  press('Enter');
  expect(app.screen.toast?.text).toContain('Only administrators change email addresses');
});

test('own account: a new address is sent to the server, and an address in use is refused', async () => {
  const {fixture, press, type, says} = await messageFixture();
  const {server, otto} = fixture;
  const {user} = await server.as(otto).get(`/users/${otto.id}`);
  press('g', ',');
  type('address that you');
  press('Enter', 'Ctrl-U');
  type('nonsense');
  press('Ctrl-D');
  await says('Not an email address');
  press('Ctrl-U');
  type(String(user.delivery_email ?? user.email));
  press('Ctrl-D');
  await says(/Not saved|already/i);
});

test.each([
  ['owner', 100, undefined],
  ['administrator', 200, undefined],
  ['moderator', 300, 'Only administrators change names in this organization'],
  ['member', 400, 'Only administrators change names in this organization'],
  ['guest', 600, 'Only administrators change names in this organization'],
])('own account: where names are fixed, this is what an account of the role “%s” sees', (_role, role, problem) => {
  const self = eg.user({id: 7, role});
  const realm = {...eg.state().realm, nameChangesDisabled: true};
  const state = eg.state({self: {userId: 7}, users: eg.users(self), realm});
  expect(nameProblem(state)).toBe(problem);
});
