import {expect} from 'vitest';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {extremeSizes, openTides, twoUserFixture, usualSize} from './two-user-fixture.ts';

async function goTo(terminal: Terminal, name: string, shown: string, typed = name.toLowerCase()): Promise<void> {
  terminal.keys('Ctrl-G');
  await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
  terminal.type(typed);
  await terminal.waitFor(new RegExp(`▌.*${name}`));
  terminal.keys('Enter');
  await terminal.waitFor(({text}) => !text.includes('Go to') && text.includes(shown), shown);
}

slowTest.each(fewOf(extremeSizes))(
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

slowTest.each([usualSize])('search: operators narrow the results, at $cols x $rows', async (size) => {
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

slowTest.each([usualSize])(
  'search: any topic of the demo is found by name, and a term that is not understood by its line, at $cols x $rows',
  async (size) => {
    const terminal = openParley({size, args: ['demo']});
    await terminal.waitFor('Inbox');
    await goTo(terminal, 'the-quay › plants', 'plants', 'plants');
    terminal.keys('q');
    await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
    terminal.type('crossword');
    await terminal.waitFor(/▌ sunday crossword/);
    terminal.keys('Enter');
    await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('sunday crossword'), 'the topic');

    terminal.keys('/');
    await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
    terminal.type('sender:maren soup');
    terminal.keys('Enter');
    await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('sender:"Maren Holm" soup'), 'the whole name');
    terminal.keys('/');
    await terminal.waitFor(({cursor}) => cursor.visible, 'a text field');
    terminal.keys('Ctrl-U');
    terminal.type('channel:nope');
    terminal.keys('Enter');
    await terminal.waitFor('There is no channel called “nope”.');
    terminal.type('s');
    await terminal.waitFor('There is no channel called “nopes”.');
    expect(terminal.screen().lines[0]).toContain('Maren Holm');
  },
);
