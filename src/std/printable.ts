/** What moves the cursor, changes colours, rings, or turns text around: C0 and C1 controls, direction marks. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;

/** Text from outside, safe to show in a terminal. Lines and tabs stay, everything else that a terminal obeys goes. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(lineEnds, '\n').replaceAll(controls, '');
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text)
    .replaceAll(/[\n\t ]+/g, ' ')
    .trim();
}

/** What JSON leaves as it is although terminals obey it. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that says the same to every parser and does nothing to a terminal. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replaceAll(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
