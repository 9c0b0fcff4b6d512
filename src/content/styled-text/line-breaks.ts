/** Closing marks, small kana and the like do not begin a line, opening ones do not end it. Spaces belong before. */
export const neverFirst =
  /^[\s!),.:;?\]}%'"’”…‥、。〃々〉》」』】〕〗〙〟゛゜ゝゞーァィゥェォッャュョヮヵヶぁぃぅぇぉっゃゅょゎ・！），．：；？］｝｡｣､｠»]/u;
export const neverLast = /^[([{'"‘“〈《「『【〔〖〘〝（［｛｢｟«#@]/u;
const partEnds = /[/?&=#._\-,;:%+\\|@)]/;

// What a character is to the lines around it.
export const neverStarts = 1;
export const neverEnds = 2;
/** The end of a part of a long word, such as an address. */
export const partEnd = 4;
const met = 8;
/** Of code units as they have been met: patterns are too slow to ask them for each character. */
const marks = new Uint8Array(0x10000);

export function marksOf(unit: number): number {
  return marks[unit] || newMarks(unit);
}

function newMarks(unit: number): number {
  const character = String.fromCharCode(unit);
  let found = met;
  if (neverFirst.test(character)) found |= neverStarts;
  if (neverLast.test(character)) found |= neverEnds;
  if (partEnds.test(character)) found |= partEnd;
  marks[unit] = found;
  return found;
}

export function isWordCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

export function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
}
