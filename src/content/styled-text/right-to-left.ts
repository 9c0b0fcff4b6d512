import type {Paragraph} from './line.ts';

/**
 * Who orders the characters of right-to-left scripts: Parley; Parley the words and the terminal the letters of each; the terminal with
 * the help of isolates; or nobody.
 */
export type Bidi = 'reorder' | 'words' | 'terminal' | 'off';

/** Returns whether Parley decides in which column a character of right-to-left text is shown. */
export function isPlacedByParley(order: string): boolean {
  return order === 'reorder' || order === 'words';
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/;

/** Returns whether a text has a character of a right-to-left script. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

export const firstStrong = /\p{L}/u;

/** Returns whether a paragraph is laid out from the right: its first letter is of a right-to-left script. */
export function isRightToLeft({text, isCode}: Paragraph): boolean {
  return isCode !== true && hasRightToLeft(firstStrong.exec(text)?.[0] ?? '');
}
