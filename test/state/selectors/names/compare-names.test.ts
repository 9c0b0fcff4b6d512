import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compareNames, sortedByName} from '#state/selectors/names/names.ts';
import {fewOrAll} from '#test/support/tier.ts';

const collator = new Intl.Collator('en', {sensitivity: 'base', numeric: false});
const byCollator = (a: string, b: string) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);

const character = fc.integer({min: 32, max: 126}).map((code) => String.fromCharCode(code));
const plain = fc.string({unit: character, maxLength: 8});
const accented = [...'éÉàüÖñçÅőǖệ'];
const others = [...'森海かカ한글ßøæłЖλ。-\u0301\u3099'];
const mixed = fc.string({unit: fc.constantFrom(...'abzAB 1-', ...accented, ...others), maxLength: 6});
const any = fc.oneof(plain, fc.string({unit: 'grapheme', maxLength: 8}));

test('compareNames: ASCII names sort as in the collator', () => {
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect(Math.sign(compareNames(a, b))).toBe(Math.sign(byCollator(a, b)));
    }),
    {numRuns: fewOrAll(1250, 5000)},
  );
});

test('compareNames: names with accents and in other scripts sort as in the collator', () => {
  fc.assert(
    fc.property(mixed, mixed, (a, b) => {
      expect(Math.sign(compareNames(a, b))).toBe(Math.sign(byCollator(a, b)));
    }),
    {numRuns: fewOrAll(1250, 5000)},
  );
});

test('compareNames: any names sort as in the collator', () => {
  fc.assert(
    fc.property(fc.array(any), (names) => {
      expect(sortedByName(names, (name) => name)).toEqual(names.toSorted(byCollator));
    }),
  );
});
