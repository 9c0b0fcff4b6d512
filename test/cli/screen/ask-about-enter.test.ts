import {expect, test} from 'vitest';
import {openedPicker} from '#app/overlays/picker.ts';
import {askAboutEnter} from '#cli/screen/ask-about-enter.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';

/** Meg’s account begins a line with Enter; what is remembered outlives her program. */
async function accountStage() {
  const stage = await sessionFixture();
  const kept = new Map<string, string>();
  const notes = {
    get: (name: string) => kept.get(name),
    set: (name: string, json: string) => void kept.set(name, json),
  };
  const start = async () => {
    const session = stage.session();
    session.start();
    const opened = appFixture({session});
    askAboutEnter(opened.app, notes);
    await session.ready();
    return opened;
  };
  return {start};
}

test.each([
  ['1', true],
  ['2', undefined],
  ['Esc', true],
])('an account that begins a line with Enter is asked once what it means here: %s', async (key, sends) => {
  const {start} = await accountStage();
  const {app, press} = await start();
  expect(openedPicker(app)?.picker.title).toBe('What should Enter do while you write?');
  press(key);
  expect(openedPicker(app)).toBeUndefined();
  expect(app.settings.enterSends).toBe(sends);
  expect(openedPicker((await start()).app)).toBeUndefined();
});
