import fc from 'fast-check';
import {expect, test} from 'vitest';
import {textColumns} from '#content/styled-text/text-width.ts';
import {lineWindow} from '#ui/text/text-layout.ts';
import {anyText, anyWidth, boundariesOf, hasDivided} from './random-text.ts';

test('line window: a text that fits is shown completely', () => {
  expect(lineWindow('filter', 6, 10)).toMatchObject({shown: 'filter', column: 6, left: 0});
});

test('line window: a longer text follows the cursor and scrolls no further than needed', () => {
  const text = 'a rather long name';
  expect(lineWindow(text, 18, 8)).toMatchObject({shown: 'ng name', column: 7, left: 11});
  expect(lineWindow(text, 14, 8, 11)).toMatchObject({shown: 'ng name', column: 3, left: 11});
  expect(lineWindow(text, 9, 8, 11)).toMatchObject({shown: 'long nam', column: 0, left: 9});
  expect(lineWindow(text, 0, 8, 9)).toMatchObject({shown: 'a rather', column: 0, left: 0});
});

test('line window: after the text became shorter, no room stays empty', () => {
  expect(lineWindow('short', 5, 8, 3)).toMatchObject({shown: 'short', column: 5, left: 0});
});

test('line window: wide characters are never split', () => {
  expect(lineWindow('日本語', 3, 4)).toMatchObject({shown: '語', column: 2, left: 2});
});

test('line window: for any text, it fits and contains the cursor', () => {
  fc.assert(
    fc.property(anyText, anyWidth, fc.nat(30), (text, width, left) => {
      const line = text.replaceAll('\n', ' ');
      for (const cursor of boundariesOf(line)) {
        const window = lineWindow(line, cursor, width, left);
        expect(window.column).toBeLessThan(width);
        expect(textColumns(window.shown)).toBeLessThanOrEqual(width);
        if (!hasDivided(line)) expect(textColumns(window.shown)).toBeGreaterThanOrEqual(window.column);
      }
    }),
  );
});
