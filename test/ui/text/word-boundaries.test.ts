import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {nonSpaceAround, wordAround, wordLeft, wordRight} from '#ui/text/graphemes.ts';
import {anyText, boundariesOf} from './random-text.ts';

/** `|` is the cursor; in the result it is at the start of the word. */
function left(text: string): string {
  const at = text.indexOf('|');
  const whole = text.replace('|', '');
  const to = wordLeft(whole, at);
  return `${whole.slice(0, to)}|${whole.slice(to)}`;
}

function right(text: string): string {
  const at = text.indexOf('|');
  const whole = text.replace('|', '');
  const to = wordRight(whole, at);
  return `${whole.slice(0, to)}|${whole.slice(to)}`;
}

describe('wordLeft', () => {
  test.each([
    ['hello world|', 'hello |world'],
    ['hello   |', '|hello   '],
    ['hel|lo', '|hello'],
    ['|hello', '|hello'],
    ['see src/app.ts|', 'see src/app.|ts'],
    ['the end.|', 'the |end.'],
    ['a -----|', 'a |-----'],
    ["I don't|", "I |don't"],
    ['I don’t|', 'I |don’t'],
    ['snake_case|', '|snake_case'],
    ['line one\n|', 'line |one\n'],
    ['nice 👍🏽|', 'nice |👍🏽'],
    ['nice 👍👩‍💻|', 'nice 👍|👩‍💻'],
    ['Grüße|', '|Grüße'],
    ['e\u0301te\u0301|', '|e\u0301te\u0301'],
    ['Привет мир|', 'Привет |мир'],
    ['今日は東京|', '今日は|東京'],
    ['東京。|', '|東京。'],
    ['می‌خواهم|', '|می‌خواهم'],
  ])('%j → %j', (before, after) => expect(left(before)).toBe(after));
});

describe('wordRight', () => {
  test.each([
    ['|hello world', 'hello| world'],
    ['hello| world', 'hello world|'],
    ['hello|   ', 'hello   |'],
    ['a| -----', 'a -----|'],
    ['|**bold**', '**bold|**'],
    ["|don't go", "don't| go"],
    ['|👍👍', '👍|👍'],
    ['one|\ntwo', 'one\ntwo|'],
    ['|東京は今日', '東京|は今日'],
    ['end|', 'end|'],
  ])('%j → %j', (before, after) => expect(right(before)).toBe(after));
});

describe('wordAround', () => {
  const at = (text: string, found: typeof wordAround): string | undefined => {
    const whole = text.replace('|', '');
    const range = found(whole, text.indexOf('|'));
    return range === undefined ? undefined : whole.slice(range.start, range.end);
  };
  test.each([
    ['a wo|rd b', 'word'],
    ['a word| b', 'word'],
    ['a |word b', 'word'],
    ['a | b', undefined],
    ['', undefined],
    ['(|)', undefined],
    ['東京は今|日', '今日'],
    ['|東京は', '東京'],
  ])('%j is %j', (text, word) => expect(at(text, wordAround)).toBe(word));

  test('nonSpaceAround: returns the run without spaces', () => {
    expect(at('see ./src/a.ts|, ok', nonSpaceAround)).toBe('./src/a.ts,');
    expect(at('a | b', nonSpaceAround)).toBeUndefined();
  });
});

test('word movement: ends on boundaries and reaches both ends of the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const boundaries = new Set(boundariesOf(text));
      for (const at of boundaries) {
        const [from, to] = [wordLeft(text, at), wordRight(text, at)];
        expect(boundaries.has(from) && boundaries.has(to)).toBe(true);
        expect(from < at || at === 0).toBe(true);
        expect(to > at || at === text.length).toBe(true);
      }
    }),
  );
});
