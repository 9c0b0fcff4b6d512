import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {Span} from '#content/styled-text/line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {fewOrAll} from '#test/support/tier.ts';

function lines(text: string, width: number, more: Parameters<typeof wrapSpans>[1] = {width}): string[] {
  return wrapSpans([{text, role: 'text'}], {...more, width}).map(lineToText);
}

describe('where lines break', () => {
  test.each([
    ['between words', 'one two three', 8, ['one two', 'three']],
    ['spaces at the end go', 'one      two', 5, ['one', 'two']],
    ['spaces inside stay', 'a  b', 9, ['a  b']],
    ['after a hyphen', 'well-known facts', 9, ['well-', 'known', 'facts']],
    ['not after the dash of an option', 'use --dry-run now', 8, ['use', '--dry-', 'run now']],
    ['a long word anywhere', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['an address after a slash', 'https://example.com/some/path', 24, ['https://example.com/', 'some/path']],
    ['between ideographs', '日本語テスト', 5, ['日本', '語テ', 'スト']],
    ['not before a full stop', '日本語。', 6, ['日本', '語。']],
    ['not after an opening bracket', '日本「語」', 6, ['日本', '「語」']],
    ['never inside a cluster', '👩‍💻👩‍💻👩‍💻', 3, ['👩‍💻', '👩‍💻', '👩‍💻']],
    ['never between letter and mark', 'e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['not at a no-break space', 'a b\u00a0c d', 4, ['a', 'b\u00a0c', 'd']],
    ['one column has no room for two', '日a', 1, ['·', 'a']],
    ['nothing is one empty line', '', 5, ['']],
    ['spaces only are one too', '       ', 5, ['']],
  ])('%s', (_, text, width, expected) => {
    expect(lines(text, width)).toEqual(expected);
  });
});

test('wrap: a wrapped link has the same index on each line', () => {
  const url = 'https://example.com/a/very/long/path';
  const spans: Span[] = [
    {text: 'see ', role: 'text'},
    {text: url, role: 'link', link: 0},
    {text: ' [1]', role: 'link_number', link: 0},
  ];
  const wrapped = wrapSpans(spans, {width: 14});
  expect(wrapped.map(lineToText)).toEqual(['see', 'https://', 'example.com/a/', 'very/long/', 'path [1]']);
  expect(wrapped.slice(1).every(({spans: [first]}) => first?.link === 0)).toBe(true);
});

test('wrap: lines get their prefixes as long as there is room for text', () => {
  const prefixes = {
    width: 0,
    first: [{text: '* ', role: 'bullet'}],
    rest: [{text: '  ', role: 'bullet'}],
  } as const;
  expect(lines('one two three', 10, prefixes)).toEqual(['* one two', '  three']);
  expect(lines('one two', 9, prefixes)).toEqual(['one two']);
});

test('wrap: verbatim text keeps its spaces and breaks anywhere', () => {
  const code: Span[] = [{text: '  if (x)  return', role: 'code_block'}];
  expect(wrapSpans(code, {width: 6, verbatim: true}).map(lineToText)).toEqual(['  if (', 'x)  re', 'turn']);
});

test('wrap: no character is lost at any width', () => {
  const word = fc.constantFrom(
    'a',
    'word',
    'hyphen-ated',
    'http://a.b/c?d=e',
    '日本語',
    '「引」',
    '👩‍💻',
    'e\u0301',
    ' ',
    '  ',
    'नि',
  );
  fc.assert(
    fc.property(fc.array(word), fc.integer({min: 4, max: 40}), (words, width) => {
      const text = sanitizeText(words.join(''));
      expect(lines(text, width).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
    {seed: 1, numRuns: fewOrAll(125, 500)},
  );
});

test('wrap: no word would have fitted on the line before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'bcd', 'efghij', 'klmnopq'), {minLength: 1}),
      fc.integer({min: 7, max: 40}),
      (words, width) => {
        const wrapped = lines(words.join(' '), width);
        for (const [i, line] of wrapped.entries()) {
          const next = wrapped[i + 1]?.split(' ')[0];
          if (next !== undefined) expect(line.length + 1 + next.length).toBeGreaterThan(width);
        }
      },
    ),
    {seed: 1},
  );
});
