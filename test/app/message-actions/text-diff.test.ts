import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type DiffLine, textDiff} from '#app/message-actions/text-diff.ts';

/** `-` and `+` in front, changed words in brackets. */
function written(lines: readonly DiffLine[]): readonly string[] {
  const signs = {same: ' ', removed: '-', added: '+'} as const;
  return lines.map(
    ({kind, parts}) =>
      signs[kind] + parts.map(({text, isChanged}) => (isChanged ? `[${text}]` : text)).join(''),
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

test('without what was added it is the text before, without what was removed the one after', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const lines = textDiff(before, after);
      expect(text(lines, 'added')).toBe(before);
      expect(text(lines, 'removed')).toBe(after);
    }),
  );
});

test('a text that did not change has only lines that are the same', () => {
  fc.assert(
    fc.property(anyText, (same) => {
      expect(textDiff(same, same).every(({kind}) => kind === 'same')).toBe(true);
    }),
  );
});

test('in a changed line only the words that changed are marked', () => {
  expect(written(textDiff('lift the freeze at noon', 'lift the freeze before noon'))).toEqual([
    '-lift the freeze [at] noon',
    '+lift the freeze [before] noon',
  ]);
});

test('lines around a change are the same', () => {
  expect(written(textDiff('one\ntwo words\nthree', 'one\ntwo other words\nthree'))).toEqual([
    ' one',
    '-two words',
    '+two [other ]words',
    ' three',
  ]);
});

test('a line that has next to nothing in common is another line', () => {
  expect(written(textDiff('good morning', 'see https://example.com/x'))).toEqual([
    '-[good morning]',
    '+[see https://example.com/x]',
  ]);
});

test('very long texts are compared in no time', () => {
  const long = (word: string) => Array.from({length: 20_000}, (_, i) => `${word}${i}`).join('\n');
  const lines = textDiff(`head\n${long('a')}\ntail`, `head\n${long('b')}\ntail`);
  expect(lines[0]).toEqual({kind: 'same', parts: [{text: 'head', isChanged: false}]});
  expect(lines).toHaveLength(40_002);
});
