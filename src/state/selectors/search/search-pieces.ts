import {dateOperator, operatorName} from '#wire/narrow.ts';

/** A token of the search text. */
export type SearchPiece = {
  /** The position in the text. */
  readonly start: number;
  readonly end: number;
} & (
  | {
      readonly kind: 'term';
      readonly operator: string;
      readonly operand: string;
      readonly negated: boolean;
      /** An operand is present, even if it is an empty pair of quotes. */
      readonly hasOperand: boolean;
      readonly written: string;
    }
  | {readonly kind: 'word'; readonly text: string}
);

export interface SearchPieces {
  readonly pieces: readonly SearchPiece[];
  /** A quotation mark is not closed. */
  readonly isOpen: boolean;
}

const space = /\s/u;
const operatorStart = /^-?([a-z][a-z_-]*):/iu;

/**
 * Splits search text into tokens. Quotes group words, and `\"` inside them is a quote; outside, `+` in an
 * operand is a space.
 */
export function searchPieces(text: string): SearchPieces {
  const pieces: SearchPiece[] = [];
  let isOpen = false;
  let index = 0;
  while (index < text.length) {
    if (space.test(text[index] ?? '')) {
      index += 1;
      continue;
    }
    const [start, name = ''] = operatorStart.exec(text.slice(index, index + 40)) ?? [];
    const typed = name.toLowerCase();
    const operator = start === undefined ? undefined : (operatorName(typed) ?? dateOperator(typed));
    const from = index + (operator === undefined ? 0 : (start?.length ?? 0));
    const end = pieceEnd(text, from);
    isOpen ||= end.isOpen;
    const written = text.slice(index, end.at);
    const range = {start: index, end: end.at};
    if (operator === undefined) pieces.push({kind: 'word', text: written, ...range});
    else {
      const operand = unquoted(text.slice(from, end.at));
      const negated = written.startsWith('-');
      pieces.push({kind: 'term', operator, operand, negated, hasOperand: end.at > from, written, ...range});
    }
    index = end.at;
  }
  return {pieces, isOpen};
}

/** Returns the end of a token: the next whitespace outside quotes. */
function pieceEnd(text: string, from: number): {at: number; isOpen: boolean} {
  let inQuotes = false;
  let index = from;
  for (; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (inQuotes && character === '\\') index += 1;
    else if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && space.test(character)) break;
  }
  return {at: Math.min(index, text.length), isOpen: inQuotes};
}

function unquoted(written: string): string {
  let text = '';
  let inQuotes = false;
  for (let index = 0; index < written.length; index += 1) {
    const character = written[index] ?? '';
    const next = written[index + 1];
    if (character === '"') inQuotes = !inQuotes;
    else if (inQuotes && character === '\\' && (next === '"' || next === '\\')) {
      text += next;
      index += 1;
    } else text += !inQuotes && character === '+' ? ' ' : character;
  }
  return text;
}

/** Returns an operand as it must be typed. */
export function quotedOperand(text: string): string {
  if (/^[^\s"+\\]+$/u.test(text)) return text;
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}
