import {expect, test} from 'vitest';
import {foldedMoves} from '#ui/ink/folded-moves.ts';
import {lineUpdate} from '#ui/ink/line-update.ts';
import {Output} from '#ui/ink/output.ts';

const columns = 60;

/** Returns the text of a row as the output stage composes it. */
function rowOf(line: string): string {
  const output = new Output({width: columns, height: 1});
  output.write(0, 0, line, {transformers: []});
  return output.get().output;
}

/** Returns what is written to change a row from one line to another. */
function update(before: string, after: string): string {
  return lineUpdate(rowOf(before), rowOf(after), columns);
}

test('lineUpdate: writes a new character at the end in its column only', () => {
  expect(update('> hell', '> hello')).toBe('\u001b[7Go');
});

test('lineUpdate: two changes far apart are two runs', () => {
  const between = ' the rest of the line stays ';
  expect(update(`1${between}2`, `3${between}4`)).toBe(`\r3\u001b[${between.length + 2}G4`);
});

test('lineUpdate: erases text that is gone from the end', () => {
  expect(update('> hello', '> h')).toBe('\u001b[4G\u001b[K');
});

test('lineUpdate: a run sets its styles and ends them', () => {
  const row = (word: string) => `some text before \u001b[1;31m${word}\u001b[22;39m and some after`;
  expect(update(row('one'), row('two'))).toBe('\u001b[18G\u001b[1m\u001b[31mtwo\u001b[39m\u001b[22m');
});

test('output stage: bold text stays bold where faint text ends', () => {
  expect(rowOf('\u001b[1;2ma\u001b[22m\u001b[1mb\u001b[22m')).toBe('\u001b[1m\u001b[2ma\u001b[22m\u001b[1mb\u001b[22m');
});

test('lineUpdate: never writes half of a wide character', () => {
  expect(update('some text 会議 and more of it', 'some text ab議 and more of it')).toBe('\u001b[11Gab');
  expect(update('some text ab議 and more of it', 'some text 会議 and more of it')).toBe('\u001b[11G会');
});

test('lineUpdate: rewrites the rest of the row after a character of doubtful width', () => {
  expect(update('a long beginning x ok', 'a long beginning 👍🏽ok')).toBe('\u001b[18G\u001b[K👍🏽\u001b[20Gok');
});

test('lineUpdate: writes the whole row when it is not cached', () => {
  expect(lineUpdate('not cached', 'also not cached', columns)).toBe('\r\u001b[Kalso not cached');
});

test('foldedMoves: several moves to the next line become one', () => {
  expect(foldedMoves('\u001b[E\u001b[E\u001b[Ea\u001b[Eb')).toBe('\u001b[3Ea\u001b[Eb');
});

test('output stage: cuts a line that is wider than the screen', () => {
  expect(rowOf('x'.repeat(columns + 5))).toBe('x'.repeat(columns));
  expect(rowOf(`${'x'.repeat(columns - 1)}会`)).toBe('x'.repeat(columns - 1));
});
