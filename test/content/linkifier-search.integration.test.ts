import fc from 'fast-check';
import {RE2JS} from 're2js';
import {describe, expect, test} from 'vitest';
import {boundedPattern, compileLinkifier, findLinkifierMatches} from '#content/linkifier.ts';
import {LinkifierProgram} from '#content/linkifier-program.ts';
import {LinkifierSearch} from '#content/linkifier-search.ts';
import {anyText} from '#test/support/any-text.ts';
import {fewOrAll} from '#test/support/tier.ts';

/** Finds matches with re2js, starting again after each match. */
function matchesOfRe2(compiled: RE2JS, text: string): number[][] {
  const matcher = compiled.matcher(text);
  const matches: number[][] = [];
  for (let from = 0; from <= text.length && matcher.find(from); ) {
    const groups = Array.from({length: compiled.groupCount() + 1}, (_, group) => group);
    matches.push(groups.flatMap((group) => [matcher.start(group), matcher.end(group)]));
    from = Math.max(matcher.end(2), from + 1);
  }
  return matches;
}

function matchesOfSearch(compiled: RE2JS, text: string): number[][] {
  const search = new LinkifierSearch(new LinkifierProgram(compiled));
  return search.matches(text, 2).map((captures) => [...captures]);
}

const atoms = fc.constantFrom(
  ...['a', 'b', '#', '-', ' ', '.', '\\d', '\\w', '\\W', '\\s', '[ab]', '[^a]', '[a-z]', 'é', '\\pL', '\\PL', '👍'],
  ...[
    '^',
    '$',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '(?m:^)',
    '(?m:$)',
    '(?i:k)',
    '(?i:sb)',
    '(?s:.)',
    '[[:alpha:]]',
    '\\x{1F44D}',
  ],
);
const repetitions = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}');

const grammar = fc.letrec<{pattern: string; item: string}>((tie) => ({
  pattern: fc.array(tie('item'), {minLength: 1, maxLength: 4}).map((items) => items.join('')),
  item: fc.oneof(
    {depthSize: 'small'},
    fc.tuple(atoms, repetitions).map(([atom, repetition]) => atom + repetition),
    fc.tuple(tie('pattern'), repetitions).map(([inner, repetition]) => `(${inner})${repetition}`),
    fc
      .tuple(tie('pattern'), tie('pattern'), repetitions)
      .map(([one, other, repetition]) => `(?:${one}|${other})${repetition}`),
  ),
}));
/** Generates patterns of every construct nested in every other, including empty loops. */
const patterns = grammar.pattern.filter(isPattern);

/** Returns whether a pattern compiles; nested repetitions may exceed the limit. */
function isPattern(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'ab',
        '#',
        '-',
        ' ',
        '\n',
        '1',
        'K',
        '\u212a',
        'ſ',
        'é',
        '👍',
        '\ud83d',
        '\udc4d',
        '(',
        'x',
      ),
      anyText(2),
    ),
    {maxLength: 14},
  )
  .map((parts) => parts.join(''));

/** Like `boundedPattern`, but fast to compile. */
const simplyBounded = (pattern: string): RE2JS => RE2JS.compile(`(^|[\\s(])(${pattern})($|\\W)`);

describe('linkifier search', () => {
  test.each([
    ['linkifiers', boundedPattern, 50],
    ['any pattern', simplyBounded, 150],
  ])('finds what looking again and again finds, groups included: %s', (_, compile, numRuns) => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const compiled = compile(pattern);
        expect(matchesOfSearch(compiled, text)).toEqual(matchesOfRe2(compiled, text));
      }),
      {numRuns},
    );
  });

  test('finds the same matches whatever was searched before', () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, {maxLength: 5}), texts, (pattern, earlier, text) => {
        const compiled = simplyBounded(pattern);
        const search = new LinkifierSearch(new LinkifierProgram(compiled));
        for (const each of earlier) search.matches(each, 2);
        expect(search.matches(text, 2).map((captures) => [...captures])).toEqual(matchesOfSearch(compiled, text));
      }),
      {numRuns: fewOrAll(25, 200)},
    );
  });
});

const nasty: readonly (readonly [pattern: string, piece: string])[] = [
  ['#(?P<id>[0-9]+)', '#1 '],
  ['x(?P<rest>.*y)?', 'x '],
  ['(?P<a>[a-z]+)*x', 'aaaa '],
  ['(?P<x>(a+)+)b', 'a'],
  ['(?P<id>\\d+)', '12 '],
  ['(?P<w>(?:\\w+\\s?)*)z', 'ab '],
  ['(?P<b>.*.*.*)=', 'x'],
  ['(?P<p>(?:(?:(?:a?)*)*)*)b', 'a '],
  ['a{1,100}(?P<t>b)', 'a a'],
];

describe('work', () => {
  test('is linear in the text for any pattern', () => {
    for (const [pattern, piece] of nasty) {
      const search = new LinkifierSearch(new LinkifierProgram(boundedPattern(pattern)));
      const work = (size: number): number => {
        search.matches(piece.repeat(size), 2);
        return search.work;
      };
      expect([pattern, work(4000) <= 5 * work(1000) + 1000]).toEqual([pattern, true]);
    }
  });

  test('is limited: a text with too many distinct states has no matches', () => {
    const pattern = '(?P<x>[ab]{300}a[ab]*)';
    const mixed = Array.from({length: 10_000}, (_, i) => (((i * 2_654_435_761) >>> 7) % 3 === 0 ? 'a' : 'b')).join('');
    const search = new LinkifierSearch(new LinkifierProgram(boundedPattern(pattern)));
    expect(search.matches(mixed, 2)).toEqual([]);
    expect(search.work).toBeLessThan(700_000);
    expect(search.matches(`${'b'.repeat(300)}a`, 2)).toHaveLength(1);
  });

  test('stays below the limit for long word lists in long messages', () => {
    const words = Array.from({length: 500}, (_, i) => `word${i.toString(36)}${(i * 7919) % 1000}`);
    const linkifier = compileLinkifier({
      pattern: `(?P<w>${words.join('|')})`,
      urlTemplate: 'https://e.org/{w}',
    });
    if (linkifier === undefined) throw new Error('did not compile');
    const prose = words.map((word) => `so it was that ${word} met`).join(' ');
    expect(findLinkifierMatches(prose, linkifier).map(({text}) => text)).toEqual(words);
  });
});
