import fc from 'fast-check';
import {parseTemplate} from 'url-template';
import {expect, test} from 'vitest';
import {compileUrlTemplate} from '#content/linkifier.ts';

const parts = [
  'https://e.org/',
  '{a}',
  '{b}',
  '{+a}',
  '{#a}',
  '{?a,b}',
  '{&b}',
  '{/a}',
  '{;a}',
  '{a:2}',
  '{a*}',
  '{',
  '}',
  '%2F',
  'é',
  ' ',
  '{}',
  '{.b}',
];
const values = fc.oneof(
  fc.constantFrom('1', 'a-b_c.d~', 'a/b', '', 'é', '日本', '50%', "it's", '(x)'),
  fc.string({unit: 'grapheme-ascii', maxLength: 4}),
);

test('compileUrlTemplate: URLs equal those of the library', () => {
  const template = fc.array(fc.constantFrom(...parts), {maxLength: 6}).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(template, fc.record({a: values, b: values}, {requiredKeys: []}), (text, variables) => {
      expect(compileUrlTemplate(text)(variables)).toBe(parseTemplate(text).expand(variables));
    }),
    {numRuns: 500},
  );
});

test('compileUrlTemplate: a lone surrogate is replaced', () => {
  expect(compileUrlTemplate('https://e.org/{a}')({a: '\ud800'})).toBe('https://e.org/%EF%BF%BD');
  expect(compileUrlTemplate('https://e.org/{a:2}')({a: 'x👍y'})).toBe('https://e.org/x%EF%BF%BD');
});
