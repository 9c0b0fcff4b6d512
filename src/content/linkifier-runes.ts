/** How the library reads a text: as code points, with conditions between them. */

const beginLine = 1;
const endLine = 2;
const beginText = 4;
const endText = 8;
const wordEdge = 16;
const noWordEdge = 32;

export const conditionBits = 6;
/** Those that hold only where the text begins or ends. */
export const edgeConditions = beginText | endText;

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

export function widthAt(text: string, at: number): 1 | 2 {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
}

export function runeBefore(text: string, at: number): readonly [rune: number, width: number] {
  const unit = text.charCodeAt(at - 1);
  if (!isLow(unit) || !isHigh(text.charCodeAt(at - 2))) return [unit, 1];
  return [text.codePointAt(at - 2) ?? unit, 2];
}

/** What holds between two characters, in the bits the library uses. */
export function conditionsAt(text: string, at: number): number {
  const before = at === 0 ? -1 : text.charCodeAt(at - 1);
  const after = at === text.length ? -1 : text.charCodeAt(at);
  let conditions = isWord(before) === isWord(after) ? noWordEdge : wordEdge;
  if (before === -1) conditions |= beginText | beginLine;
  if (before === 0x0a) conditions |= beginLine;
  if (after === -1) conditions |= endText | endLine;
  if (after === 0x0a) conditions |= endLine;
  return conditions;
}

/** ASCII letters, digits and `_`. */
function isWord(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f
  );
}
