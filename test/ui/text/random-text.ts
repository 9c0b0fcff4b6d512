import fc from 'fast-check';
import {boundaryAfter} from '#ui/text/graphemes.ts';

/** Characters that join, vanish, reverse text, are wide, or are special to the layout. */
const pieces = [
  ...[
    'a',
    'b',
    'word',
    ' ',
    '  ',
    '\n',
    '\t',
    '-',
    "don't",
    '.',
    '/',
    '`',
    '**',
    '\\',
    '```\n',
    'long-hyphenated-name',
  ],
  ...['é', 'e\u0301', '\u0301', 'ß', 'п', '日本', '語', '。', '「', 'ひらがな', '한', '\u1100', '\u1161', '\u3000'],
  ...['👍', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🇩🇪', '🇩', '\u200d', '\ufe0f', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u{1f3fd}'],
  ...['नमस्ते', 'क्', 'ष', 'र्त्स्न्य', 'می‌خواهم', '\u200c', 'ไทย', '\u0e33', 'שלום'],
  ...['\u0000', '\u001b', '\u007f', '\u009b', '\u00ad', '\u200b', '\u202e', '\u2028', '\u0085', '\ud83d', '\u{e0041}'],
];

export const anyText = fc
  .array(fc.constantFrom(...pieces), {maxLength: 24})
  .map((parts) => parts.join('').toWellFormed());

export const anyWidth = fc.oneof(fc.integer({min: 1, max: 12}), fc.integer({min: 1, max: 60}));

const clusters = new Intl.Segmenter('en', {granularity: 'grapheme'});

/** Whether it has clusters so wide that they are split; parts of those may take fewer columns side by side. */
export function hasDivided(text: string): boolean {
  const boundaries = boundariesOf(text);
  return Array.from(clusters.segment(text)).some(({segment, index}) =>
    boundaries.some((at) => at > index && at < index + segment.length),
  );
}

/** Returns all offsets where a cursor may stand. */
export function boundariesOf(text: string): number[] {
  const found = [0];
  for (let at = 0; at < text.length; ) {
    at = boundaryAfter(text, at);
    found.push(at);
  }
  return found;
}
