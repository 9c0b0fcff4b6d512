import {expect, test} from 'vitest';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';

test('accounts: switches by number or from the list', async () => {
  const {session} = await messageFixture();
  const shown: number[] = [];
  const names = ['work', 'club'];
  const {press, app} = appFixture({
    session,
    accounts: {
      list: () =>
        names.map((name, at) => ({
          name,
          detail: '',
          isShown: at === 0,
          unreads: {count: 3 * at, mentions: 0, isQuiet: false},
        })),
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
