import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type DiffLine, textDiff} from '#std/text-diff.ts';

/** Formats a diff: `-` and `+` in front, changed parts in brackets. */
function written(lines: readonly DiffLine[]): readonly string[] {
  const signs = {same: ' ', removed: '-', added: '+'} as const;
  return lines.map(
    ({kind, parts}) => signs[kind] + parts.map(({text, isChanged}) => (isChanged ? `[${text}]` : text)).join(''),
  );
}

const text = (lines: readonly DiffLine[], without: DiffLine['kind']) =>
  lines
    .filter(({kind}) => kind !== without)
    .map(({parts}) => parts.map((part) => part.text).join(''))
    .join('\n');

const anyText = fc
  .array(fc.constantFrom('a', 'b', 'the', ' ', '\n', '.', 'ü', '👍', '**'), {maxLength: 60})
  .map((parts) => parts.join(''));

test('textDiff: without additions it is the text before, without removals the text after', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const lines = textDiff(before, after);
      expect(text(lines, 'added')).toBe(before);
      expect(text(lines, 'removed')).toBe(after);
    }),
  );
});

test('textDiff: an unchanged text has only unchanged lines', () => {
  fc.assert(
    fc.property(anyText, (same) => {
      expect(textDiff(same, same).every(({kind}) => kind === 'same')).toBe(true);
    }),
  );
});

test('textDiff: in a changed line only the changed words are marked', () => {
  expect(written(textDiff('lift the freeze at noon', 'lift the freeze before noon'))).toEqual([
    '-lift the freeze [at] noon',
    '+lift the freeze [before] noon',
  ]);
});

test('textDiff: the lines around a change are unchanged', () => {
  expect(written(textDiff('one\ntwo words\nthree', 'one\ntwo other words\nthree'))).toEqual([
    ' one',
    '-two words',
    '+two [other ]words',
    ' three',
  ]);
});

test('textDiff: lines with little in common are different lines', () => {
  expect(written(textDiff('good morning', 'see https://example.com/x'))).toEqual([
    '-[good morning]',
    '+[see https://example.com/x]',
  ]);
});

test('textDiff: very long texts are compared quickly', () => {
  const long = (word: string) => Array.from({length: 20_000}, (_, i) => `${word}${i}`).join('\n');
  const lines = textDiff(`head\n${long('a')}\ntail`, `head\n${long('b')}\ntail`);
  expect(lines[0]).toEqual({kind: 'same', parts: [{text: 'head', isChanged: false}]});
  expect(lines).toHaveLength(40_002);
});
