import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {boundaryAfter, boundaryBefore, boundaryFrom, boundaryUntil} from '#ui/text/graphemes.ts';
import {anyText, boundariesOf} from './random-text.ts';

describe('cursor boundaries', () => {
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

  test('a long conjunct that is split leaves no mark behind', () => {
    const boundaries = boundariesOf('र्त्स्न्य');
    expect(boundaries.every((at) => !/^\p{M}/u.test('र्त्स्न्य'.slice(at)))).toBe(true);
  });

  test('moving back visits the same boundaries as moving forward', () => {
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

  test('any offset has its nearest boundary on both sides', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, offset) => {
        const at = Math.min(offset, text.length);
        const boundaries = boundariesOf(text);
        expect(boundaryFrom(text, at)).toBe(boundaries.find((boundary) => boundary >= at));
        expect(boundaryUntil(text, at)).toBe(boundaries.findLast((boundary) => boundary <= at));
        expect(boundaryBefore(text, at)).toBe(boundaries.findLast((boundary) => boundary < at) ?? 0);
        expect(boundaryAfter(text, at)).toBe(boundaries.find((boundary) => boundary > at) ?? text.length);
      }),
    );
  });
});
