import {expect, test} from 'vitest';
import {openTides, twoUserFixture} from './two-user-fixture.ts';

test('coming back from the shell to reading, the cursor is as hidden as it was', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, {cols: 80, rows: 24});
  terminal.keys('Ctrl-Z');
  await terminal.waitUntil(({modes}) => modes.leftBehind().length === 0, 'the terminal as it was');
  expect(terminal.cursor.visible).toBe(true);
  terminal.kill('SIGCONT');
  await terminal.waitFor('see you at the quay');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'no cursor');
});
