import fc from 'fast-check';
import {expect, test} from 'vitest';
import {anyText} from '#test/support/any-text.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {channelMessage, directMessage, openTestStore} from './storage-fixture.ts';

function archive(...contents: string[]) {
  const {store, log} = openTestStore(':memory:');
  store.messages.save(contents.map((content, index) => channelMessage(index + 1, {content})));
  return {
    search: (query: string, limit = 100) => store.messages.search(query, limit).map(({id}) => id),
    log,
    store,
  };
}

test('search: all words, in any order, newest first, up to the limit', () => {
  const {search} = archive('red green blue', 'green red', 'red', 'blue green red');
  expect(search('green red')).toEqual([4, 2, 1]);
  expect(search('green red', 2)).toEqual([4, 2]);
  expect(search('green red', 0)).toEqual([]);
  expect(search('yellow red')).toEqual([]);
});

test('search: the last word matches as a prefix, the others completely', () => {
  const {search} = archive('deployment plan', 'deploy planning', 'redeploy');
  expect(search('deploy')).toEqual([2, 1]);
  expect(search('deploy pla')).toEqual([2]);
});

test('search: ignores case and accents', () => {
  const {search} = archive('Crème BRÛLÉE', 'creme brulee', 'ПРИВЕТ мир');
  expect(search('CREME brûlée')).toEqual([2, 1]);
  expect(search('привет')).toEqual([3]);
});

test('search: covers topics and senders, also together with the text', () => {
  const {store} = openTestStore(':memory:');
  const topical = channelMessage(1, {topic: 'Quarterly budget', content: 'see attachment'});
  const direct = directMessage(2, {senderName: 'Zoë Quill', content: 'see you there'});
  store.messages.save([topical, direct]);
  expect(store.messages.search('budget attachment', 9)).toEqual([topical]);
  expect(store.messages.search('zoe see', 9)).toEqual([direct]);
});

test('search: in scripts without spaces every part of a run matches', () => {
  const {search} = archive(
    '明日の会議は東京駅で行います',
    '会議室を予約した',
    '오늘학교에서 만나요',
    'ประชุมพรุ่งนี้',
    '議会',
  );
  expect(search('会議')).toEqual([2, 1]);
  expect(search('東京駅')).toEqual([1]);
  expect(search('京')).toEqual([1]);
  expect(search('会議 予約')).toEqual([2]);
  expect(search('학교')).toEqual([3]);
  expect(search('พรุ่งนี้')).toEqual([4]);
  expect(search('駅東')).toEqual([]);
});

test('search: full-width, half-width, joined and decomposed forms match the ordinary ones', () => {
  const {search} = archive(
    'ＡＢＣ release',
    'ｶﾒﾗ',
    'cafe\u0301',
    '\u1112\u1161\u11ab\u1100\u1173\u11af',
    '5 kg',
    '5 ㎏',
  );
  expect(search('abc')).toEqual([1]);
  expect(search('カメラ')).toEqual([2]);
  expect(search('café')).toEqual([3]);
  expect(search('한글')).toEqual([4]);
  expect(search('kg')).toEqual([6, 5]);
  expect(search('㎏')).toEqual([6, 5]);
});

test('search: symbols and emoji are found in the text itself', () => {
  const {search} = archive('done 🎉', 'done', 'a -> b', '🎉🎉 party', 'say "…" and \\');
  expect(search('🎉')).toEqual([4, 1]);
  expect(search('done 🎉')).toEqual([1]);
  expect(search('->')).toEqual([3]);
  expect(search('"…"')).toEqual([5]);
  expect(search('\\')).toEqual([5]);
  expect(search('":"')).toEqual([]);
  expect(search('🎉', 1)).toEqual([4]);
});

test('search: an empty query returns nothing', () => {
  const {search} = archive('something');
  expect(['', '   ', '\0', '\n\t'].map((query) => search(query))).toEqual([[], [], [], []]);
});

test.each([
  ['"', []],
  ['"say', [1]],
  ['say "hi"', [1]],
  ['hi AND say', []],
  ['NOT hi', []],
  ['say*', [1]],
  ['content:say', []],
  ['NEAR(say hi)', []],
  ['say^2', []],
  ['(say', [1]],
  ['{a}: say', []],
  ['say\0hi', [1]],
  ['say -hi', [1]],
])('search: %j is text, not syntax', (query, ids) => {
  const {search, log} = archive('say hi');
  expect(search(query)).toEqual(ids);
  expect(log).toEqual([]);
});

test('search: no query is an error', () => {
  const {search, log} = archive('say hi', '会議');
  const pieces = fc.constantFrom(
    '"',
    "'",
    '*',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    '\0',
    '^',
    ':',
    '\ud800',
    '-',
    'a',
    '会',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        fc.array(pieces).map((parts) => parts.join('')),
      ),
      (query) => {
        search(query);
        return log.length === 0;
      },
    ),
    {numRuns: fewOrAll(75, 300)},
  );
  search('word '.repeat(10_000));
  search('会'.repeat(10_000));
  search('x'.repeat(100_000));
  expect(log).toEqual([]);
});

test('search: any whole word of a message finds it', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-zäöüß0-9]{1,12}$/), {minLength: 1, maxLength: 8}), (words) => {
      const {search} = archive(words.join(' '));
      for (const word of words) expect(search(word)).toEqual([1]);
    }),
    {numRuns: 30},
  );
});
