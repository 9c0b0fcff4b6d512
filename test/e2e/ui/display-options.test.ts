import {expect, test} from 'vitest';
import {linuxConsole} from '#test/support/terminal/terminal-profile.ts';
import {openTides, quit, sizes, twoUserFixture} from './two-user-fixture.ts';

const usual = {cols: 80, rows: 24};

test('NO_COLOR: nothing that is written sets a colour', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, {cols: 200, rows: 50}, {env: {NO_COLOR: '1'}});
  terminal.keys('I');
  await terminal.waitFor('Are you coming along?');
  terminal.keys('?');
  await terminal.waitFor(({cursor}) => cursor.visible, 'the keys, and a field to filter them');
  const colours = terminal.transcript().match(/\u001b\[[\d;:]*m/g) ?? [];
  const coloured = colours.filter((sgr) => /(^|;)(3[0-8]|4[0-8]|9\d|10\d)(;|$)/.test(sgr.slice(2, -1)));
  expect(coloured).toEqual([]);
});

test('by default the background is never painted', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, {cols: 200, rows: 50});
  const {rows, cols} = terminal.size;
  const screen = terminal.screen();
  for (let y = 0; y < rows; y++) {
    for (const cell of screen.row(y).slice(0, cols)) expect(cell.bg).toBe('default');
  }
});

test('TERM=dumb: no screen but what is unread, in plain text', async () => {
  const stage = await twoUserFixture();
  const terminal = stage.open(stage.meg, {persona: {...linuxConsole, env: {TERM: 'dumb'}}});
  expect(await terminal.waitForExit()).toEqual({code: 0, signal: undefined});
  const written = terminal.transcript();
  expect(written).toContain('4 unread');
  expect(written).toContain('#harbour › ropes');
  expect(written).toContain('parley --plain');
  expect(written).not.toContain('\u001b');
});

test('the Linux console is asked for nothing it does not know, whatever its size', async () => {
  const stage = await twoUserFixture();
  const [largest, ...others] = sizes;
  const terminal = await openTides(stage, largest ?? usual, {persona: linuxConsole});
  for (const {cols, rows} of others) {
    const painted = terminal.frame();
    terminal.resize(cols, rows);
    await painted;
    await terminal.waitFor('see you at the quay');
  }
  await quit(terminal);
  expect(terminal.transcript()).not.toContain('\u001b]');
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

test.each(sizes)('no text moves the right edge of its pane, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  for (const [name, text] of graphemes) await stage.say(stage.otto, 'tides', `${name}: ${text} ${text}`);
  await stage.say(stage.otto, 'tides', 'All hands.');
  const terminal = stage.open(stage.meg, {size, args: ['#harbour>tides']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  const screen = await terminal.waitFor('All hands.');
  const edges = screen.lines.map((_, y) =>
    screen
      .row(y)
      .map((cell, x) => (cell.chars === '│' ? x : -1))
      .filter((x) => x >= 0)
      .join(),
  );
  // Every row with a rule has its rules where the others have theirs.
  expect(new Set(edges.filter((edge) => edge !== '')).size).toBeLessThanOrEqual(1);
  // Times end in the same column.
  const ends = screen.lines.filter((line) => /Other +\d+:\d\d [AP]M$/.test(line)).map((line) => line.length);
  expect(new Set(ends).size).toBeLessThanOrEqual(1);
});

test('what a name or a message holds never reaches the terminal as a command', async () => {
  const stage = await twoUserFixture();
  await stage.say(stage.otto, 'tides', 'red \u001b[31mtext\u001b]0;owned\u0007 \u009b2J \u202e end');
  const terminal = await openTides(stage, usual);
  await terminal.waitFor('end');
  expect(terminal.title).not.toContain('owned');
  expect(terminal.transcript()).not.toMatch(/\u009b|\u202e|owned\u0007/);
});
