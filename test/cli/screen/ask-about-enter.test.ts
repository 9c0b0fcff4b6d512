import {expect, test} from 'vitest';
import {askAboutEnter} from '#cli/screen/app-settings.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
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
