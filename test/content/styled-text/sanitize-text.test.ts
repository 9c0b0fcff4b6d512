import {describe, expect, test} from 'vitest';
import {sanitizeText, sanitizeUrl} from '#content/styled-text/sanitize-text.ts';

describe('text from outside', () => {
  test.each([
    ['escape sequences lose what makes them work', 'a\u001b[31mb\u001b]0;t\u0007c', 'a[31mb]0;tc'],
    ['so do those of one byte', 'a\u009b31mb\u009d0;t\u009c', 'a31mb0;t'],
    ['nothing turns text around', 'abc\u202edcba\u2066x\u2069\u200f', 'abcdcbax'],
    ['nothing hides in names', 'pay\u200bpal\u2060\ufeff\u00ad\u034f', 'paypal'],
    ['no joiners in Latin words', 'a\u200db\u200cc', 'abc'],
    ['a joiner beside something that cannot be seen', '\ufe0f\u200cword \u0628\u200c\ufe0f', 'word \u0628'],
    ['tags hide messages', 'hi\u{e0041}\u{e0042}\u{e007f}', 'hi'],
    ['letters that cannot be seen', '\u3164\u115f\u1160\uffa0x', 'x'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['lines and tabs become spaces', 'a\nb\tc\u2028d\r\ne', 'a b c d e'],
    ['a mark without a letter gets one of its own', '\u0301a', '\u25cc\u0301a'],
    ['so does a vowel without its consonant', '\u1161b', '\u25cc\u1161b'],
    ['a whole syllable in parts stays', '\u1112\u1161\u11ab', '\u1112\u1161\u11ab'],
    ['marks do not tower', `a${'\u0301'.repeat(50)}`, `a${'\u0301'.repeat(10)}`],
  ])('%s', (_, text, shown) => {
    expect(sanitizeText(text)).toBe(shown);
  });

  test.each(['👩‍💻', '❤️', '☺︎', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष', 'Grüße', '日本語', 'שָׁלוֹם', 'a\u00a0b'])(
    '%s stays',
    (text) => {
      expect(sanitizeText(text)).toBe(text);
    },
  );
});

test('sanitizeUrl: characters that must not be shown are percent-encoded', () => {
  expect(sanitizeUrl('https://x.org/a\u202eb\u001b\u200bc d')).toBe('https://x.org/a%E2%80%AEb%1B%E2%80%8Bc%20d');
  expect(sanitizeUrl('https://пример.рф/日本')).toBe('https://пример.рф/日本');
});
