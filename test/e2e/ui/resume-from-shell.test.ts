import {expect, test} from 'vitest';
import {openTides, twoUserFixture} from './two-user-fixture.ts';

test('resume from the shell: the cursor is hidden again outside of text fields', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, {cols: 80, rows: 24});
  terminal.keys('Ctrl-Z');
  await terminal.waitUntil(({modes}) => modes.leftBehind().length === 0, 'restored terminal modes');
  expect(terminal.cursor.visible).toBe(true);
  terminal.kill('SIGCONT');
  await terminal.waitFor('see you at the quay');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'no cursor');
});
