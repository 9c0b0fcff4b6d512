import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {boundaryAfter, boundaryBefore, boundaryFrom, boundaryUntil} from '#app/text/graphemes.ts';
import {anyText, boundariesOf} from './random-text.ts';

describe('where a cursor may stand', () => {
  test.each([
    ['abc', [0, 1, 2, 3]],
    ['a\n\nb', [0, 1, 2, 3, 4]],
    ['e\u0301x', [0, 2, 3]],
    ['👨‍👩‍👧‍👦!', [0, 11, 12]],
    ['🇩🇪🇫🇷', [0, 4, 8]],
    ['日本', [0, 1, 2]],
    ['👍\n👍🏽', [0, 2, 3, 7]],
    ['a\u200bb', [0, 1, 2, 3]],
  ])('%j', (text, expected) => {
    expect(boundariesOf(text)).toEqual(expected);
  });

  test('a long conjunct that is divided leaves no mark behind', () => {
    const places = boundariesOf('र्त्स्न्य');
    expect(places.every((at) => !/^\p{M}/u.test('र्त्स्न्य'.slice(at)))).toBe(true);
  });

  test('going back visits the same places as going on', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const back = [text.length];
        for (let at = text.length; at > 0; ) {
          at = boundaryBefore(text, at);
          back.push(at);
        }
        expect(back.reverse()).toEqual(boundariesOf(text));
      }),
    );
  });

  test('any offset has its nearest place on both sides', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, offset) => {
        const at = Math.min(offset, text.length);
        const places = boundariesOf(text);
        expect(boundaryFrom(text, at)).toBe(places.find((place) => place >= at));
        expect(boundaryUntil(text, at)).toBe(places.findLast((place) => place <= at));
        expect(boundaryBefore(text, at)).toBe(places.findLast((place) => place < at) ?? 0);
        expect(boundaryAfter(text, at)).toBe(places.find((place) => place > at) ?? text.length);
      }),
    );
  });
});
