/** Flags of characters that decide where a line may break. */

/** Closing punctuation, small kana and spaces do not start a line; opening punctuation does not end one. */
export const notAtLineStart =
  /^[\s!),.:;?\]}%'"’”…‥、。〃々〉》」』】〕〗〙〟゛゜ゝゞーァィゥェォッャュョヮヵヶぁぃぅぇぉっゃゅょゎ・！），．：；？］｝｡｣､｠»]/u;
export const notAtLineEnd = /^[([{'"‘“〈《「『【〔〖〘〝（［｛｢｟«#@]/u;
const partEnds = /[/?&=#._\-,;:%+\\|@)]/;

// Bit flags.
export const cannotStartLine = 1;
export const cannotEndLine = 2;
/** The character ends a part of a long word, such as a URL. */
export const endsWordPart = 4;
const isComputed = 8;
/** The flags of each code unit, 0 until computed. The patterns are too slow to test for each character. */
const flagsByUnit = new Uint8Array(0x10000);

export function lineBreakFlags(unit: number): number {
  return flagsByUnit[unit] || computeLineBreakFlags(unit);
}

function computeLineBreakFlags(unit: number): number {
  const character = String.fromCharCode(unit);
  let flags = isComputed;
  if (notAtLineStart.test(character)) flags |= cannotStartLine;
  if (notAtLineEnd.test(character)) flags |= cannotEndLine;
  if (partEnds.test(character)) flags |= endsWordPart;
  flagsByUnit[unit] = flags;
  return flags;
}

export function isWordCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
}
