import {describe, expect, test} from 'vitest';
import {
  type CompiledLinkifier,
  compileLinkifier,
  findLinkifierMatches,
  type LinkifierDefinition,
  topicLinks,
} from '#content/linkifier.ts';
import {linkifierProblem, reverseLinkify} from '#content/linkifier-validation.ts';

const issue: LinkifierDefinition = {
  pattern: '#(?P<id>[0-9]+)',
  urlTemplate: 'https://bugs.example.com/{id}',
  exampleInput: '#12',
  reverseTemplate: '#{id}',
};

function compile(linkifier: LinkifierDefinition): CompiledLinkifier {
  const result = compileLinkifier(linkifier);
  if (result === undefined) throw new Error('did not compile');
  return result;
}

test('linkifier: a pattern with catastrophic backtracking takes linear time', () => {
  const linkifier = compile({pattern: '(?P<x>(a+)+)b', urlTemplate: 'https://e.org/{x}'});
  expect(findLinkifierMatches('a'.repeat(5000), linkifier)).toEqual([]);
});

test('linkifier: a search has a limited time, even if each match is searched to the end of the text', () => {
  const text = 'x '.repeat(20_000);
  const matches = findLinkifierMatches(text, compile({pattern: 'x(?P<y>.*y)?', urlTemplate: 'https://e.org/{y}'}));
  // All of them would take a minute.
  expect(matches.length).toBeLessThan(20_000);
  expect(matches.slice(0, 2)).toMatchObject([
    {start: 0, end: 1, text: 'x'},
    {start: 2, end: 3, text: 'x'},
  ]);
});

test('linkifier: all of a long list of words are found in a long text', () => {
  const words = Array.from({length: 500}, (_, i) => `word${i.toString(36)}${(i * 7919) % 1000}`);
  const linkifier = compile({pattern: `(?P<w>${words.join('|')})`, urlTemplate: 'https://e.org/{w}'});
  const prose = words.map((word) => `so it was that ${word} met`).join(' ');
  expect(findLinkifierMatches(prose, linkifier).map(({text}) => text)).toEqual(words);
});

test('linkifier: one character may delimit two matches', () => {
  expect(findLinkifierMatches('#1 #2\n(#3) a#4', compile(issue)).map(({text}) => text)).toEqual(['#1', '#2', '#3']);
});

test('linkifier: a lone surrogate is replaced in the URL', () => {
  const urls = (pattern: string, urlTemplate: string, text: string) =>
    findLinkifierMatches(text, compile({pattern, urlTemplate})).map(({url}) => url);
  expect(urls('(?P<a>.)', 'https://e.org/{a}', '\ud800')).toEqual(['https://e.org/%EF%BF%BD']);
  expect(urls('(?P<a>x.y)', 'https://e.org/{a:2}', 'x👍y')).toEqual(['https://e.org/x%EF%BF%BD']);
  expect(compileLinkifier({...issue, urlTemplate: '\ud800{id}'})).toBeUndefined();
});

test('linkifier: an invalid pattern matches nothing', () => {
  for (const pattern of ['(?=x)', 'a)|(x', '\\Qx', '(x', 'x{2000}', '(?P<x>x)(?P<x>x)']) {
    expect(findLinkifierMatches('x', compile({pattern, urlTemplate: 'x'}))).toEqual([]);
  }
});

test('linkifier: a group that did not match is omitted from the URL', () => {
  const linkifier = compile({pattern: '(?P<a>x)(?P<b>y)?', urlTemplate: 'https://e.org/{a}{?b}'});
  expect(findLinkifierMatches('x xy', linkifier).map(({url}) => url)).toEqual([
    'https://e.org/x',
    'https://e.org/x?b=y',
  ]);
});

test('topicLinks: earlier linkifiers have precedence', () => {
  const word = compile({pattern: 'see #(?P<n>[0-9]+)', urlTemplate: 'https://first.example.com/{n}'});
  expect(topicLinks('see #1 #2', [word, compile(issue)])).toEqual([
    {text: 'see #1', url: 'https://first.example.com/1'},
    {text: '#2', url: 'https://bugs.example.com/2'},
  ]);
});

describe('validation', () => {
  const problem = (change: Partial<LinkifierDefinition>, others: LinkifierDefinition[] = []) =>
    linkifierProblem({...issue, ...change}, others)?.text;

  test('a valid linkifier has no problem', () => {
    expect(problem({})).toBeUndefined();
  });

  test('an invalid linkifier has a message with the reason', () => {
    expect(problem({pattern: '(?P<id>a)(?P<id>b)', exampleInput: 'ab', reverseTemplate: null})).toBeUndefined();
    for (const [pattern, words] of [
      ['(?P<id>', 'missing ): (?P<id>'],
      ['*', 'no argument for repetition operator: *'],
      ['a{2,1}', 'invalid repetition size: {2,1}'],
      ['(?=a)', 'invalid perl operator: (?='],
      ['a\\', 'trailing \\'],
    ] as const) {
      expect(problem({pattern})).toBe(`Bad regular expression: ${words}`);
    }
    expect(problem({urlTemplate: 'https://e.org/{'})).toBe('Invalid URL template.');
    expect(problem({urlTemplate: 'https://e.org/'})).toContain("'id' in linkifier pattern");
    expect(problem({urlTemplate: 'https://e.org/{id}{x}'})).toContain("'x' in URL template");
    expect(problem({exampleInput: 'nothing'})).toContain('Example input');
    expect(problem({reverseTemplate: 'PR {id}'})).toContain('auto-conversion');
    expect(problem({alternativeUrlTemplates: [issue.urlTemplate]})).toContain('differ');
    expect(problem({}, [issue])).toContain('already exists');
  });
});

describe('reverse', () => {
  test('a pasted URL becomes its short form', () => {
    const linkifiers = [compile({...issue, alternativeUrlTemplates: ['https://old.example.com/issue?n={id}']})];
    expect(reverseLinkify('https://bugs.example.com/12', linkifiers)).toBe('#12');
    expect(reverseLinkify('https://old.example.com/issue?n=9', linkifiers)).toBe('#9');
    expect(reverseLinkify('https://bugs.example.com/12/edit', linkifiers)).toBeUndefined();
    expect(reverseLinkify('https://bugs.example.com/abc', linkifiers)).toBeUndefined();
  });

  test('doubled braces are literal braces', () => {
    const braces = {
      ...issue,
      pattern: '\\{(?P<id>[0-9]+)\\}',
      exampleInput: '{1}',
      reverseTemplate: '{{{id}}}',
    };
    expect(linkifierProblem(braces)).toBeUndefined();
    expect(reverseLinkify('https://bugs.example.com/5', [compile(braces)])).toBe('{5}');
  });
});
