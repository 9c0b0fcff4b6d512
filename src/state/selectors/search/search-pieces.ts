import {operatorName} from '#wire/narrow.ts';

/** A piece of what was typed into the search box. */
export type SearchPiece = {
  /** Where it stands in what was typed. */
  readonly start: number;
  readonly end: number;
} & (
  | {
      readonly kind: 'term';
      readonly operator: string;
      readonly operand: string;
      readonly negated: boolean;
      /** Something was written, if only an empty pair of quotes. */
      readonly hasOperand: boolean;
      readonly written: string;
    }
  | {readonly kind: 'word'; readonly text: string}
);

export interface SearchPieces {
  readonly pieces: readonly SearchPiece[];
  /** A quote was opened and never closed. */
  readonly isOpen: boolean;
}

const space = /\s/u;
const operatorStart = /^-?([a-z][a-z_-]*):/iu;

/** Quotes hold words together, inside them `\"` is a quote; outside, `+` in an operand is a space. */
export function searchPieces(text: string): SearchPieces {
  const pieces: SearchPiece[] = [];
  let isOpen = false;
  let at = 0;
  while (at < text.length) {
    if (space.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const [start, name = ''] = operatorStart.exec(text.slice(at, at + 40)) ?? [];
    const operator = start === undefined ? undefined : operatorName(name.toLowerCase());
    const from = at + (operator === undefined ? 0 : (start?.length ?? 0));
    const end = pieceEnd(text, from);
    isOpen ||= end.isOpen;
    const written = text.slice(at, end.at);
    const place = {start: at, end: end.at};
    if (operator === undefined) pieces.push({kind: 'word', text: written, ...place});
    else {
      const operand = unquoted(text.slice(from, end.at));
      const negated = written.startsWith('-');
      pieces.push({kind: 'term', operator, operand, negated, hasOperand: end.at > from, written, ...place});
    }
    at = end.at;
  }
  return {pieces, isOpen};
}

/** Where white space ends it that is not between quotes. */
function pieceEnd(text: string, from: number): {at: number; isOpen: boolean} {
  let inQuotes = false;
  let at = from;
  for (; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (inQuotes && character === '\\') at += 1;
    else if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && space.test(character)) break;
  }
  return {at: Math.min(at, text.length), isOpen: inQuotes};
}

function unquoted(written: string): string {
  let text = '';
  let inQuotes = false;
  for (let at = 0; at < written.length; at += 1) {
    const character = written[at] ?? '';
    const next = written[at + 1];
    if (character === '"') inQuotes = !inQuotes;
    else if (inQuotes && character === '\\' && (next === '"' || next === '\\')) {
      text += next;
      at += 1;
    } else text += !inQuotes && character === '+' ? ' ' : character;
  }
  return text;
}

/** An operand as it has to be typed. */
export function quotedOperand(text: string): string {
  if (/^[^\s"+\\]+$/u.test(text)) return text;
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}
