import {tokenize} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {simpleWidth, unstyled} from '#ui/ink/cell-style.ts';

const simplePoints = Array.from({length: 0x20000}, (_, point) => point).filter((point) => simpleWidth(point) > 0);

slowTest('simpleWidth: is the width that Ink measures', () => {
  expect(simplePoints.length).toBeGreaterThan(30_000);
  const wrong = simplePoints.filter((point) => {
    const character = String.fromCodePoint(point);
    return stringWidth(character) !== simpleWidth(point) || /\p{Default_Ignorable_Code_Point}|\p{Cc}/u.test(character);
  });
  expect(wrong).toEqual([]);
});

slowTest('simpleWidth: simple code points never join each other', () => {
  const neighbours = ['a', '가', '漢', '👍', 'é', '─'];
  const joined = simplePoints.filter((point) => {
    const character = String.fromCodePoint(point);
    const text = neighbours.map((neighbour) => neighbour + character).join('') + character;
    return tokenize(text).length !== neighbours.length * 2 + 1;
  });
  expect(joined).toEqual([]);
});

test('cell width: emoji are as wide as Ink measures them, with skin tones and variation selectors too', () => {
  const points = Array.from({length: 0x20000}, (_, point) => String.fromCodePoint(point));
  const sequences = points.flatMap((each) => [
    ...(/\p{Emoji}/u.test(each) ? [each] : []),
    ...(/(?=\p{Emoji})\p{Extended_Pictographic}/u.test(each) ? [`${each}\ufe0f`, `${each}\u200d❤\ufe0f`] : []),
    ...(/\p{Emoji_Modifier_Base}/u.test(each) ? [`${each}🏽`] : []),
  ]);
  const wrong = sequences.filter((value) => unstyled.cell(value).width !== stringWidth(value));
  expect(wrong.filter((value) => !/^\p{Regional_Indicator}$/u.test(value))).toEqual([]);
});

test.each([
  ['स्ते', 2],
  ['क्षि', 3],
  ['กำ', 2],
  ['క్షే', 2],
  ['ที่', 1],
])('cell width: a syllable of several letters is as wide as its letters: %s', (syllable, columns) => {
  expect(unstyled.cell(syllable).width).toBe(columns);
});
