import {expect, test} from 'vitest';
import {foldedMoves} from '#ui/ink/folded-moves.ts';
import {lineUpdate} from '#ui/ink/line-update.ts';
import {Output} from '#ui/ink/output.ts';

const columns = 60;

/** The row as the output stage makes it. */
function rowOf(line: string): string {
  const output = new Output({width: columns, height: 1});
  output.write(0, 0, line, {transformers: []});
  return output.get().output;
}

/** What is written when a row that shows one line is to show the other. */
function update(before: string, after: string): string {
  return lineUpdate(rowOf(before), rowOf(after), columns);
}

test('a character at the end is written where it belongs', () => {
  expect(update('> hell', '> hello')).toBe('\u001b[7Go');
});

test('two changes far apart are two runs', () => {
  const between = ' the rest of the line stays ';
  expect(update(`1${between}2`, `3${between}4`)).toBe(`\r3\u001b[${between.length + 2}G4`);
});

test('what is gone from the end is erased', () => {
  expect(update('> hello', '> h')).toBe('\u001b[4G\u001b[K');
});

test('a run has its own styles and ends them', () => {
  const row = (word: string) => `some text before \u001b[1;31m${word}\u001b[22;39m and some after`;
  expect(update(row('one'), row('two'))).toBe('\u001b[18G\u001b[1m\u001b[31mtwo\u001b[39m\u001b[22m');
});

test('where faint text ends, bold text goes on', () => {
  expect(rowOf('\u001b[1;2ma\u001b[22m\u001b[1mb\u001b[22m')).toBe(
    '\u001b[1m\u001b[2ma\u001b[22m\u001b[1mb\u001b[22m',
  );
});

test('a wide character is never written by half', () => {
  expect(update('some text 会議 and more of it', 'some text ab議 and more of it')).toBe('\u001b[11Gab');
  expect(update('some text ab議 and more of it', 'some text 会議 and more of it')).toBe('\u001b[11G会');
});

test('behind a character of doubtful width the rest of the row is written afresh', () => {
  expect(update('a long beginning x ok', 'a long beginning 👍🏽ok')).toBe(
    '\u001b[18G\u001b[K👍🏽\u001b[20Gok',
  );
});

test('a row nobody knows is written whole', () => {
  expect(lineUpdate('unknown to all', 'as is this', columns)).toBe('\r\u001b[Kas is this');
});

test('steps from row to row become one', () => {
  expect(foldedMoves('\u001b[E\u001b[E\u001b[Ea\u001b[Eb')).toBe('\u001b[3Ea\u001b[Eb');
});

test('a line that is too wide ends at the edge of the screen', () => {
  expect(rowOf('x'.repeat(columns + 5))).toBe('x'.repeat(columns));
  expect(rowOf(`${'x'.repeat(columns - 1)}会`)).toBe('x'.repeat(columns - 1));
});
