/** Reads a text as re2js does: as runes (code points), with conditions such as word boundaries between them. */

const beginLine = 1;
const endLine = 2;
const beginText = 4;
const endText = 8;
const wordBoundary = 16;
const noWordBoundary = 32;

export const conditionBits = 6;
/** The conditions that are true only at the start or end of a text. */
export const edgeConditions = beginText | endText;

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Returns how many UTF-16 units the rune at `at` has. */
export function widthAt(text: string, at: number): 1 | 2 {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
}

/** Returns the rune that ends at `at`. */
export function runeBefore(text: string, at: number): readonly [rune: number, width: number] {
  const unit = text.charCodeAt(at - 1);
  if (!isLowSurrogate(unit) || !isHighSurrogate(text.charCodeAt(at - 2))) return [unit, 1];
  return [text.codePointAt(at - 2) ?? unit, 2];
}

/** Returns the conditions that are true at `at`, as re2js's bits. */
export function conditionsAt(text: string, at: number): number {
  const before = at === 0 ? -1 : text.charCodeAt(at - 1);
  const after = at === text.length ? -1 : text.charCodeAt(at);
  let conditions = isWord(before) === isWord(after) ? noWordBoundary : wordBoundary;
  if (before === -1) conditions |= beginText | beginLine;
  if (before === 0x0a) conditions |= beginLine;
  if (after === -1) conditions |= endText | endLine;
  if (after === 0x0a) conditions |= endLine;
  return conditions;
}

/** Returns whether a unit is an ASCII letter, a digit or `_`. */
function isWord(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f
  );
}
