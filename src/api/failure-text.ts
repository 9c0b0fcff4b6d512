const longest = 400;

/** Text from outside, fit for one line of a terminal: no control characters, no direction marks, not endless. */
export function shortPrintableLine(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g, '')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest).trimEnd()}…`;
}

/** Ends like a sentence. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
