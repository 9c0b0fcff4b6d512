import {expect, test} from 'vitest';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {extremeSizes, openTides, twoUserFixture, usualSize} from './two-user-fixture.ts';

async function goTo(terminal: Terminal, name: string, shown: string): Promise<void> {
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
  terminal.type(name.toLowerCase());
  await terminal.waitFor(new RegExp(`▌.*${name}`));
  terminal.keys('Enter');
  await terminal.waitFor(shown);
}

test.each(extremeSizes)(
  'search: a result is opened in its topic; Ctrl-G goes to any conversation by name, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const terminal = await openTides(chat, size);
    terminal.keys('/');
    await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
    terminal.type('rope');
    await terminal.waitFor('Search for rope');
    terminal.keys('Enter');
    await terminal.waitFor(
      ({lines, text}) => (lines[0] ?? '').includes('rope') && text.includes('rope is worn'),
      'search results',
    );
    terminal.keys('s');
    await terminal.waitFor(
      ({lines, text}) => (lines[0] ?? '').includes('ropes') && text.includes('rope is worn'),
      'the topic',
    );

    await goTo(terminal, 'tides', 'see you at the quay');
    await goTo(terminal, 'ropes', 'rope is worn');
    await goTo(terminal, 'Otto', 'Are you coming along?');
    terminal.keys('Alt-Left');
    await terminal.waitFor('rope is worn');
  },
);

test.each([usualSize])('search: operators narrow the results, at $cols x $rows', async (size) => {
  const chat = await twoUserFixture();
  await chat.sendToTopic(chat.meg, 'ropes', 'I have a new rope.');
  const terminal = await openTides(chat, size);
  terminal.keys('/');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
  terminal.type('sender:me rope');
  terminal.keys('Enter');
  await terminal.waitFor('a new rope');
  expect(terminal.screen().text).not.toContain('is worn');
});
