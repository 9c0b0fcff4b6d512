import xterm, {type IUnicodeHandling, type Terminal} from '@xterm/headless';
import {eastAsianWidth} from 'get-east-asian-width';
import {expect, test} from 'vitest';
import {modernTerminal, writeToTerminal} from '#test/support/terminal/modern-terminal.ts';
import {frameWriter} from '#ui/ink/frame-writer.ts';
import {Output} from '#ui/ink/output.ts';

const columns = 60;
const [left, right] = [2, 50];

/** A terminal that measures every code point separately, like tmux before 3.5 and the Linux console. */
function pointwiseTerminal(): Terminal {
  const terminal = new xterm.Terminal({cols: columns, rows: 1, allowProposedApi: true, scrollback: 0});
  const unicode: IUnicodeHandling = terminal.unicode;
  const wcwidth = (point: number): 0 | 1 | 2 =>
    /[\p{Mn}\p{Me}\u200b-\u200f]/u.test(String.fromCodePoint(point)) ? 0 : eastAsianWidth(point);
  unicode.register({
    version: 'points',
    wcwidth,
    charProperties: (point, before) =>
      wcwidth(point) === 0 && before !== 0 ? (before & ~1) | 1 : (wcwidth(point) << 1) | 8,
  });
  unicode.activeVersion = 'points';
  return terminal;
}

/** The emulator with its default widths of 2010: emoji take one column. */
function oldTerminal(): Terminal {
  return new xterm.Terminal({cols: columns, rows: 1, allowProposedApi: true, scrollback: 0});
}

const terminals = {modern: () => modernTerminal(columns, 1), pointwise: pointwiseTerminal, old: oldTerminal};

/** Returns the row of a pane between the edges of its neighbours. */
function rowOf(line: string): string {
  const output = new Output({width: columns, height: 1});
  output.write(0, 0, '│', {transformers: []});
  output.write(left, 0, line, {transformers: []});
  output.write(right, 0, '│ beside', {transformers: []});
  return output.get().output;
}

/** Writes rows to a terminal, one after the other. */
async function show(terminal: Terminal, ...rows: readonly string[]): Promise<void> {
  let written = '';
  const writer = frameWriter.create({columns, rows: 1, write: (text) => (written += text)});
  for (const row of rows) writer(row);
  await writeToTerminal(terminal, written);
}

/** Returns the characters by column. */
function cellsOf(terminal: Terminal): readonly string[] {
  const line = terminal.buffer.active.getLine(0);
  return Array.from({length: columns}, (_, x) => line?.getCell(x)?.getChars() ?? '');
}

const lines = [
  'flags 🇩🇪🇫🇷🇯🇵 and words',
  'skin 👍🏽👋🏿🤝🏻 tones',
  'family 👨‍👩‍👧‍👦 coder 👩🏽‍💻 rainbow 🏳️‍🌈 end',
  'signs ⚠️ ❤️ 1️⃣ #️⃣ 🌡️ end',
  'नमस्ते क्षि กำ ที่ z̸̢͓ 한국어 漢字',
];

test.each(Object.keys(terminals) as (keyof typeof terminals)[])(
  'doubtful widths: a character that a terminal measures differently moves no other character: %s',
  async (kind) => {
    for (const before of ['', ...lines]) {
      for (const after of lines) {
        const terminal = terminals[kind]();
        await show(terminal, rowOf(before), rowOf(after));
        const cells = cellsOf(terminal);
        expect([cells[0], cells[right]], `${before} → ${after}`).toEqual(['│', '│']);
        expect(cells.slice(right).join('')).toBe('│ beside');
        const [word = ''] = after.split(' ');
        if (/^\w+$/.test(word)) expect(cells.slice(left).join('')).toMatch(new RegExp(`^${word} `));
      }
    }
  },
);

test.each(['modern', 'pointwise'] as const)(
  'doubtful widths: no letter is painted over by the next: %s',
  async (kind) => {
    const terminal = terminals[kind]();
    await show(terminal, rowOf('नमस्ते กำ end'));
    const text = cellsOf(terminal).join('');
    for (const letters of ['नमस्', 'ते', 'ก', 'ำ', 'end']) expect(text).toContain(letters);
  },
);

test('doubtful widths: columns painted too much at the end of a row are erased', async () => {
  const terminal = pointwiseTerminal();
  const output = new Output({width: columns, height: 1});
  output.write(0, 0, 'ok 👍🏽', {transformers: []});
  await show(terminal, output.get().output);
  expect(cellsOf(terminal).join('').trimEnd()).toBe('ok 👍');
});

test('doubtful widths: an emoji in the last columns of the screen stays whole', async () => {
  const terminal = modernTerminal(columns, 1);
  const output = new Output({width: columns, height: 1});
  output.write(columns - 2, 0, '👍🏽', {transformers: []});
  await show(terminal, output.get().output);
  expect(cellsOf(terminal)[columns - 2]).toBe('👍🏽');
});
