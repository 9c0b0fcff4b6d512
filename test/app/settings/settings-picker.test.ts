import {expect, test} from 'vitest';
import type {LocalSetting} from '#app/core/settings.ts';
import {accountRows, localRows} from '#app/settings/setting-rows.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';

test('settings: every row shows one of its choices', async () => {
  const {app} = await messageFixture();
  for (const row of [...localRows, ...accountRows]) {
    expect(row.choices[row.currentChoice(app.frame, app.settings)]?.label, row.title).toBeDefined();
  }
});

test('settings: Enter cycles through the choices, and account settings reach the server', async () => {
  const {session, press, type, says} = await messageFixture();
  press('g', ',');
  type('emoticons');
  expect(await says('Convert emoticons to emoji')).toMatch(/Convert emoticons to emoji +off/);
  press('Enter');
  expect(await says('undo')).toMatch(/Convert emoticons to emoji +on/);
  await waitForState(session, ({settings}) => settings.translateEmoticons === true);
});

test('settings: local settings apply at once', async () => {
  const {app, press, type, says, deviceCalls} = await messageFixture();
  press('g', ',');
  type('space at');
  press('Enter');
  expect(app.settings.readOn).toBe('page');
  expect(await says('until Parley ends')).toMatch(/Space at the end +only pages/);
  press('Ctrl-U');
  type('mouse');
  press('Enter');
  expect(app.screen.isMouseOn).toBe(true);
  expect(deviceCalls).toContainEqual(['setMouse', true]);
});

test('settings: a local setting is saved, and the toast says how that went', async () => {
  const {session} = await messageFixture();
  const saved: LocalSetting[] = [];
  let outcome = {isSaved: true, statusText: 'saved'};
  const {app, press, type} = appFixture({
    session,
    saveSetting: (setting) => {
      saved.push(setting);
      return outcome;
    },
  });
  press('g', ',');
  type('theme');
  press('Enter');
  expect(app.screen.toast).toMatchObject({text: 'Theme: dark · saved', tone: 'plain'});
  outcome = {isSaved: false, statusText: 'until Parley ends: config.toml is read-only.'};
  press('Enter');
  expect(app.screen.toast).toMatchObject({
    text: 'Theme: light · until Parley ends: config.toml is read-only.',
    tone: 'warning',
  });
  expect(saved).toEqual([
    {name: 'theme', value: 'dark'},
    {name: 'theme', value: 'light'},
  ]);
});

test('accounts: switches by number or from the list', async () => {
  const {session} = await messageFixture();
  const shown: number[] = [];
  const names = ['work', 'club'];
  const {press, app} = appFixture({
    session,
    accounts: {
      list: () => names.map((name, at) => ({name, detail: '', isShown: at === 0, unreadCount: at === 0 ? 0 : 3})),
      show: (index) => void shown.push(index),
    },
  });
  press('Alt-2');
  press('g', 'a', 'Down', 'Enter');
  press('g', 'a', '2');
  expect(shown).toEqual([1, 1, 1]);
  press('Alt-9');
  expect(app.screen.toast?.text).toBe('No account 9');
});

test('accounts: with one account there is nothing to switch to', async () => {
  const {press, app} = await messageFixture();
  press('g', 'a');
  expect(app.screen.toast?.text).toBe('Only one account · “parley login” adds another');
});
