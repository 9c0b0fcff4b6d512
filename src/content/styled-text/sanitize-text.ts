import {printable} from '#std/printable.ts';

/**
 * Anything but Latin, Greek, Cyrillic, Armenian, punctuation and symbols, Chinese, Japanese, Korean and single pictures (in
 * two halves): these are visible and harmless, each of them.
 */
const doubtful =
  /[^\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098\u309b-\u3163\u3165-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff\uff01-\uff9d]/;
/** The flags of England and its like are spelled with invisible tags; anywhere else tags hide messages. */
const invisible =
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Marks stacked on one letter paint over other lines. No script needs more than a few. */
const stackedMarks = /(\p{M}{10})\p{M}+/gu;
const picture = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const startsPicture = /^\p{Extended_Pictographic}/u;
const mayBePicture = /[\p{Extended_Pictographic}0-9#*]$/u;
/** Arabic, Persian and Indic words are spelled with joiners; Latin ones never are. What goes away itself joins nothing. */
const joinedBefore = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]$/u;
const joinedAfter = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]/u;

/**
 * Without a letter of its own it would be painted onto what stands to the left, another pane perhaps: marks, and the second
 * and third letters of Korean syllables.
 */
const looseMark = /^[\p{M}\u1161-\u11ff\ud7b0-\ud7fb]/u;

/**
 * Text from outside as it may stand in a line: nothing a terminal obeys, nothing that turns text around, nothing
 * invisible that makes two names look alike or a width wrong. Spaces stay, line ends and tabs become spaces.
 */
export function sanitizeText(text: string): string {
  if (!doubtful.test(text) && text.isWellFormed()) return text;
  if (text.length > longestKept) return safeText(text);
  let shown = kept.get(text);
  if (shown === undefined) {
    shown = safeText(text);
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, shown);
  }
  return shown;
}

/** Making text safe takes a dozen looks at it, and the same few emoji and letters come again and again. */
const kept = new Map<string, string>();
const longestKept = 32;
const mostKept = 1000;

function safeText(text: string): string {
  const safe = printable(text);
  return (/[\n\t]/.test(safe) ? safe.replaceAll(/[\n\t]/g, ' ') : safe)
    .replaceAll(invisible, (found, at: number, whole: string) =>
      found.length > 2 || isMeant(found, at, whole) ? found : '',
    )
    .replaceAll(stackedMarks, '$1')
    .replace(looseMark, '\u25cc$&');
}

function isMeant(character: string, at: number, whole: string): boolean {
  // Two code units are enough for any character.
  const before = whole.slice(Math.max(0, at - 2), at);
  const after = whole.slice(at + 1, at + 3);
  if (character === '\ufe0e' || character === '\ufe0f') return mayBePicture.test(before);
  if (character !== '\u200c' && character !== '\u200d') return false;
  if (character === '\u200d' && picture.test(before) && startsPicture.test(after)) return true;
  return (before.at(-1) ?? '') >= '\u0600' && joinedBefore.test(before) && joinedAfter.test(after);
}

/** Addresses keep their meaning: what may not be shown is percent-encoded. */
export function sanitizeUrl(url: string): string {
  if (/^[\u0021-\u007e]*$/.test(url)) return url;
  return url
    .toWellFormed()
    .replaceAll(
      /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu,
      (character) => encodeURIComponent(character),
    );
}
