import fc from 'fast-check';
import {expect, test} from 'vitest';
import {builtInEmoji, emojiCodeOfCharacters} from '#content/emoji.ts';
import {emojiText} from '#content/emoji-text.ts';
import {expectHarmless, hostileText} from './hostile-text.ts';

const plain = {ascii: false};
const unicode = (code: string, name = 'x') => ({kind: 'unicode', code, name}) as const;

test.each([
  ['1f44d', '👍'],
  ['1f1e9-1f1ea', '🇩🇪'],
  ['1f44d-1f3fd', '👍🏽'],
  ['1F44D', '👍'],
  ['1f3f4-e0067-e0062-e0065-e006e-e0067-e007f', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['1f468-200d-1f469-200d-1f467', '👨‍👩‍👧'],
  ['2764', '❤'],
  ['0031-20e3', '1⃣'],
])('emojiText: code %s is shown as %s', (code, text) => {
  expect(emojiText(unicode(code), plain)).toBe(text);
});

test.each([
  '001b',
  '0041',
  '0031',
  'd800',
  '110000',
  'zz',
  '',
  '-',
  '1f44d-001b',
  '202e',
  '1f1e9',
  '1f44d-'.repeat(5000),
])('emojiText: code %s is not an emoji, so its name is shown', (code) => {
  expect(emojiText(unicode(code, 'smile'), plain)).toBe(':smile:');
});

test('emojiText: custom and extra emoji, and terminals without emoji, show the name', () => {
  expect(emojiText({kind: 'custom', name: 'party_parrot'}, plain)).toBe(':party_parrot:');
  expect(emojiText({kind: 'extra', name: 'zulip'}, plain)).toBe(':zulip:');
  expect(emojiText(unicode('1f44d', '+1'), {ascii: true})).toBe(':+1:');
});

test('emojiText: with wideVariation, U+FE0F is added only where it changes the presentation', () => {
  const wide = {ascii: false, wideVariation: true};
  expect(emojiText(unicode('2764'), wide)).toBe('❤\ufe0f');
  expect(emojiText(unicode('0031-20e3'), wide)).toBe('1\ufe0f\u20e3');
  expect(emojiText(unicode('1f3f3-200d-1f308'), wide)).toBe('\u{1f3f3}\ufe0f\u200d\u{1f308}');
  expect(emojiText(unicode('261d-1f3fd'), wide)).toBe('\u261d\u{1f3fd}');
  expect(emojiText(unicode('1f44d'), wide)).toBe('👍');
});

test('emojiText: without sequence support, a sequence shows its name', () => {
  const noSequences = {ascii: false, sequences: false};
  expect(emojiText(unicode('1f468-200d-1f469', 'couple'), noSequences)).toBe(':couple:');
  expect(emojiText(unicode('1f1e9-1f1ea', 'de'), noSequences)).toBe(':de:');
  expect(emojiText(unicode('1f44d'), noSequences)).toBe('👍');
});

test('emojiText: every emoji is shown in every mode', () => {
  for (const [code, [name = '']] of Object.entries(builtInEmoji().codeToNames)) {
    for (const wideVariation of [true, false]) {
      const text = emojiText(unicode(code, name), {ascii: false, wideVariation});
      expect(emojiCodeOfCharacters(text)).toBe(code);
    }
    expect(emojiText(unicode(code, name), {ascii: true})).toBe(`:${name}:`);
  }
});

test('emojiText: hostile codes and names give no control characters', () => {
  const code = fc.oneof(
    hostileText(['1f44d', '-']),
    fc
      .array(fc.integer({min: 0, max: 0x11ffff}), {maxLength: 6})
      .map((all) => all.map((n) => n.toString(16)).join('-')),
  );
  fc.assert(
    fc.property(code, hostileText(), fc.boolean(), (hex, name, wideVariation) => {
      expectHarmless(emojiText(unicode(hex, name), {ascii: false, wideVariation}));
    }),
  );
});
