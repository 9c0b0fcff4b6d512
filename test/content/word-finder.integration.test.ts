import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {alertWordFinder, foldCase, matchedWords, type WordRange, wordFinder} from '#content/word-finder.ts';
import {containsWord} from '#server/actions/messages/change-flags.ts';
import {highlightHtml, textSearch} from '#server/narrow/search-stream.ts';
import {slowTest} from '#test/support/tier.ts';
import {expectLinearTime, hostileText} from './hostile-text.ts';

const cut = (text: string, ranges: readonly WordRange[]): string[] =>
  ranges.map(([start, end]) => text.slice(start, end));

function expectSorted(text: string, ranges: readonly WordRange[]): void {
  let last = 0;
  for (const [start, end] of ranges) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(text.length);
}

describe('alert words', () => {
  test.each([
    ['The deploy is on', ['deploy'], ['deploy']],
    ['DEPLOY, deploy! (Deploy)', ['Deploy'], ['DEPLOY', 'deploy', 'Deploy']],
    ['redeploy deployed deploy_x x-deploy', ['deploy'], ['deploy']],
    ['https://deploy.example.com/deploy but deploy', ['deploy'], ['deploy']],
    ['(see http://a.example/x) x', ['x'], ['x']],
    ['code freeze and code', ['code', 'code freeze'], ['code freeze', 'code']],
    ['c++ and C++!', ['c++'], ['c++', 'C++']],
    ['.* matches nothing else', ['.*'], ['.*']],
    ['Straße strasse', ['straße'], ['Straße']],
    ['İstanbul istanbul', ['istanbul'], ['istanbul']],
    ['日本 日本語', ['日本'], ['日本']],
    ['😀 party 😀party', ['party'], ['party', 'party']],
    ['𝒳party', ['party'], []],
    ['anything', ['', ' '], []],
    ['', ['x'], []],
  ])('in %j, %j are at %j', (text, words, foundWords) => {
    expect(cut(text, alertWordFinder(words)(text))).toEqual(foundWords);
  });

  test('alert words are foundWords wherever the server flags them, outside URLs', () => {
    const letters = fc.constantFrom('a', 'b', 'A', ' ', '_', '-', '1', 'é', '.');
    const word = fc.array(letters, {minLength: 1, maxLength: 3}).map((all) => all.join('').trim());
    fc.assert(
      fc.property(fc.array(letters, {maxLength: 12}), word, (all, word) => {
        const text = all.join('');
        const isWholeWord = containsWord(text.toLowerCase(), word.toLowerCase());
        expect(alertWordFinder([word])(text).length > 0).toBe(isWholeWord);
      }),
    );
  });
});

describe('search matches', () => {
  test('the marked words of a response are returned once each', () => {
    const html =
      '<p>The <span class="highlight">Deploys</span> &amp; <span class="highlight">Q&amp;A</span>, <span class="highlight">Deploys</span></p>';
    expect(matchedWords(html)).toEqual([
      {text: 'Deploys', isWhole: true},
      {text: 'Q&A', isWhole: true},
    ]);
  });

  test('a marked part of a word is foundWords everywhere', () => {
    const words = matchedWords('con<span class="highlight">cat</span>enate');
    expect(words).toEqual([{text: 'cat', isWhole: false}]);
    expect(cut('concatenate cats', wordFinder(words)('concatenate cats'))).toEqual(['cat', 'cat']);
  });

  test('words that the server marks are foundWords in the text', () => {
    const word = fc.constantFrom('tea', 'Tea', 'teapot', 'pot', 'a&b', 'é', '<b>');
    fc.assert(
      fc.property(fc.array(word), fc.array(word, {minLength: 1}), (all, word) => {
        const text = all.join(' ');
        const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        const marked = highlightHtml(
          `<p>${html}</p>`,
          word.flatMap((each) => textSearch(each) ?? []),
        );
        const words = matchedWords(marked);
        const foundWords = new Set(cut(text, wordFinder(words)(text)));
        for (const {text: each} of words) expect(foundWords).toContain(each);
      }),
    );
  });

  test.each(['<span class="highlight">', '<span class="highlight">a', '</span><span class="highlight"></span>', '<p>'])(
    'HTML that is cut off at %s gives nothing',
    (html) => {
      expect(matchedWords(html)).toEqual([]);
    },
  );
});

test('ranges are sorted, do not overlap, and contain the words', () => {
  const parts = ['ab', 'a', 'b', 'aba', ' ', '://'];
  const words = fc.array(
    fc.record({
      text: hostileText(parts),
      isWhole: fc.boolean(),
    }),
    {maxLength: 5},
  );
  fc.assert(
    fc.property(hostileText(parts), words, (text, word) => {
      const ranges = wordFinder(word)(text);
      expectSorted(text, ranges);
      const folded = new Set(word.map((each) => foldCase(each.text.toWellFormed())));
      for (const each of cut(foldCase(text), ranges)) expect(folded).toContain(each);
      expectSorted(text, alertWordFinder(word.map((each) => each.text))(text));
      matchedWords(text);
    }),
    {numRuns: 40},
  );
});

test('foldCase: positions stay the same', () => {
  fc.assert(fc.property(hostileText(['ẞ', 'Σ', 'ﬃ']), (text) => foldCase(text).length === text.length));
});

slowTest('word finder: time is linear in the length', () => {
  const words = Array.from({length: 500}, (_, index) => `a${'b'.repeat(index % 50)}${index}`);
  expectLinearTime((length) => alertWordFinder(words)('a'.repeat(length)), 2000);
  expectLinearTime((length) => alertWordFinder(['a'])('a://'.repeat(length)), 2000);
  expectLinearTime((length) => alertWordFinder(['a'])('a '.repeat(length)), 2000);
  expectLinearTime((length) => matchedWords('<span class="highlight">'.repeat(length)), 2000);
  expectLinearTime((length) => matchedWords(`${'<span class="highlight">x</span>'.repeat(length)}`), 2000);
  expectLinearTime((length) => matchedWords(`<span class="highlight">${'<'.repeat(length)}</span>`), 2000);
});
