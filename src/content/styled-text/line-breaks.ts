/** Closing marks, small kana and the like do not begin a line, opening ones do not end it. Spaces belong before. */
export const notAtLineStart =
  /^[\s!),.:;?\]}%'"’”…‥、。〃々〉》」』】〕〗〙〟゛゜ゝゞーァィゥェォッャュョヮヵヶぁぃぅぇぉっゃゅょゎ・！），．：；？］｝｡｣､｠»]/u;
export const notAtLineEnd = /^[([{'"‘“〈《「『【〔〖〘〝（［｛｢｟«#@]/u;
const partEnds = /[/?&=#._\-,;:%+\\|@)]/;

// What a character is to the lines around it.
export const cannotStartLine = 1;
export const cannotEndLine = 2;
/** The end of a part of a long word, such as an address. */
export const endsWordPart = 4;
const met = 8;
/** Of code units as they have been met: patterns are too slow to ask them for each character. */
const marks = new Uint8Array(0x10000);

export function lineBreakFlags(unit: number): number {
  return marks[unit] || newLineBreakFlags(unit);
}

function newLineBreakFlags(unit: number): number {
  const character = String.fromCharCode(unit);
  let found = met;
  if (notAtLineStart.test(character)) found |= cannotStartLine;
  if (notAtLineEnd.test(character)) found |= cannotEndLine;
  if (partEnds.test(character)) found |= endsWordPart;
  marks[unit] = found;
  return found;
}

export function isWordCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
}
