import fc from 'fast-check';
import {expect, test} from 'vitest';
import {foldText} from '#std/fold-text.ts';
import {fuzzyCandidate, fuzzyMatch, fuzzyQuery, fuzzyScore, matchRanges} from '#std/fuzzy.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';

function ranked(query: string, ...texts: readonly string[]): readonly string[] {
  const scored = texts.map((text) => ({text, score: fuzzyMatch(query, text)?.score ?? -1}));
  return scored
    .filter(({score}) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({text}) => text);
}

test('fuzzy: an exact match ranks first, then a prefix, a word, words in any order, a part, scattered letters', () => {
  const query = 'ab cd';
  expect(ranked(query, 'xab cdx', 'cd ab', 'ab cd', 'ab cde', 'x ab cd', 'axxbxcxxd')).toEqual([
    'ab cd',
    'ab cde',
    'x ab cd',
    'cd ab',
    'xab cdx',
    'axxbxcxxd',
  ]);
});

test('fuzzy: case and accents are ignored in query and text', () => {
  expect(fuzzyMatch('jose', 'José Núñez')?.ranges).toEqual([[0, 4]]);
  expect(fuzzyMatch('JOSÉ', 'jose')?.ranges).toEqual([[0, 4]]);
  expect(fuzzyMatch('strasse', 'Straße 1')?.ranges).toEqual([[0, 6]]);
  expect(fuzzyMatch('мед', 'Мёд')?.ranges).toEqual([[0, 3]]);
  expect(fuzzyMatch('lodz', 'Łódź')?.ranges).toEqual([[0, 4]]);
  expect(fuzzyMatch('e', 'xe\u0301y')?.ranges).toEqual([[1, 3]]);
});

test('fuzzy: a match at the start of a word ranks above one inside a word', () => {
  expect(ranked('free', 'carefree days', 'deploy freeze')).toEqual(['deploy freeze', 'carefree days']);
  expect(ranked('会議', '今日の会議')).toEqual(['今日の会議']);
});

test('fuzzy: letters in order match, and those that begin words rank higher', () => {
  expect(ranked('df', 'odd leaf', 'deploy freeze')).toEqual(['deploy freeze', 'odd leaf']);
  expect(fuzzyMatch('dpf', 'deploy freeze')?.ranges).toEqual([
    [0, 1],
    [2, 3],
    [7, 8],
  ]);
  expect(fuzzyMatch('zf', 'deploy freeze')).toBeUndefined();
});

test('fuzzy: a prefix of the main part ranks like a prefix of the text', () => {
  const query = fuzzyQuery('dep');
  const text = '#backend › deploys';
  expect(fuzzyScore(query, fuzzyCandidate(text, 11))).toBeGreaterThan(fuzzyScore(query, fuzzyCandidate(text)));
  expect(fuzzyScore(fuzzyQuery('deploys'), fuzzyCandidate(text, 11))).toBeGreaterThan(
    fuzzyScore(query, fuzzyCandidate('deploy freeze')),
  );
});

test('fuzzy: an empty query matches everything and highlights nothing', () => {
  expect(fuzzyMatch('  ', 'anything')).toEqual({score: 0, ranges: []});
});

const texts = fc.oneof(
  fc.stringMatching(/^[abcAB é_-]{0,12}$/),
  fc.string({unit: 'grapheme', maxLength: 10}),
  fc.constantFrom('ﬁne', '한국어', 'İstanbul', '👩‍💻 dev', 'ÅNGSTRÖM'),
);

/** Returns whether the text contains all letters in order. */
function hasLettersInOrder(text: string, word: string): boolean {
  let at = 0;
  for (const unit of Array.from({length: word.length}, (_, place) => word.charAt(place))) {
    const found = text.indexOf(unit, at);
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

test('fuzzy: a text matches if it contains the letters of every word in order', () => {
  fc.assert(
    fc.property(texts, texts, (query, text) => {
      const words = fuzzyQuery(query).words;
      const matches = words.every((word) => hasLettersInOrder(foldText(text).text, word));
      expect(fuzzyMatch(query, text) !== undefined).toBe(matches);
    }),
  );
});

test('fuzzy: ranges are sorted, not adjacent, and never split a character', () => {
  fc.assert(
    fc.property(texts, texts, (query, text) => {
      const ranges = matchRanges(fuzzyQuery(query), fuzzyCandidate(text)) ?? [];
      let last = -1;
      for (const [start, end] of ranges) {
        expect(start).toBeGreaterThan(last);
        expect(end).toBeGreaterThan(start);
        expect(text.slice(start, end).isWellFormed() || !text.isWellFormed()).toBe(true);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
  );
});

function indexOf(items: readonly string[]): FuzzyIndex<number, string> {
  const index = new FuzzyIndex<number, string>();
  for (const [place, item] of items.entries()) index.put(place, item, item);
  return index;
}

test('fuzzy index: typing a query letter by letter gives the same results as the whole query', () => {
  fc.assert(
    fc.property(fc.array(texts, {maxLength: 30}), texts, (items, query) => {
      const typed = indexOf(items);
      for (let end = 0; end <= query.length; end += 1) {
        const prefix = query.slice(0, end);
        const options = {limit: 5, boost: (item: string) => item.length % 7};
        expect(typed.find(prefix, options)).toEqual(indexOf(items).find(prefix, options));
      }
    }),
  );
});

test('fuzzy index: a limited search returns the first results of an unlimited one', () => {
  fc.assert(
    fc.property(fc.array(texts, {maxLength: 40}), texts, fc.integer({min: 1, max: 10}), (items, query, limit) => {
      const index = indexOf(items);
      const all = index.find(query, {limit: 1000});
      expect(index.find(query, {limit})).toEqual(all.slice(0, limit));
      expect(all.map(({score}) => score)).toEqual(all.map(({score}) => score).sort((a, b) => b - a));
    }),
  );
});

test('fuzzy index: a search reflects every put, replace and drop', () => {
  const operation = fc.record({key: fc.nat(6), text: fc.option(texts, {nil: undefined})});
  fc.assert(
    fc.property(fc.array(operation, {maxLength: 30}), texts, (operations, query) => {
      const [index, model] = [new FuzzyIndex<number, number>(), new Map<number, string>()];
      for (const {key, text} of operations) {
        index.find(query, {limit: 3});
        if (text === undefined) {
          index.drop(key);
          model.delete(key);
        } else {
          index.put(key, key, text);
          model.set(key, text);
        }
      }
      const expected = [...model].filter(([, text]) => fuzzyMatch(query, text) !== undefined);
      const found = index.find(query, {limit: 100}).map(({item}) => item);
      expect(new Set(found)).toEqual(new Set(expected.map(([key]) => key)));
      expect(index.size).toBe(model.size);
    }),
  );
});

test('fuzzy index: a query typed on another keyboard layout matches', () => {
  const latin: Readonly<Record<string, string>> = {в: 'd', у: 'e', з: 'p', д: 'l', щ: 'o', н: 'y'};
  const remap = (text: string) => Array.from(text, (letter) => latin[letter] ?? letter).join('');
  const index = indexOf(['deploy', 'lunch', 'вуз']);
  expect(index.find('вуздщн', {limit: 5, remap}).map(({item}) => item)).toEqual(['deploy']);
  expect(index.find('вуз', {limit: 5, remap}).map(({item}) => item)).toEqual(['вуз', 'deploy']);
  expect(index.find('вуздщн', {limit: 5})).toEqual([]);
});
