import {expect, test} from 'vitest';
import {type Spoken, writtenTexts} from '#test/support/spoken.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {twoUserFixture, usualSize} from './two-user-fixture.ts';

/** Presses a key, and returns what is written until the line of the cursor matches. */
async function spokenAfter(terminal: Terminal, key: string, line: RegExp): Promise<Spoken> {
  const start = terminal.transcript().length;
  terminal.keys(key);
  const cursorLine = ({lines, cursor}: ReturnType<Terminal['screen']>) => lines[cursor.y] ?? '';
  await terminal.waitFor((screen) => line.test(cursorLine(screen)), String(line));
  return {line: cursorLine(terminal.screen()).trim(), written: writtenTexts(terminal.transcript().slice(start))};
}

test('screen reader: rows of the inbox and messages are spoken once, with words for symbols', async () => {
  const chat = await twoUserFixture();
  const terminal = chat.open(chat.meg, {size: usualSize, env: {PARLEY_SCREEN_READER: 'on'}});
  const beginnings = ['Are you coming', 'The blue rope', 'The spring tide'];
  await terminal.waitFor(({text}) => beginnings.every((beginning) => text.includes(beginning)), 'all conversations');
  expect(terminal.cursor.visible).toBe(true);
  expect(terminal.screen().text).not.toMatch(/[─│▌•›·]/);
  const ropes = '#harbour > ropes, 1 unread, Otto: The blue rope is worn.';
  expect(await spokenAfter(terminal, 'j', /ropes/)).toEqual({line: ropes, written: [ropes]});
  const otto = 'Otto Other, 1 unread: Are you coming along?';
  expect(await spokenAfter(terminal, 'k', /Otto Other/)).toEqual({line: otto, written: [otto]});
  await spokenAfter(terminal, 'j', /ropes/);
  const opened = await spokenAfter(terminal, 'Enter', /^Otto Other, .*, new: The blue rope is worn\.$/);
  expect(opened.written.at(-1)).toBe(opened.line);
});
