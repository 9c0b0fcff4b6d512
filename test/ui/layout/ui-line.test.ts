import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {anyText} from '#test/support/any-text.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {
  blankLine,
  columnsLine,
  fitText,
  fittedLine,
  type LineColumn,
  leftRightLine,
  paddedLine,
  rule,
  type UiLine,
  type UiSpan,
} from '#ui/layout/ui-line.ts';

const part = (text: string, role: UiSpan['role'] = 'text'): UiSpan => ({text, role});

describe('fitText', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long for it', 8, 'too lon…'],
    ['too long', 5, 'too…'],
    ['日本語', 4, '日…'],
    ['👩‍💻👩‍💻', 3, '👩‍💻…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['x', 1, 'x'],
    ['xy', 1, '…'],
    ['xy', 0, ''],
    ['xy', -3, ''],
    ['a\u001b[31m\u202eb\nc', 10, 'a[31mb c'],
  ])('%j in %i columns is %j', (text, width, shown) => {
    expect(fitText(text, width)).toBe(shown);
  });

  test('uses the given ellipsis', () => {
    expect([fitText('too long', 5, '~'), fitText('too long', 5, '...'), fitText('too', 2, '...')]).toEqual([
      'too~',
      'to...',
      'to',
    ]);
  });
});

describe('fittedLine', () => {
  test('joins parts and puts the ellipsis where it truncates', () => {
    const parts = [part('#ops', 'channel'), part(' › '), part('pager', 'topic')];
    expect(fittedLine(parts, 12)).toEqual({spans: parts, width: 12});
    expect(fittedLine(parts, 10)).toEqual({spans: [...parts.slice(0, 2), part('pa…', 'topic')], width: 10});
    expect(lineToText(fittedLine(parts, 7))).toBe('#ops ›…');
    expect(lineToText(fittedLine(parts, 4))).toBe('#op…');
    expect(fittedLine(parts, 0)).toEqual(blankLine);
  });

  test('drops parts without visible text', () => {
    expect(fittedLine([part(''), part('\u200b'), part('a')], 5).spans).toEqual([part('a')]);
  });
});

describe('leftRightLine', () => {
  test('aligns the right part, and truncates the left one first', () => {
    const [left, right] = [[part('#backend › deploy freeze')], [part('09:41', 'time_stamp')]];
    expect(lineToText(leftRightLine(left, right, 34))).toBe('#backend › deploy freeze     09:41');
    expect(lineToText(leftRightLine(left, right, 24))).toBe('#backend › deploy… 09:41');
    expect(lineToText(leftRightLine(left, right, 12))).toBe('#backen… 09…');
    expect(lineToText(leftRightLine(left, right, 9))).toBe('#backend…');
    expect(lineToText(leftRightLine([], right, 8))).toBe('   09:41');
    expect(lineToText(leftRightLine(left, [], 9))).toBe('#backend…');
  });
});

describe('columnsLine', () => {
  const cells = (name: string, count: string): LineColumn[] => [
    {...part('▌', 'cursor_bar'), width: 1},
    {...part(name), width: 'rest'},
    {...part(count, 'unread_count'), width: 3, align: 'right'},
  ];
  test('gives the remaining width to the rest cell', () => {
    expect(lineToText(columnsLine(cells('general', '12'), 16))).toBe('▌ general     12');
    expect(lineToText(columnsLine(cells('a longer name', '7'), 16))).toBe('▌ a longer…    7');
    expect(lineToText(columnsLine(cells('general', ''), 16))).toBe('▌ general');
    expect(lineToText(columnsLine(cells('general', '12'), 4))).toBe('▌ 12');
  });

  test('several rest cells share the remaining width', () => {
    const shared: LineColumn[] = ['aaa', 'bbb', 'ccc'].map((text) => ({...part(text), width: 'rest'}));
    expect(lineToText(columnsLine(shared, 10))).toBe('aaa bbb c…');
    expect(lineToText(columnsLine(shared, 13, {gap: 2}))).toBe('aaa  bbb  ccc');
    expect(lineToText(columnsLine([{...part('x'), width: 5, align: 'center'}], 5))).toBe('  x');
  });
});

describe('rule', () => {
  test('fills the width, with an optional label', () => {
    const label = [part('4 unread', 'unread_separator')];
    expect(lineToText(rule(5))).toBe('─────');
    expect(lineToText(rule(20, {label}))).toBe('── 4 unread ────────');
    expect(lineToText(rule(12, {label, glyph: '-'}))).toBe('-- 4 unread');
    expect(lineToText(rule(10, {label}))).toBe('── 4 unr…');
    expect(lineToText(rule(4, {label}))).toBe('────');
    expect(rule(0, {label})).toBe(blankLine);
  });
});

test('paddedLine: padding has the given role', () => {
  expect(paddedLine(fittedLine([part('a')], 3), 3, 'menu_selected')).toEqual({
    spans: [part('a'), part('  ', 'menu_selected')],
    width: 3,
  });
  const line = fittedLine([part('abc')], 3);
  expect(paddedLine(line, 2)).toBe(line);
});

describe('ui lines with any text', () => {
  const text = fc.oneof(
    fc.string({unit: 'grapheme'}),
    anyText(),
    fc.constantFrom('\u001b]0;x\u0007', '日本', '👩‍👩‍👧', '\u0301', '\u202eab', 'a\tb\n', ''),
  );
  const span = text.map((value) => part(value));
  const spans = fc.array(span, {maxLength: 4});
  const width = fc.oneof(fc.integer({min: -2, max: 12}), fc.integer({min: 1, max: 300}));
  const cell = fc.record({
    text,
    role: fc.constant('text' as const),
    width: fc.oneof(fc.constant('rest' as const), fc.integer({min: 0, max: 40})),
    align: fc.constantFrom('left' as const, 'right' as const, 'center' as const),
  });
  const line = fc.oneof(
    fc.tuple(spans, width).map(([parts, wide]) => [fittedLine(parts, wide), wide] as const),
    fc.tuple(spans, spans, width).map(([left, right, wide]) => [leftRightLine(left, right, wide), wide] as const),
    fc
      .tuple(fc.array(cell, {maxLength: 5}), fc.nat(3), width)
      .map(([cells, gap, wide]) => [columnsLine(cells, wide, {gap}), wide] as const),
    fc.tuple(spans, width).map(([label, wide]) => [rule(wide, {label}), wide] as const),
  );

  test('are never too wide, know their width, and contain no control characters', () => {
    const check = ({spans: parts, width: own}: UiLine, wide: number) => {
      expect(own).toBeLessThanOrEqual(Math.max(0, wide));
      expect(own).toBe(parts.reduce((total, {text: shown}) => total + textColumns(shown), 0));
      for (const {text: shown} of parts) {
        expect(shown).not.toBe('');
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
      }
    };
    fc.assert(
      fc.property(line, ([built, wide]) => {
        check(built, wide);
        if (wide > 0) expect(paddedLine(built, wide).width).toBe(wide);
      }),
      {numRuns: fewOrAll(250, 1000), seed: 1},
    );
  });
});
