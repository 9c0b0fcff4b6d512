/** Makes text from outside safe to show in a terminal. */

import {copyText, LruCache, textEntryBytes} from '#std/lru-cache.ts';
import {printable} from '#std/printable.ts';

/**
 * Matches any character but Latin, Greek, Cyrillic, Armenian, punctuation, symbols, Chinese, Japanese, Korean and single
 * pictures (as two surrogates). All of these are visible and harmless, so a text of them needs no further check.
 */
const doubtful =
  /[^\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098\u309b-\u3163\u3165-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff\uff01-\uff9d]/;
/** Invisible characters. The flags of England, Scotland and Wales use invisible tags; elsewhere tags can hide text. */
const invisible =
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Long stacks of combining marks, which would cover other lines. No script needs more than a few. */
const stackedMarks = /(\p{M}{10})\p{M}+/gu;
const picture = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const startsPicture = /^\p{Extended_Pictographic}/u;
const mayBePicture = /[\p{Extended_Pictographic}0-9#*]$/u;
/** Joiners are part of the spelling of Arabic, Persian and Indic words, never of Latin ones. */
const joinedBefore = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]$/u;
const joinedAfter = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]/u;

/**
 * A combining mark at the start of a text, or the second or third letter of a Korean syllable. The terminal would draw it
 * onto the character to the left, perhaps in another pane.
 */
const looseMark = /^[\p{M}\u1161-\u11ff\ud7b0-\ud7fb]/u;

/**
 * Returns text from outside for one line of the screen: without control sequences, without direction changes, and without
 * invisible characters that make two names look alike or a width wrong. Line ends and tabs become spaces.
 */
export function sanitizeText(text: string): string {
  if (!doubtful.test(text) && text.isWellFormed()) return text;
  if (text.length > maxCachedLength) return computeSafeText(text);
  const known = cache.get(text);
  if (known !== undefined) return known;
  const key = copyText(text);
  const safe = computeSafeText(key);
  cache.set(key, safe);
  return safe;
}

/** Results for short texts. Sanitizing takes a dozen passes, and the same few emoji and letters occur again and again. */
const cache = new LruCache<string, string>(128 * 1024, textEntryBytes);
const maxCachedLength = 32;

function computeSafeText(text: string): string {
  const safe = printable(text);
  return (/[\n\t]/.test(safe) ? safe.replaceAll(/[\n\t]/g, ' ') : safe)
    .replaceAll(invisible, (match, at: number, whole: string) =>
      match.length > 2 || isLegitimate(match, at, whole) ? match : '',
    )
    .replaceAll(stackedMarks, '$1')
    .replace(looseMark, '\u25cc$&');
}

/** Returns whether an invisible character is part of an emoji or of a word's spelling. */
function isLegitimate(character: string, at: number, whole: string): boolean {
  // Any character has at most two code units.
  const before = whole.slice(Math.max(0, at - 2), at);
  const after = whole.slice(at + 1, at + 3);
  if (character === '\ufe0e' || character === '\ufe0f') return mayBePicture.test(before);
  if (character !== '\u200c' && character !== '\u200d') return false;
  if (character === '\u200d' && picture.test(before) && startsPicture.test(after)) return true;
  return (before.at(-1) ?? '') >= '\u0600' && joinedBefore.test(before) && joinedAfter.test(after);
}

/** Percent-encodes the characters of a URL that must not be shown, so that it still leads to the same page. */
export function sanitizeUrl(url: string): string {
  if (/^[\u0021-\u007e]*$/.test(url)) return url;
  return url
    .toWellFormed()
    .replaceAll(
      /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu,
      (character) => encodeURIComponent(character),
    );
}
