import {expect, test} from 'vitest';
import {cursorShape, enterModes, keyboardMode, leaveModes, mouseMode, repeatModes} from '#terminal/modes.ts';
import {allEnvironments, dumb, linux, serial, xterm} from './environments.ts';

const screenful = {alternateScreen: true, mouse: false};

/** Returns the private modes that a text sets or resets. */
function modesIn(text: string, end: 'h' | 'l'): string[] {
  return [...text.matchAll(new RegExp(`\\u001b\\[\\?(\\d+)${end}`, 'g'))].map((match) => match[1] ?? '').sort();
}

test('modes: leaving restores all modes, the keyboard before its screen and the title after', () => {
  expect(leaveModes(xterm).replaceAll('\u001b', 'ESC')).toBe(
    'ESC[rESC[?7hESC[<uESC[>4mESC[?2004lESC[?1004lESC[?2031lESC[?1000lESC[?1002lESC[?1006lESC[?1007lESC[?2026lESC[0 qESC[?25hESC[?1049lESC[23;0tESC[0m',
  );
});

test.each(allEnvironments)('modes: every mode that is entered is left (%s)', (_name, environment) => {
  for (const mouse of [false, true]) {
    for (const alternateScreen of [false, true]) {
      const entered = modesIn(enterModes(environment, {alternateScreen, mouse}) + mouseMode(environment, mouse), 'h');
      expect(modesIn(leaveModes(environment), 'l')).toEqual(expect.arrayContaining(entered));
    }
  }
});

test.each(allEnvironments)(
  'modes: repeating them sets the same modes and adds to no stack (%s)',
  (_name, environment) => {
    const [entered, repeated] = [enterModes(environment, screenful), repeatModes(environment, screenful)];
    for (const end of ['h', 'l'] as const) expect(modesIn(repeated, end)).toEqual(modesIn(entered, end));
    expect(repeated).not.toMatch(/\u001b\[(?:22;0t|>5u)/);
  },
);

test('modes: the Linux console gets nothing that it would print', () => {
  const sent = enterModes(linux, screenful) + leaveModes(linux) + mouseMode(linux, true) + cursorShape(linux, 'bar');
  expect(sent).not.toContain('\u001b]');
  expect(sent).not.toMatch(/\u001b\[[<>]|\dt| q/);
});

test('modes: an old device gets only its own sequences; a dumb terminal none', () => {
  expect(enterModes(serial, screenful)).toBe('\u001b[H\u001b[2J\u001b[?25l');
  expect(leaveModes(serial)).toBe('\u001b[r\u001b[?7h\u001b[0m\u001b[?25h\u001b[H\u001b[2J');
  expect([enterModes(dumb, screenful), repeatModes(dumb, screenful), leaveModes(dumb)]).toEqual(['', '', '']);
});

test('modes: without the mouse the wheel sends arrow keys', () => {
  expect(modesIn(enterModes(xterm, screenful), 'h')).toContain('1007');
  expect(modesIn(enterModes(xterm, {...screenful, mouse: true}), 'h')).toEqual(
    expect.arrayContaining(['1000', '1002', '1006']),
  );
  expect(modesIn(mouseMode(xterm, false), 'h')).toEqual(['1007']);
  expect(enterModes(xterm, {...screenful, mouse: true})).not.toContain('1003');
});

test('modes: without the alternate screen the screen is not switched', () => {
  expect(modesIn(enterModes(xterm, {alternateScreen: false, mouse: false}), 'h')).not.toContain('1049');
});

test.each([
  ['kitty', '\u001b[>5u'],
  ['modify_other_keys', '\u001b[>4;2m'],
  ['legacy', ''],
] as const)('modes: keyboard protocol %s is enabled with %o', (protocol, sequence) => {
  expect(keyboardMode(protocol)).toBe(sequence);
});

test('modes: the cursor is a bar in text fields', () => {
  expect([cursorShape(xterm, 'bar'), cursorShape(xterm, 'usual')]).toEqual(['\u001b[6 q', '\u001b[0 q']);
});

test('modes: leaving resets the margins and, without the alternate screen, keeps the cursor where it is', () => {
  expect(leaveModes(xterm, {alternateScreen: false})).toMatch(/^\u001b7\u001b\[r\u001b8/);
});

test('modes: a terminal that orders text stops while Parley does, and goes on afterwards', () => {
  const [ours, theirs] = ['\u001b[8l', '\u001b[8h'];
  expect(enterModes(xterm, {...screenful, ordersText: true})).toContain(ours);
  expect(leaveModes(xterm, {alternateScreen: true, ordersText: true})).toContain(theirs);
  expect(enterModes(xterm, screenful)).not.toContain(ours);
  expect(leaveModes(xterm)).not.toContain(theirs);
});

test('modes: the colours of a theme are set before the screen is cleared and reset at the end, on xterm only', () => {
  const colors = {text: '#ebdbb2', background: '#282828'};
  const [set, reset] = [/\u001b\]11;#282828\u001b\\/, /\u001b\]111\u001b\\/];
  const entered = enterModes(xterm, {...screenful, colors});
  expect(entered).toMatch(set);
  expect(entered.search(set)).toBeLessThan(entered.indexOf('\u001b[2J'));
  expect(repeatModes(xterm, {...screenful, colors})).toMatch(set);
  expect(leaveModes(xterm, {alternateScreen: true, colors})).toMatch(reset);
  expect(enterModes(xterm, screenful) + leaveModes(xterm)).not.toMatch(/\u001b\]1[01]/);
  for (const other of [linux, serial, dumb])
    expect(enterModes(other, {...screenful, colors}) + leaveModes(other, {...screenful, colors})).not.toContain(
      '\u001b]',
    );
});
