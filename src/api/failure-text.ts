const maxLength = 400;

/** Returns text from outside as one line of limited length, without control characters and direction marks. */
export function shortPrintableLine(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g, '')
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength).trimEnd()}…`;
}

/** Adds a full stop unless the text ends with punctuation. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
