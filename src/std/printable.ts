/** C0 and C1 controls and direction marks: they move the cursor, change colours, ring the bell or reverse text. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;

/** Removes control characters from text from outside, so that it is safe in a terminal. Line ends and tabs stay. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(lineEnds, '\n').replaceAll(controls, '');
}

/** Like `printable`, but keeps colors and emphasis (SGR sequences), for lines that the program has styled. */
export function printableStyled(text: string): string {
  const parts = text.split(/(\u001b\[[\d;:]*m)/);
  return parts.map((part, at) => (at % 2 === 1 ? part : printable(part))).join('');
}

/** Like `printable`, on one line. */
export function printableLine(text: string): string {
  return printable(text)
    .replaceAll(/[\n\t ]+/g, ' ')
    .trim();
}

/** Control characters that JSON does not escape. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns JSON with all control characters escaped, so that it is safe in a terminal. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replaceAll(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
