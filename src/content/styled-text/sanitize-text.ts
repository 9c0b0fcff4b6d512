/** Makes text from outside safe to show in a terminal. */

import {copyText, LruCache, textEntryBytes} from '#std/lru-cache.ts';
import {printable} from '#std/printable.ts';

/**
 * Matches any character but Latin, Greek, Cyrillic, Armenian, punctuation, symbols, Chinese, Japanese, Korean and single
 * pictures (as two surrogates). All of these are visible and harmless, so a text of them needs no further check.
 */
const doubtful =
  /[^\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098\u309b-\u3163\u3165-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff\uff01-\uff9d]/;
/** From here on, the output stage and terminals take private characters for cells of images, so no text may contain them. */
export const firstImageCell = 0x10_0000;
const imageCells = /[\u{100000}-\u{10ffff}]/gu;
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
  return printable(text.replaceAll('\t', ' '))
    .replaceAll('\n', ' ')
    .replaceAll(imageCells, '\ufffd')
    .replace(looseMark, '\u25cc$&');
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
