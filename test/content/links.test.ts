import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findAutolinks} from '#content/autolink.ts';
import {
  channelSlug,
  decodeNarrowOperand,
  encodeNarrowOperand,
  narrowLink,
  parseNarrowLink,
} from '#content/narrow-link.ts';
import {linkTarget, safeUrl} from '#content/safe-url.ts';

describe('findAutolinks', () => {
  const links = (text: string) => findAutolinks(text).map((match) => match.text);

  test('excludes closing punctuation', () => {
    expect(links('(see https://e.org/a), or e.org! "b.org"')).toEqual(['https://e.org/a', 'e.org', 'b.org']);
  });

  test('includes paired parentheses', () => {
    expect(links('(https://e.org/a_(b))')).toEqual(['https://e.org/a_(b)']);
    expect(links('https://e.org/a_(b')).toEqual([]);
  });

  test('ignores words without a known top-level domain', () => {
    expect(links('foo.bar2 views.py a.commandstuff() ... 1.5 e.g. v1.2.3')).toEqual([]);
  });

  test('finds e-mail and bitcoin addresses', () => {
    expect(links('a.b@c.org, bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toEqual([
      'a.b@c.org',
      'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    ]);
  });

  test('finds a link after a letter outside ASCII', () => {
    expect(links('見てhttps://e.org/x。')).toEqual(['https://e.org/x。']);
  });

  test('finds a link whose host starts with a letter of two code units', () => {
    expect(links('https://𠮷/x https://𠮷野.example.com/y 𠮷.com/z')).toEqual([
      'https://𠮷/x',
      'https://𠮷野.example.com/y',
      '𠮷.com/z',
    ]);
  });

  test('matches are sorted, do not overlap, and have the right text', () => {
    const word = fc.constantFrom('http://', 'a.com', '/', '(', ')', '.', ',', ' ', 'é', '"', '@', 'x', ':', '?', '\n');
    fc.assert(
      fc.property(
        fc.array(word).map((parts) => parts.join('')),
        (text) => {
          let last = 0;
          for (const {start, end, text: found} of findAutolinks(text)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(text.slice(start, end)).toBe(found);
            expect(found).not.toMatch(/[\s"]/);
            last = end;
          }
        },
      ),
    );
  });
});

describe('narrow links', () => {
  test('former operator names are parsed', () => {
    expect(parseNarrowLink('#narrow/pm-with/9,12-group')).toEqual([{operator: 'dm', operand: [9, 12], negated: false}]);
    expect(parseNarrowLink('#narrow/stream/5-a/subject/b.20c')).toEqual([
      {operator: 'channel', operand: 5, negated: false},
      {operator: 'topic', operand: 'b c', negated: false},
    ]);
    expect(parseNarrowLink('#narrow/stream/old-name', () => 8)).toMatchObject([{operand: 8}]);
  });

  test('other links are not parsed', () => {
    for (const url of ['#inbox', 'https://e.org/', '#narrow', '#narrow/near/x', '#narrow/dm/', '#narrow/channel/']) {
      expect(parseNarrowLink(url)).toBeUndefined();
    }
  });

  test('any operand can be encoded and decoded', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), (operand) => {
        const encoded = encodeNarrowOperand(operand);
        expect(encoded).toMatch(/^[\w.~-]*$/);
        expect(decodeNarrowOperand(encoded)).toBe(operand);
      }),
    );
  });

  test('a written link parses to the same terms', () => {
    const terms = [
      {operator: 'channel', operand: 4, negated: false},
      {operator: 'topic', operand: 'a/b (c)', negated: true},
      {operator: 'near', operand: 77, negated: false},
    ];
    const link = narrowLink(terms, () => 'My channel');
    expect(link).toBe('#narrow/channel/4-My-channel/-topic/a.2Fb.20.28c.29/near/77');
    expect(parseNarrowLink(link)).toEqual(terms);
    expect(channelSlug(1, 'a.b c')).toBe('1-a.2Eb-c');
  });
});

describe('link targets', () => {
  test('a scheme that is not allowed is rejected in any spelling', () => {
    for (const url of [
      'javascript:x',
      ' javascript:x',
      'java\nscript:x',
      'JAVASCRIPT://e.org',
      'file:///etc',
      'blob:x',
    ]) {
      expect(safeUrl(url.trim())).toBeUndefined();
    }
    expect(safeUrl('file:///etc', true)).toBe('file:///etc');
  });

  test('links into the organization become relative', () => {
    const context = {realmUrl: 'https://chat.example.com'};
    expect(linkTarget('https://chat.example.com/#narrow/dm/1', context)).toBe('#narrow/dm/1');
    expect(linkTarget('https://chat.example.com/help', context)).toBe('https://chat.example.com/help');
  });
});
