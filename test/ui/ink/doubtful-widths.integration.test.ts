import xterm, {type Terminal} from '@xterm/headless';
import {expect, onTestFinished, test} from 'vitest';
import {setClusterWidths, textColumns} from '#content/styled-text/text-width.ts';
import {capabilitiesAfter, initialCapabilities} from '#terminal/capabilities.ts';
import {probeSequence} from '#terminal/probe.ts';
import {modernTerminal, writeToTerminal} from '#test/support/terminal/modern-terminal.ts';
import {xterm as xtermEnvironment} from '#test/terminal/environments.ts';
import {frameWriter} from '#ui/ink/frame-writer.ts';
import {Output} from '#ui/ink/output.ts';
import {pointwiseTerminal} from './pointwise-terminal.ts';

const columns = 60;
const [left, right] = [2, 50];

/** The emulator with its default widths of 2010: emoji take one column. */
function oldTerminal(): Terminal {
  return new xterm.Terminal({cols: columns, rows: 1, allowProposedApi: true, scrollback: 0});
}

const terminals = {
  modern: () => modernTerminal(columns, 1),
  pointwise: () => pointwiseTerminal(columns, 1),
  old: oldTerminal,
};

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
  const terminal = pointwiseTerminal(columns, 1);
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

test.each(['👍🏽', '👩🏽‍💻', '👨‍👩‍👧‍👦', '🇩🇪'])(
  'doubtful widths: %s at the end of a row does not continue on the next row, nor scroll the screen',
  async (emoji) => {
    for (const x of [columns - 2, columns - 3, columns - 5]) {
      const terminal = pointwiseTerminal(columns, 2);
      const output = new Output({width: columns, height: 2});
      for (const y of [0, 1]) {
        output.write(8, y, `row ${y}`, {transformers: []});
        output.write(x, y, emoji, {transformers: []});
      }
      let written = '';
      frameWriter.create({columns, rows: 2, write: (text) => (written += text)})(output.get().output);
      await writeToTerminal(terminal, written);
      const rows = [0, 1].map((y) => terminal.buffer.active.getLine(y)?.translateToString() ?? '');
      expect(rows.map((row) => row.slice(0, 13))).toEqual(['        row 0', '        row 1']);
    }
  },
);

/** Returns what a terminal's replies to the queries say about widths. */
async function measuredWidths(terminal: Terminal) {
  let replies = '';
  terminal.onData((data) => (replies += data));
  await writeToTerminal(terminal, probeSequence(xtermEnvironment));
  const cursors = [...replies.matchAll(/\u001b\[(\d+);(\d+)R/g)].map(([, row, column]) => ({
    type: 'cursor' as const,
    row: Number(row),
    column: Number(column),
  }));
  return [...cursors, {type: 'attributes' as const, codes: [1]}].reduce(
    (known, reply) => capabilitiesAfter(known, {kind: 'reply', reply}, xtermEnvironment),
    initialCapabilities(xtermEnvironment),
  ).clusterWidths;
}

test('doubtful widths: in a terminal that was measured, the next character stands beside the one before', async () => {
  onTestFinished(() => setClusterWidths({}));
  for (const make of [() => modernTerminal(columns, 12), () => pointwiseTerminal(columns, 12)]) {
    const widths = await measuredWidths(make());
    setClusterWidths(widths);
    for (const cluster of ['👍🏿', '👨‍👩‍👧', '❤️', '\u1100\u1161\u11a8', 'กำ']) {
      const terminal = make();
      await writeToTerminal(terminal, cluster);
      expect([cluster, textColumns(cluster)]).toEqual([cluster, terminal.buffer.active.cursorX]);
      terminal.dispose();
    }
  }
});
