import {hasRightToLeft} from '#std/composed-text.ts';
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

export const firstStrong = /\p{L}/u;

/** A value in a composed text, up to its end or that of a text that was cut. */
export const isolatedValue = /\u2068[^\u2069]*/g;

/** Returns whether a paragraph is laid out from the right: its first letter outside isolates is of a right-to-left script. */
export function isRightToLeft({text, isCode}: Paragraph): boolean {
  return isCode !== true && hasRightToLeft(firstStrong.exec(text.replaceAll(isolatedValue, ''))?.[0] ?? '');
}
