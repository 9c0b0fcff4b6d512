import fc from 'fast-check';
import {expect, test} from 'vitest';
import {printable, printableJson, printableLine, printableStyled} from '#std/printable.ts';
import {sequenceText} from '#terminal/control-sequences.ts';
import {anyText} from '#test/support/any-text.ts';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('printable: control characters are removed, line ends and tabs stay', () => {
  expect(printable('a\u001b[31mred\u0007\u009b2Jb')).toBe('a[31mred2Jb');
  expect(printable('one\r\ntwo\rthree\u2028four\tfive')).toBe('one\ntwo\nthree\nfour\tfive');
  expect(printable('abc\u202etxt.exe\u2066x\u2069\u200f')).toBe('abctxt.exex');
  expect(printable('Ünï 森 👩‍🚀 \ud800')).toBe('Ünï 森 👩‍🚀 \ufffd');
  expect(printableLine('  two\n\nlines\t here ')).toBe('two lines here');
});

/** Tag characters, variation selectors, the soft hyphen, zero-width characters and fillers; and a stack of 500 marks. */
const hidden = '\u{e0001}\u{e0041}\u{e0100}\u{e01ef}\u00ad\u200b\ufeff\u2060\u034f\u3164\uffa0\u115f\u180e\ufff9';
const stack = '\u0301'.repeat(500);

test('printable: invisible characters and long stacks of combining marks are removed', () => {
  expect(printable(`Meg${hidden} Moon`)).toBe('Meg Moon');
  expect(printableLine(`a${stack}b\u200d\ufe0f`)).toBe(`a${'\u0301'.repeat(10)}b`);
  expect(printableStyled(`\u001b[1mMeg${hidden}\u001b[0m`)).toBe('\u001b[1mMeg\u001b[0m');
  expect(sequenceText(`Meg${hidden}${stack}`, 200)).toBe(`Meg${'\u0301'.repeat(10)}`);
});

test('printable: emoji sequences, flags, joined words and marks that a script needs stay', () => {
  const kept = ['👩‍🚀', '👩🏽‍❤️‍💋‍👨🏿', '🏳️‍🌈', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🇩🇪', '❤️', '☎︎', '1️⃣', 'می‌خواهم', 'क्‍ष', 'ක්‍ෂ', 'ệ', 'שָׁלוֹם', 'กำลัง'];
  for (const text of kept) expect(printable(text)).toBe(text);
  expect(JSON.parse(printableJson(kept))).toEqual(kept);
  expect(printableJson('👩‍🚀 می‌خواهم')).toBe('"👩‍🚀 می‌خواهم"');
});

test('printableJson: invisible characters and surplus marks are escaped', () => {
  const json = printableJson(`Meg${hidden}${stack}`);
  expect(json).toMatch(/^"Meg(?:\\u[0-9a-f]{4})+\u0301{10}(?:\\u0301){490}"$/);
  expect(JSON.parse(json)).toBe(`Meg${hidden}${stack}`);
});

test('printableStyled: colors and emphasis stay, other sequences are removed', () => {
  expect(printableStyled('\u001b[1mMeg\u001b[0m \u001b[38;5;4mx\u001b[2J\u001b]0;t\u0007')).toBe(
    '\u001b[1mMeg\u001b[0m \u001b[38;5;4mx[2J]0;t',
  );
});

const text = anyText();

test('printable: no control characters remain in any text, and ASCII text is unchanged', () => {
  fc.assert(fc.property(text, (text) => !controls.test(printable(text))));
  fc.assert(fc.property(fc.string({unit: 'grapheme-ascii'}), (text) => printable(text) === text));
});

test('printableJson: the output parses to the same value and has no control characters', () => {
  fc.assert(
    fc.property(text, (text) => {
      const json = printableJson({text});
      return !controls.test(json) && JSON.parse(json).text === text;
    }),
  );
  expect(printableJson({a: [1]}, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
});
