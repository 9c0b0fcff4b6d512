import {expect, test} from 'vitest';
import {frameWriter} from '#ui/ink/frame-writer.ts';
import {Output} from '#ui/ink/output.ts';

const columns = 60;
const rows = 12;

/** Returns the text of a frame as the output stage composes it. */
function frameOf(...lines: readonly string[]): string {
  const output = new Output({width: columns, height: lines.length});
  lines.forEach((line, y) => {
    output.write(0, y, line, {transformers: []});
  });
  return output.get().output;
}

/** A writer and what it wrote for the last frame. */
function testWriter() {
  let written = '';
  const writer = frameWriter.create({columns, rows, write: (text) => (written += text)});
  const taken = () => {
    const text = written;
    written = '';
    return text;
  };
  const show = (...lines: readonly string[]) => {
    writer(frameOf(...lines));
    return taken();
  };
  return {writer, show, taken};
}

/** Returns what is written to change a row from one line to another. */
function update(before: string, after: string): string {
  const {show} = testWriter();
  show(before);
  return show(after);
}

test('frame writer: writes a new character at the end in its column only', () => {
  expect(update('> hell', '> hello')).toBe('\u001b[1;7Ho');
});

test('frame writer: two changes far apart are two runs', () => {
  const between = ' the rest of the line stays ';
  expect(update(`1${between}2`, `3${between}4`)).toBe(`\u001b[H3\u001b[${between.length}C4`);
});

test('frame writer: erases text that is gone from the end', () => {
  expect(update('> hello', '> h')).toBe('\u001b[1;4H\u001b[K');
});

test('frame writer: a run sets its styles in one sequence and ends them', () => {
  const row = (word: string) => `some text before \u001b[1;31m${word}\u001b[22;39m and some after`;
  expect(update(row('one'), row('two'))).toBe('\u001b[1;18H\u001b[1;31mtwo\u001b[m');
});

test('frame writer: between two styles only the difference is written', () => {
  const row = (word: string) => `\u001b[1;31m${word}\u001b[34m${word}\u001b[22;39m`;
  expect(update(row('one'), row('two'))).toBe('\u001b[H\u001b[1;31mtwo\u001b[34mtwo\u001b[m');
});

test('output stage: bold text stays bold where faint text ends', () => {
  expect(update('x', '\u001b[1;2ma\u001b[22m\u001b[1mb\u001b[22m')).toBe('\u001b[H\u001b[1;2ma\u001b[0;1mb\u001b[m');
});

test('frame writer: never writes half of a wide character', () => {
  expect(update('some text 会議 and more of it', 'some text ab議 and more of it')).toBe('\u001b[1;11Hab');
  expect(update('some text ab議 and more of it', 'some text 会議 and more of it')).toBe('\u001b[1;11H会');
});

test('frame writer: rewrites the rest of the row after a character of doubtful width', () => {
  expect(update('a long beginning x ok', 'a long beginning 👍🏽ok')).toBe('\u001b[1;18H\u001b[K👍🏽\u001b[1;20Hok');
});

test('frame writer: a frame that it did not compose is compared by its text', () => {
  const {writer, taken} = testWriter();
  writer('one\ntwo');
  taken();
  writer('one\nten');
  expect(taken()).toBe('\u001b[2;2Hen');
});

test('frame writer: rows that have moved are scrolled, except the first row of the screen', () => {
  const lines = Array.from({length: rows + 3}, (_, nth) => `line ${nth}: ${'text '.repeat(nth % 5)}${nth}`);
  const frame = (top: number) => ['title', ...lines.slice(top, top + rows - 2), 'status'];
  const {show} = testWriter();
  show(...frame(0));
  expect(show(...frame(1))).toBe(`\u001b[2;11r\u001b[11H\u001bD\u001b[r\u001b[11H${lines[10]}`);
  expect(show(...frame(0))).toBe(`\u001b[2;11r\u001b[2H\u001bM\u001b[r\u001b[2H${lines[0]}`);
  const {show: showWithoutTitle} = testWriter();
  showWithoutTitle(...lines.slice(0, rows));
  expect(showWithoutTitle(...lines.slice(1, rows + 1))).toMatch(/^\u001b\[2;12r/);
});

test('frame writer: rows beside which nothing has moved are scrolled if the rest is cheaper to repaint', () => {
  const words = ['tide', 'quay', 'rope', 'lantern', 'anchor', 'harbour', 'mast'];
  const message = (nth: number) => Array.from({length: 6}, (_, at) => words[(nth * (at + 2)) % words.length]).join(' ');
  const frame = (top: number) => {
    const output = new Output({width: columns, height: rows});
    for (let y = 0; y < rows; y++) {
      output.write(0, y, `${y}│`, {transformers: []});
      output.write(4, y, message(top + y), {transformers: []});
      output.write(56, y, `│${y}`, {transformers: []});
    }
    return output.get().output;
  };
  const {writer, taken} = testWriter();
  writer(frame(0));
  taken();
  writer(frame(1));
  const written = taken();
  expect(written).toContain('\u001bD');
  expect(written.length).toBeLessThan(20 * rows);
});

test('frame writer: the cursor is hidden and shown only when that changes, or during a long frame', () => {
  const {writer, show, taken} = testWriter();
  expect(show('a')).toBe('\u001b[?25l\u001b[H\u001b[Ja');
  writer.setCursorPosition({x: 1, y: 0});
  expect(show('b')).toBe('\u001b[Hb\u001b[?25h');
  writer.setCursorPosition({x: 2, y: 0});
  expect(show('bc')).toBe('\u001b[1;2Hc');
  writer.setCursorPosition({x: 0, y: 0});
  const long = Array.from({length: rows}, (_, y) => String.fromCharCode(97 + y).repeat(columns));
  const written = show(...long);
  expect([written.startsWith('\u001b[?25l'), written.endsWith('\u001b[H\u001b[?25h')]).toEqual([true, true]);
  writer(frameOf(...long));
  expect(taken()).toBe('\u001b[?25l');
});

test('frame writer: a hidden cursor moves in at most ten bytes, and is hidden once', () => {
  const {writer, show, taken} = testWriter();
  writer.setCursorPosition({x: 0, y: 1, isHidden: true});
  expect(show('a', 'b')).toBe('\u001b[?25l\u001b[H\u001b[Ja\u001b[2Hb\r');
  writer.setCursorPosition({x: 41, y: 10, isHidden: true});
  expect(show('a', 'b')).toBe('\u001b[11;42H');
  writer.setCursorPosition({x: 41, y: 10, isHidden: true});
  expect([writer(frameOf('a', 'b')), taken()]).toEqual([false, '']);
  writer.setCursorPosition({x: 41, y: 10});
  expect(show('a', 'b')).toBe('\u001b[11;42H\u001b[?25h');
});

test('frame writer: for a screen reader, the selected rows are written again and last, and changed rows whole', () => {
  const {writer, show} = testWriter();
  const select = (key: string, y: number, more = {}) =>
    writer.setCursorPosition({x: 0, y, spoken: {key, y, rows: 1, rowsAfter: 0, ...more}});
  select('one', 0);
  show('row one', 'row two', 'three');
  select('two', 1);
  expect(show('row one', 'row two', 'three')).toBe('\u001b[2H\u001b[Krow two\r');
  select('one', 0);
  expect(show('row 1', 'row two', 'row 3')).toBe('\u001b[3H\u001b[Krow 3\u001b[H\u001b[Krow 1\r');
  select('one', 0, {rowsAfter: 2});
  expect(show('row 1', 'row 2', 'row 3')).toBe('\u001b[2H\u001b[Krow 2\u001b[H');
});

test('frame writer: for a screen reader, only the changed cells of an edited text are written', () => {
  const {writer, show} = testWriter();
  const edit = (x: number) =>
    writer.setCursorPosition({x, y: 0, spoken: {key: '', y: 0, rows: 0, rowsAfter: 0, editedRow: 0}});
  edit(5);
  show('to sea', 'row');
  edit(6);
  expect(show('to seas', 'row')).toBe('\u001b[1;7Hs\u001b[1;7H');
});

test('frame writer: a frame without changes writes nothing', () => {
  const {writer, show, taken} = testWriter();
  show('a');
  expect([writer.willRender('a'), writer('a'), taken()]).toEqual([false, false, '']);
});

test('frame writer: after the screen was cleared everything is written again', () => {
  const {writer, show, taken} = testWriter();
  show('one', 'two');
  writer.clear();
  expect(taken()).toBe('\u001b[H\u001b[J');
  expect(show('one', 'two')).toBe('\u001b[H\u001b[Jone\u001b[2Htwo');
});

test('output stage: cuts a line that is wider than the screen', () => {
  expect(frameOf('x'.repeat(columns + 5))).toBe('x'.repeat(columns));
  expect(frameOf(`${'x'.repeat(columns - 1)}会`)).toBe('x'.repeat(columns - 1));
});

test('output stage: a control character is a blank', () => {
  expect(frameOf('a\tb\u0007c')).toBe('a b c');
});
