import {expect, test} from 'vitest';
import {accountSettings, appSettings, askAboutEnter} from '#cli/screen/app-settings.ts';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {testIo} from '#test/support/cli-io.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';

/** Meg’s account starts a new line with Enter; the store outlives her program. */
async function accountStage() {
  const fixture = await sessionFixture();
  const saved = new Map<string, string>();
  const notes = {
    get: (name: string) => saved.get(name),
    set: (name: string, json: string) => void saved.set(name, json),
  };
  const start = async () => {
    const session = fixture.session();
    session.start();
    const opened = appFixture({session});
    askAboutEnter(opened.app, notes);
    await session.ready();
    return opened;
  };
  return {start};
}

test('Enter question: the key that switches accounts does not answer it', async () => {
  const {start} = await accountStage();
  const {app, press} = await start();
  press('Alt-2');
  expect(openedPicker(app)?.picker.title).toBe('What should Enter do while writing?');
});

test.each([
  ['1', true],
  ['2', undefined],
  ['Esc', true],
])('Enter question: an account whose Enter starts a new line is asked once: %s', async (key, sends) => {
  const {start} = await accountStage();
  const {app, press} = await start();
  expect(openedPicker(app)?.picker.title).toBe('What should Enter do while writing?');
  press(key);
  expect(openedPicker(app)).toBeUndefined();
  expect(app.settings.enterSends).toBe(sends);
  expect(openedPicker((await start()).app)).toBeUndefined();
});

test('Enter: “as in the account” is chosen for this account, and the setting shows what holds', () => {
  const saved = new Map<string, string>();
  const store = {
    get: (name: string) => saved.get(name),
    set: (name: string, json: string) => void saved.set(name, json),
  };
  const io = testIo();
  const shared = localSettingsFile({...io, settings: defaultSettings});
  const current = () => appSettings(defaultSettings, store);
  const settings = accountSettings(shared, store, current);
  const shown = () => settings.list().find(({key}) => key === 'enterSends')?.value;
  expect([current().enterSends, shown()]).toEqual([true, 'yes']);
  settings.change('enterSends', 'auto');
  expect([current().enterSends, shown()]).toEqual([undefined, 'auto']);
});
