import fc from 'fast-check';
import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import {reorderedLine} from '#content/styled-text/bidi.ts';
import {emptyField, insert, moveBeside, moveEnd, moveHome, type TextField} from '#ui/text/text-field.ts';
import {layoutText, lineWindow, offsetAt, positionOf, rowSpan} from '#ui/text/text-layout.ts';

const width = 21;
const layoutOf = ({text}: TextField) => layoutText(text, width, undefined, 'reorder');
const typed = (text: string) => insert(emptyField, text);
/** The painted rows, with a bar where the cursor stands. */
function shown(field: TextField): readonly string[] {
  const layout = layoutOf(field);
  const {row, column} = positionOf(layout, field.cursor);
  return layout.rows.map((textRow, at) => {
    const text = lineToText(reorderedLine({spans: [{...rowSpan(textRow), role: 'text'}], width: 0}));
    return at === row ? `${text.padEnd(column).slice(0, column)}|${text.slice(column)}` : text;
  });
}
const press = (field: TextField, step: 1 | -1, times: number) => {
  let moved = field;
  for (let time = 0; time < times; time++) moved = moveBeside(moved, step, 'reorder', layoutOf(moved));
  return moved;
};

test('the cursor stands where the next letter is added: left of Hebrew, right of Latin', () => {
  expect(shown(typed('שלום'))).toEqual([`${' '.repeat(16)}|םולש`]);
  expect(shown(typed('abc שלום'))).toEqual(['abc |םולש']);
  expect(shown(typed('abc שלום ד'))).toEqual(['abc |ד םולש']);
  expect(shown(typed('שלום abc'))).toEqual([`${' '.repeat(12)}abc| םולש`]);
});

test('Home and End go to the ends of the text, whatever its direction', () => {
  expect(shown(moveHome(typed('שלום')))).toEqual([`${' '.repeat(16)}םולש|`]);
  expect(shown(moveEnd(moveHome(typed('שלום'))))).toEqual([`${' '.repeat(16)}|םולש`]);
});

test('Left and Right move on the screen, not in the text', () => {
  const start = moveHome(typed('ab שלום cd'));
  expect(shown(press(start, 1, 3))).toEqual(['ab |םולש cd']);
  expect(shown(press(start, 1, 4))).toEqual(['ab ם|ולש cd']);
  expect(shown(press(start, 1, 7))).toEqual(['ab םולש |cd']);
  expect(shown(press(press(start, 1, 7), -1, 2))).toEqual(['ab םו|לש cd']);
  expect(shown(press(typed('שלום'), 1, 1))).toEqual([`${' '.repeat(16)}ם|ולש`]);
});

test('at the edge of a row the cursor goes on to the row before or after it', () => {
  const [first, second] = ['שלום', 'ab'];
  const field = typed(`${first}\n${second}`);
  expect(press(moveHome(field), -1, 1).cursor).toBe(first.length);
  expect(press({...field, cursor: first.length}, -1, 1).cursor).toBe(first.length + 1);
  expect(press({...field, cursor: 0}, 1, 1).cursor).toBe(0);
});

test('a column leads back to its place, and a key moves to its own side', () => {
  const letters = fc.constantFrom('a', 'B', '7', ' ', '(', 'א', 'ם', 'ش', '漢', '.');
  fc.assert(
    fc.property(fc.array(letters, {minLength: 1, maxLength: 30}), fc.integer({min: 0, max: 30}), (cells, at) => {
      const field = typed(cells.join(''));
      const layout = layoutOf(field);
      const cursor = Math.min(at, field.text.length);
      const {row, column} = positionOf(layout, cursor);
      expect(positionOf(layout, offsetAt(layout, row, column))).toEqual({row, column});
      expect(column).toBeLessThanOrEqual(width);
      for (const step of [1, -1] as const) {
        const beside = press({...field, cursor}, step, 1);
        const next = positionOf(layout, beside.cursor);
        if (next.row === row && beside.cursor !== cursor) expect(Math.sign(next.column - column)).toBe(step);
      }
    }),
  );
});

test('a line input shows its cursor in the ordered text, and stays at the left', () => {
  expect(lineWindow('שלום', 4, 20, 0, 'reorder')).toMatchObject({shown: 'שלום', column: 0});
  expect(lineWindow('שלום', 0, 20, 0, 'reorder')).toMatchObject({shown: 'שלום', column: 4});
  expect(lineWindow('ab שלום', 7, 20, 0, 'reorder').column).toBe(3);
  expect(lineWindow('שלום', 4, 20, 0, 'terminal').column).toBe(4);
});
