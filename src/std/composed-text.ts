/**
 * Texts that are composed of a sentence and of values: names, topics, words of a message, numbers. A value in a right-to-left script
 * would change the place of what stands around it, so it is put between the marks of an isolate. Every output understands them or
 * leaves them out; texts that are edited, sent or compared have none.
 */

const rightToLeft = /[\u0590-\u08ff\u2068\u2069\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/;

/** Returns whether a text has a character of a right-to-left script, or an isolate. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

export const isolateStart = '\u2068';
export const isolateEnd = '\u2069';

/** Returns a value for a composed text: isolated if it has right-to-left characters and is not composed itself. */
function isolated(value: string | number | undefined): string {
  const text = String(value);
  return !hasRightToLeft(text) || text.includes(isolateStart) ? text : `${isolateStart}${text}${isolateEnd}`;
}

/** Composes a text: `composed` before a template isolates its values. Every text with a value that people wrote is made by it. */
export function composed(texts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string {
  return texts.reduce((whole, text, at) => whole + isolated(values[at - 1]) + text);
}

/** Joins values, such as names, in a text. */
export function joined(values: readonly string[], separator = ', '): string {
  return values.map(isolated).join(separator);
}

const marks = /[\u2068\u2069]/g;

/** Removes the isolates of a composed text, where it is compared, or shown by something that does not know them. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(marks, '');
}
