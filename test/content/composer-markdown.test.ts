import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  forwardMarkdown,
  groupMentionMarkdown,
  mentionMarkdown,
  quoteMarkdown,
  shortFormOf,
} from '#content/composer-markdown.ts';
import {
  type CompiledLinkifier,
  compileLinkifier,
  findLinkifierMatches,
  type LinkifierDefinition,
} from '#content/linkifier.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import {expectHarmlessLines, hostileText} from './hostile-text.ts';

describe('quoting', () => {
  const iago = {senderId: 5, senderName: 'Iago', link: '#narrow/channel/1-a/topic/b/near/7'};

  test('a quote has the sender, a link to the message, and the fenced content', () => {
    expect(quoteMarkdown({...iago, content: 'hello'})).toBe(
      '@_**Iago|5** [said](#narrow/channel/1-a/topic/b/near/7):\n```quote\nhello\n```',
    );
  });

  test('a forwarded message links to its conversation', () => {
    expect(forwardMarkdown({...iago, content: 'hello'}, '#**a>b**')).toBe(
      '@_**Iago|5** [said](#narrow/channel/1-a/topic/b/near/7) in #**a>b**:\n```quote\nhello\n```',
    );
    expect(forwardMarkdown({...iago, content: 'hello'})).toBe(quoteMarkdown({...iago, content: 'hello'}));
  });

  test('the fence of a quote is longer than any in the message', () => {
    expect(quoteMarkdown({...iago, content: '````py\nx\n````'})).toContain('\n`````quote\n````py\nx\n````\n`````');
  });

  test('an unclosed code block is closed in the quote', () => {
    expect(quoteMarkdown({...iago, content: 'see\n```py\nx = 1'})).toContain(
      '\n````quote\nsee\n```py\nx = 1\n```\n````',
    );
    expect(quoteMarkdown({...iago, content: '~~~ quote\n```\nx'})).toContain('\n```\nx\n```\n~~~\n````');
  });

  test('a quote contains all of any content and nothing after it', () => {
    const parts = ['```', '````', '~~~', '\n', '```quote\n', ' ', 'x', '```\n', '> '];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), (pieces) => {
        const content = `x${pieces.join('')}`;
        const tokens = parseMessage(`${quoteMarkdown({...iago, content})}\n\nafter`, {});
        expect(tokens.at(-1)).toEqual({type: 'paragraph', children: [{type: 'text', text: 'after'}]});
        expect(tokens.map(({type}) => type)).toEqual(['paragraph', 'quote', 'paragraph']);
      }),
    );
  });

  test('quotes and mentions contain no control characters', () => {
    fc.assert(
      fc.property(hostileText(['```']), hostileText(), (content, name) => {
        expectHarmlessLines(forwardMarkdown({senderId: 1, senderName: name, link: name, content}, name));
        expectHarmlessLines(groupMentionMarkdown(name, false));
      }),
    );
  });
});

describe('mentions', () => {
  const context = {
    userByName: (name: string) => (name === 'Ann Lee' ? {id: 3, fullName: 'Ann Lee', isActive: true} : undefined),
    userById: (id: number) => ({id, fullName: id === 3 ? 'Ann Lee' : 'all', isActive: true}),
  };

  test.each([
    [{id: 3, fullName: 'Ann Lee'}, false, false, '@**Ann Lee**'],
    [{id: 3, fullName: 'Ann Lee'}, true, false, '@**Ann Lee|3**'],
    [{id: 3, fullName: 'Ann Lee'}, false, true, '@_**Ann Lee**'],
    [{id: 4, fullName: 'all'}, false, false, '@**all|4**'],
    [{id: 4, fullName: 'Topic'}, false, false, '@**Topic|4**'],
    [{id: 4, fullName: 'x|12'}, false, false, '@**x|12|4**'],
  ] as const)('%o, ambiguous %s, silent %s: %s', (user, isAmbiguous, silent, text) => {
    expect(mentionMarkdown(user, isAmbiguous, silent)).toBe(text);
  });

  test('mentions are parsed as the mentioned user', () => {
    const mention = (id: number, fullName: string) =>
      parseMessage(mentionMarkdown({id, fullName}, false, false), context)[0];
    expect(mention(3, 'Ann Lee')).toMatchObject({children: [{type: 'user_mention', userId: 3}]});
    expect(mention(4, 'all')).toMatchObject({children: [{type: 'user_mention', userId: 4}]});
    expect(plainText(parseMessage(groupMentionMarkdown('nobody', true), context))).toContain('nobody');
  });
});

describe('pasting', () => {
  const compiled = (...all: readonly LinkifierDefinition[]): CompiledLinkifier[] =>
    all.flatMap((each) => compileLinkifier(each) ?? []);
  const issues: LinkifierDefinition = {
    pattern: '#(?P<id>[0-9]+)',
    urlTemplate: 'https://bugs.example.com/{id}',
    reverseTemplate: '#{id}',
    alternativeUrlTemplates: ['https://bugs.example.com/issue/{id}'],
  };
  const pulls: LinkifierDefinition = {
    pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
    urlTemplate: 'https://git.example.com/{org}/{repo}/pull/{id}',
    reverseTemplate: '{org}/{repo}#{id}',
  };
  const linkifiers = compiled(issues, pulls, {
    pattern: 'T(?P<n>\\d+)',
    urlTemplate: 'https://t.example.com/{n}',
  });

  test.each([
    ['https://bugs.example.com/12', '#12'],
    [' https://bugs.example.com/12\n', '#12'],
    ['https://bugs.example.com/issue/12', '#12'],
    ['https://git.example.com/acme/web/pull/7', 'acme/web#7'],
    ['https://t.example.com/7', undefined],
    ['https://bugs.example.com/12?x', undefined],
    ['https://bugs.example.com/12#note', undefined],
    ['see https://bugs.example.com/12', undefined],
    ['https://bugs.example.com/12 https://bugs.example.com/13', undefined],
    ['https://bugs.example.com/abc', undefined],
    ['', undefined],
  ])('the short form of %j is %j', (text, short) => {
    expect(shortFormOf(text, linkifiers)).toBe(short);
  });

  test('a short form always expands to the pasted URL', () => {
    const url = fc
      .tuple(fc.constantFrom('bugs.example.com/', 'bugs.example.com/issue/', 'git.example.com/a/b/pull/'), fc.string())
      .map(([head, tail]) => `https://${head}${tail}`);
    fc.assert(
      fc.property(
        fc.oneof(
          url,
          fc.nat().map((n) => `https://bugs.example.com/${n}`),
        ),
        (pasted) => {
          const text = shortFormOf(pasted, linkifiers);
          if (text === undefined) return;
          const templates = [issues.urlTemplate, ...(issues.alternativeUrlTemplates ?? [])];
          const all = [...compiled(...templates.map((urlTemplate) => ({...issues, urlTemplate}))), ...linkifiers];
          expect(all.flatMap((each) => findLinkifierMatches(text, each)).map((match) => match.url)).toContain(
            pasted.trim(),
          );
        },
      ),
    );
  });

  test('a short form contains no control characters', () => {
    fc.assert(
      fc.property(hostileText(['https://bugs.example.com/', '12']), (text) => {
        expectHarmlessLines(shortFormOf(text, linkifiers) ?? '');
      }),
    );
  });
});
