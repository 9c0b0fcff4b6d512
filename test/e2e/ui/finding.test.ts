import {expect, test} from 'vitest';
import {harbour, openTides, sizes, usual} from './harbour.ts';

test.each(sizes)(
  'what was searched for is found and opened where it was said, at $cols x $rows',
  async (size) => {
    const stage = await harbour();
    const terminal = await openTides(stage, size);
    terminal.keys('/');
    await terminal.waitFor(({cursor}) => cursor.visible, 'a field to write in');
    terminal.type('rope');
    await terminal.waitFor('Search for rope');
    terminal.keys('Enter');
    await terminal.waitFor(
      ({lines, text}) => (lines[0] ?? '').includes('rope') && text.includes('rope is worn'),
      'what is found',
    );
    terminal.keys('s');
    await terminal.waitFor(
      ({lines, text}) => (lines[0] ?? '').includes('ropes') && text.includes('rope is worn'),
      'the topic',
    );
  },
);

test.each([usual])('operators narrow a search, at $cols x $rows', async (size) => {
  const stage = await harbour();
  await stage.say(stage.meg, 'ropes', 'I have a new rope.');
  const terminal = await openTides(stage, size);
  terminal.keys('/');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field to write in');
  terminal.type('sender:me rope');
  terminal.keys('Enter');
  await terminal.waitFor('a new rope');
  expect(terminal.screen().text).not.toContain('is worn');
});

test.each(sizes)('any conversation is a few keys away, at $cols x $rows', async (size) => {
  const stage = await harbour();
  const terminal = await openTides(stage, size);
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field to write in');
  terminal.type('ropes');
  await terminal.waitFor(/▌.*ropes/);
  terminal.keys('Enter');
  await terminal.waitFor('rope is worn');
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a field to write in');
  terminal.type('otto');
  await terminal.waitFor(/▌.*Otto/);
  terminal.keys('Enter');
  await terminal.waitFor('Are you coming along?');
  terminal.keys('Alt-Left');
  await terminal.waitFor('rope is worn');
});
