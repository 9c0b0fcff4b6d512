import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {textColumns} from '#content/styled-text/text-width.ts';
import {layoutText, offsetAt, positionOf, rowText, scrolledTopRow, type TextLayout} from '#ui/text/text-layout.ts';
import {anyText, anyWidth, boundariesOf, hasDivided} from './random-text.ts';

const shown = (text: string, width: number): string[] => layoutText(text, width).rows.map(rowText);

describe('rows', () => {
  test.each([
    ['', 10, ['']],
    ['short', 10, ['short']],
    ['two words that wrap', 12, ['two words ', 'that wrap']],
    ['a\n\nb', 10, ['a', '', 'b']],
    ['ends with one\n', 20, ['ends with one', '']],
    ['abcdefghijkl', 10, ['abcdefghi', 'jkl']],
    ['not-hyphenated words', 10, ['not-', 'hyphenate', 'd words']],
    ['日本語の文章です。', 10, ['日本語の', '文章で', 'す。']],
    ['日本語のぶん。と', 11, ['日本語のぶ', 'ん。と']],
    ['    indentedword', 10, ['    inden', 'tedword']],
    ['a\tb', 20, ['a    b']],
    ['👩‍💻👩‍💻👩‍💻', 3, ['👩‍💻', '👩‍💻', '👩‍💻']],
    ['esc\u001b[31m', 20, ['esc␛[31m']],
    ['soft\u00adhyphen\u200b\u202e', 30, ['soft·hyphen··']],
    ['\u0301loose', 20, ['◌\u0301loose']],
    ['می‌خواهم\t!', 20, ['می‌خواهم    !']],
  ])('%j at %i', (text, width, expected) => {
    expect(shown(text, width)).toEqual(expected);
  });

  test('a space between two words may take the column reserved for the cursor', () => {
    expect(shown('ninechars next', 10)).toEqual(['ninechars ', 'next']);
  });

  test('a character wider than the pane is replaced, and keeps its position', () => {
    const layout = layoutText('日本', 1);
    expect(layout.rows.map(rowText)).toEqual(['·', '·', '']);
    expect(boundariesOf('日本').map((at) => positionOf(layout, at).row)).toEqual([0, 1, 2]);
  });

  test('cover the whole text', () => {
    fc.assert(
      fc.property(anyText, anyWidth, (text, width) => {
        const {rows} = layoutText(text, width);
        let at = 0;
        for (const {start, end, isWrapped} of rows) {
          expect(start).toBe(at);
          if (!isWrapped && end < text.length) expect(text[end]).toBe('\n');
          at = isWrapped ? end : end + 1;
        }
        expect(at).toBe(text.length + 1);
      }),
    );
  });

  test('are never wider than the pane, and know their width', () => {
    fc.assert(
      fc.property(anyText, anyWidth, (text, width) => {
        for (const row of layoutText(text, width).rows) {
          if (hasDivided(text)) expect(textColumns(rowText(row))).toBeLessThanOrEqual(row.columns);
          else expect(textColumns(rowText(row))).toBe(row.columns);
          expect(row.columns).toBeLessThanOrEqual(width);
          expect(rowText(row)).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });
});

describe('the cursor', () => {
  test('stands after the last character of a full line, inside the pane', () => {
    expect(positionOf(layoutText('ninechars', 10), 9)).toEqual({row: 0, column: 9});
  });

  test('moves to the next row when the row is full', () => {
    const layout = layoutText('ninechars ', 10);
    expect(positionOf(layout, 10)).toEqual({row: 1, column: 0});
  });

  test('at the end of a wrapped row stands at the start of the next', () => {
    expect(positionOf(layoutText('abcdefghijkl', 10), 9)).toEqual({row: 1, column: 0});
  });

  test('positions and offsets correspond one to one', () => {
    fc.assert(
      fc.property(anyText, anyWidth, (text, width) => {
        const layout = layoutText(text, width);
        for (const at of boundariesOf(text)) {
          const {row, column} = positionOf(layout, at);
          expect(column).toBeLessThan(width);
          expect(offsetAt(layout, row, column)).toBe(at);
        }
      }),
    );
  });

  test('any position leads to a boundary on that row', () => {
    fc.assert(
      fc.property(anyText, anyWidth, fc.nat(9), fc.nat(70), (text, width, row, column) => {
        const layout = layoutText(text, width);
        const at = offsetAt(layout, row, column);
        expect(boundariesOf(text)).toContain(at);
        const position = positionOf(layout, at);
        expect(position.row).toBe(Math.min(row, layout.rows.length - 1));
        expect(position.column).toBeLessThanOrEqual(column);
      }),
    );
  });
});

describe('incremental layout', () => {
  const plain = ({rows}: TextLayout) => rows.map(({start, end, columns}) => ({start, end, columns}));

  test('equals a new layout', () => {
    fc.assert(
      fc.property(fc.array(anyText, {minLength: 1, maxLength: 6}), anyWidth, (texts, width) => {
        let layout: TextLayout | undefined;
        for (const text of texts) {
          layout = layoutText(text, width, layout);
          expect(plain(layout)).toEqual(plain(layoutText(text, width)));
        }
      }),
    );
  });

  test('reuses unchanged lines', () => {
    const before = layoutText('one\ntwo\nthree', 20);
    const after = layoutText('one\ntw\no\nthree', 20, before);
    expect(after.lines[0]).toBe(before.lines[0]);
    expect(after.lines[3]).toBe(before.lines[2]);
    expect(layoutText('one\ntwo\nthree', 20, before)).toBe(before);
    expect(layoutText('one', 21, before).lines[0]).not.toBe(before.lines[0]);
  });
});

describe('scrolling', () => {
  const layout = layoutText('1\n2\n3\n4\n5\n6', 10);
  test.each([
    ['stays while the cursor is visible', 3, 3, 1, 1],
    ['scrolls down as far as needed', 5, 3, 0, 3],
    ['scrolls up as far as needed', 0, 3, 2, 0],
    ['leaves no empty rows below the text', 5, 4, 5, 2],
    ['starts at the first row when all fit', 2, 9, 3, 0],
  ])('%s', (_name, cursorRow, height, top, expected) => {
    expect(scrolledTopRow(layout, cursorRow, height, top)).toBe(expected);
  });
});
