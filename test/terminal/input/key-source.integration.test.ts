import {expect, test} from 'vitest';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';

test('key source: another program that has the terminal gets all keys typed meanwhile', async () => {
  const terminal = openTerminal(process.execPath, ['test/terminal/input/lending-program.ts']);
  await terminal.waitFor('ready');
  terminal.write('ab\u001b[A');
  await terminal.waitFor('keys: a b Up');
  terminal.write('e');
  await terminal.waitFor('lent');
  terminal.write('every letter\r');
  await terminal.waitFor('borrower read: every letter');
  await terminal.waitFor('back');
  terminal.write('\u001b');
  await terminal.waitFor('keys: Esc');
  terminal.write('q');
  expect((await terminal.waitForExit()).code).toBe(0);
});
