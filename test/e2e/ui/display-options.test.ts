import {expect, test} from 'vitest';
import type {Screen} from '#test/support/terminal/screen.ts';
import {linuxConsole, mute} from '#test/support/terminal/terminal-profile.ts';
import {slowTest} from '#test/support/tier.ts';
import {openTides, quit, sizes, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

slowTest('NO_COLOR: the program writes no colour codes', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, {cols: 200, rows: 50}, {env: {NO_COLOR: '1'}});
  terminal.keys('I');
  await terminal.waitFor('Are you coming along?');
  terminal.keys('?');
  await terminal.waitFor(({cursor}) => cursor.visible, 'the keys, and a field to filter them');
  const sgrCodes = terminal.transcript().match(/\u001b\[[\d;:]*m/g) ?? [];
  const colorCodes = sgrCodes.filter((sgr) => /(^|;)(3[0-8]|4[0-8]|9\d|10\d)(;|$)/.test(sgr.slice(2, -1)));
  expect(colorCodes).toEqual([]);
});

slowTest(
  'theme: the terminal gets its background while Parley runs; a preview shows another and Esc returns; the end resets it',
  async () => {
    const chat = await twoUserFixture();
    const terminal = await openTides(chat, usualSize, {env: {PARLEY_THEME: 'nord'}});
    const backgrounds = () => terminal.transcript().match(/(?<=\u001b\]11;)#[0-9a-f]{6}|\u001b\]111(?=\u001b)/g) ?? [];
    expect(backgrounds()).toEqual(['#2e3440']);
    terminal.keys('g', ',');
    terminal.type('theme');
    await terminal.waitFor(/Theme +Nord/);
    terminal.keys('Enter');
    await terminal.waitFor('Solarized light');
    terminal.keys('Down');
    await terminal.waitUntil(() => backgrounds().at(-1) === '#002b36');
    terminal.keys('Esc');
    await terminal.waitUntil(() => backgrounds().at(-1) === '#2e3440');
    terminal.keys('Esc', 'Esc');
    await quit(terminal);
    expect(backgrounds()).toEqual(['#2e3440', '#002b36', '#2e3440', '\u001b]111']);
  },
);

slowTest(
  'theme: an editor gets the terminal with its own background, and afterwards the screen has that of the theme again',
  async () => {
    const chat = await twoUserFixture();
    const env = {PARLEY_THEME: 'nord', EDITOR: 'sh -c \'printf edited > "$1"\' sh'};
    const terminal = await openTides(chat, usualSize, {env});
    await startWriting(terminal);
    terminal.keys('Ctrl-O');
    await terminal.waitFor('edited');
    expect(terminal.transcript().match(/(?<=\u001b\]11;)#[0-9a-f]{6}|\u001b\]111(?=\u001b)/g)).toEqual([
      '#2e3440',
      '\u001b]111',
      '#2e3440',
    ]);
  },
);

test('theme: a terminal that reports no background keeps its own colours', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize, {persona: mute, env: {PARLEY_THEME: 'solarized-light'}});
  await terminal.waitUntil(() => terminal.transcript().includes('\u001b]111\u001b'));
});

test('TERM=dumb: prints unread conversations as plain text instead of opening the screen', async () => {
  const chat = await twoUserFixture();
  const terminal = chat.open(chat.meg, {persona: {...linuxConsole, env: {TERM: 'dumb'}}});
  expect(await terminal.waitForExit()).toEqual({code: 0, signal: undefined});
  const output = terminal.transcript();
  expect(output).toContain('4 unread');
  expect(output).toContain('#harbour › ropes');
  expect(output).toContain('parley --plain');
  expect(output).not.toContain('\u001b');
});

slowTest('Linux console: gets no OSC sequences at any size, and its modes are restored', async () => {
  const chat = await twoUserFixture();
  const [largest, ...others] = sizes;
  const terminal = await openTides(chat, largest ?? usualSize, {persona: linuxConsole});
  for (const {cols, rows} of others) {
    const painted = terminal.frame();
    terminal.resize(cols, rows);
    await painted;
    await terminal.waitFor('see you at the quay');
  }
  await quit(terminal);
  expect(terminal.transcript()).not.toContain('\u001b]');
  expect(terminal.modes.leftBehind()).toEqual([]);
});

const graphemes = [
  ['a family', '👩‍👩‍👧‍👦'],
  ['a flag', '🇳🇱'],
  ['a keycap', '1️⃣'],
  ['a heart with its variation', '❤️'],
  ['a skin tone', '👍🏽'],
  ['Chinese', '潮汐表'],
  ['Korean', '항구'],
  ['combining marks', 'Ça va, e\u0301te\u0301'],
  ['Hindi', 'ज्वार'],
  ['Thai', 'น้ำขึ้น'],
  ['Hebrew', 'גאות'],
  ['Arabic', 'مد وجزر'],
  ['a zero-width space', 'a\u200bb'],
  ['a tab', 'a\tb'],
] as const;

slowTest(
  'panes: at no size a text moves the right edge of its pane, has a background colour or sends escape sequences',
  async () => {
    const chat = await twoUserFixture();
    for (const [name, text] of graphemes) await chat.sendToTopic(chat.otto, 'tides', `${name}: ${text} ${text}`);
    await chat.sendToTopic(chat.otto, 'tides', 'red \u001b[31mtext\u001b]0;owned\u0007 \u009b2J \u202e end');
    await chat.sendToTopic(chat.otto, 'tides', 'All hands.');
    const [largest = usualSize, ...others] = sizes;
    const terminal = chat.open(chat.meg, {size: largest, args: ['#harbour>tides']});
    await terminal.waitFor(/▌/);
    terminal.keys('G');
    expectPanes(await terminal.waitFor('All hands.'));
    for (const {cols, rows} of others) {
      const painted = terminal.frame();
      terminal.resize(cols, rows);
      await painted;
      expectPanes(await terminal.waitFor('All hands.'));
    }
    expect(terminal.title).not.toContain('owned');
    expect(terminal.transcript()).not.toMatch(/\u009b|\u202e|owned\u0007/);
  },
);

function expectPanes(screen: Screen): void {
  const edges = screen.lines.map((_, y) =>
    screen
      .row(y)
      .map((cell, x) => (cell.chars === '│' ? x : -1))
      .filter((x) => x >= 0)
      .join(),
  );
  // All rows have their rules in the same columns.
  expect(new Set(edges.filter((edge) => edge !== '')).size).toBeLessThanOrEqual(1);
  // Times end in the same column.
  const ends = screen.lines.filter((line) => /Other +\d+:\d\d [AP]M$/.test(line)).map((line) => line.length);
  expect(new Set(ends).size).toBeLessThanOrEqual(1);
  const backgrounds = screen.lines.flatMap((_, y) => screen.row(y).map(({bg}) => bg));
  expect(new Set(backgrounds)).toEqual(new Set(['default']));
}
