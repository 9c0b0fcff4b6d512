/** Parses and writes links to views, `#narrow/channel/13-Denmark/topic/desktop/near/555`, with all former operator names. */

import {operatorName} from '#wire/narrow.ts';

type NarrowOperand = string | number | number[];
type NarrowLinkTerm = {operator: string; operand: NarrowOperand; negated: boolean};

/**
 * Returns the terms of a narrow link, given as a URL or as a fragment; undefined when it is not a valid narrow link.
 * `channelBySlug` resolves old links without a channel id, whose operand is the name with dashes.
 */
export function parseNarrowLink(
  url: string,
  channelBySlug?: (slug: string) => number | undefined,
): NarrowLinkTerm[] | undefined {
  const hash = url.indexOf('#');
  const [head, ...parts] = url.slice(hash + 1).split('/');
  if (hash < 0 || head !== 'narrow') return undefined;
  if (parts.at(-1) === '' && parts.length % 2 === 1) parts.pop(); // A trailing slash.
  const terms: NarrowLinkTerm[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const term = parseTerm(parts[i] ?? '', parts[i + 1] ?? '', channelBySlug);
    if (term === undefined) return undefined;
    terms.push(term);
  }
  return terms.length === 0 ? undefined : terms;
}

function parseTerm(
  rawOperator: string,
  rawOperand: string,
  channelBySlug: ((slug: string) => number | undefined) | undefined,
): NarrowLinkTerm | undefined {
  const typed = decodeNarrowOperand(rawOperator);
  const text = decodeNarrowOperand(rawOperand);
  if (typed === undefined || text === undefined) return undefined;
  const negated = typed.startsWith('-');
  const name = negated ? typed.slice(1) : typed;
  if (name === '') return undefined;
  const operator = name === 'group-pm-with' ? 'dm-including' : (operatorName(name) ?? name);
  const operand = parseOperand(operator, text, channelBySlug);
  return operand === undefined ? undefined : {operator, operand, negated};
}

function parseOperand(
  operator: string,
  text: string,
  channelBySlug: ((slug: string) => number | undefined) | undefined,
): NarrowOperand | undefined {
  switch (operator) {
    case 'channel':
      return leadingId(text) ?? channelBySlug?.(text);
    case 'near':
    case 'with':
    case 'id':
      return /^\d+$/.test(text) ? Number(text) : undefined;
    case 'dm':
    case 'dm-including':
    case 'sender':
      return userIds(text);
    default:
      return text;
  }
}

/** Parses `13-Denmark` or `13`. */
function leadingId(text: string): number | undefined {
  const digits = /^(\d+)(?:-|$)/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Parses `15-John` and `15,12,13-group`; an e-mail address or `me` stays text. */
function userIds(text: string): NarrowOperand | undefined {
  const list = /^(\d+(?:,\d+)*)(?:-|$)/.exec(text)?.[1];
  if (list === undefined) return text.includes('@') || text === 'me' ? text : undefined;
  const ids = list.split(',').map(Number);
  return ids.length === 1 ? ids[0] : ids;
}

/** Decodes percent-encoding that uses `.` for `%`, as narrow links do; undefined when it is malformed. */
export function decodeNarrowOperand(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('.', '%'));
  } catch {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return undefined;
    }
  }
}

/** Encodes an operand. Parentheses, stars and the like are encoded too, so the link is safe inside Markdown. */
export function encodeNarrowOperand(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

export function channelSlug(id: number, name: string): string {
  return `${id}-${encodeNarrowOperand(name.replaceAll(' ', '-'))}`;
}

/** Returns the link `#narrow/…` for terms. `channelName` supplies the readable part of channel operands. */
export function narrowLink(terms: readonly NarrowLinkTerm[], channelName?: (id: number) => string | undefined): string {
  const parts = terms.map(({operator, operand, negated}) => {
    const sign = negated ? '-' : '';
    return `${sign}${encodeNarrowOperand(operator)}/${operandText(operator, operand, channelName)}`;
  });
  return ['#narrow', ...parts].join('/');
}

function operandText(
  operator: string,
  operand: NarrowOperand,
  channelName: ((id: number) => string | undefined) | undefined,
): string {
  if (Array.isArray(operand)) return `${operand.join(',')}-group`;
  if (typeof operand === 'string') return encodeNarrowOperand(operand);
  const name = operator === 'channel' ? channelName?.(operand) : undefined;
  return name === undefined ? String(operand) : channelSlug(operand, name);
}

const references: Readonly<Record<string, string>> = {
  '`': '&#96;',
  '>': '&gt;',
  '*': '&#42;',
  '&': '&amp;',
  '[': '&#91;',
  ']': '&#93;',
  $: '&#36;',
};

/** Returns the text of a link with references for the characters that would be markup in it. */
export function escapeLinkText(text: string): string {
  return text.replaceAll(/[`>*&[\]]|\$(?=\$)|(?<=\$)\$/g, (sign) => references[sign] ?? sign);
}
