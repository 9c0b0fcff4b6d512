import fc from 'fast-check';
import {expect, test} from 'vitest';
import {printable, printableJson, printableLine, printableStyled} from '#std/printable.ts';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('printable: control characters are removed, line ends and tabs stay', () => {
  expect(printable('a\u001b[31mred\u0007\u009b2Jb')).toBe('a[31mred2Jb');
  expect(printable('one\r\ntwo\rthree\u2028four\tfive')).toBe('one\ntwo\nthree\nfour\tfive');
  expect(printable('abc\u202etxt.exe\u2066x\u2069\u200f')).toBe('abctxt.exex');
  expect(printable('Ünï 森 👩‍🚀 \ud800')).toBe('Ünï 森 👩‍🚀 \ufffd');
  expect(printableLine('  two\n\nlines\t here ')).toBe('two lines here');
});

test('printableStyled: colors and emphasis stay, other sequences are removed', () => {
  expect(printableStyled('\u001b[1mMeg\u001b[0m \u001b[38;5;4mx\u001b[2J\u001b]0;t\u0007')).toBe(
    '\u001b[1mMeg\u001b[0m \u001b[38;5;4mx[2J]0;t',
  );
});

const anyText = fc.string({unit: 'binary'});

test('printable: no control characters remain in any text, and ASCII text is unchanged', () => {
  fc.assert(fc.property(anyText, (text) => !controls.test(printable(text))));
  fc.assert(fc.property(fc.string({unit: 'grapheme-ascii'}), (text) => printable(text) === text));
});

test('printableJson: the output parses to the same value and has no control characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const json = printableJson({text});
      return !controls.test(json) && JSON.parse(json).text === text;
    }),
  );
  expect(printableJson({a: [1]}, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
});
