import {expect} from 'vitest';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';

/** Returns the instruction in the last lines of the screen; empty without a tour. */
function instruction({text}: {readonly text: string}): string {
  const [, after] = text.split('\n Tour ');
  return after === undefined ? '' : `Tour ${after}`.trim().replaceAll(/\s+/g, ' ');
}

/** Waits for the instruction and presses the keys, which it must name. */
async function follow(terminal: Terminal, text: string, keys: readonly string[], typed?: string): Promise<void> {
  await terminal.waitFor((screen) => instruction(screen).includes(text), text);
  const shown = instruction(terminal.screen());
  for (const key of keys) expect(shown).toContain(key);
  expect(shown).toMatch(/\(F2 closes the tour\)$/);
  if (typed !== undefined) terminal.type(typed);
  terminal.keys(...keys);
}

slowTest('tour: pressing exactly the named keys leads through the demo', async () => {
  const terminal = openParley({args: ['demo']});
  await follow(terminal, 'unread messages', ['j', 'Enter']);
  await follow(terminal, 'to write a reply', ['r']);
  await follow(terminal, 'sends them', ['Enter'], 'I follow the tour.');
  await follow(terminal, 'to leave the text field', ['Esc']);
  await follow(terminal, 'to go to the inbox', ['I']);
  await follow(terminal, 'to mark the conversation', ['e']);
  await follow(terminal, 'to undo that', ['z']);
  await follow(terminal, 'any conversation', ['Ctrl-G']);
  await follow(terminal, 'letters of a name', ['Enter'], 'soup');
  await follow(terminal, 'list of all keys', ['?']);
  await follow(terminal, 'closes the list', ['Esc']);
  await follow(terminal, 'The tour is complete', ['F2']);
  await terminal.waitFor((screen) => instruction(screen) === '', 'no tour');
  expect(terminal.screen().text.split('\n')[0]).toContain('soup');
  terminal.keys(';');
  terminal.type('tour');
  await terminal.waitFor('Tour: the first keys');
  terminal.keys('Enter');
  // A conversation is open already.
  await follow(terminal, 'to write a reply', ['F2']);
});
