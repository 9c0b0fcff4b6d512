import {directConversation} from '#state/model/conversation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {
  findChannel,
  findUser,
  isNumericId,
  type Lookup,
  type NameMatching,
} from '#state/selectors/names/find-by-name.ts';
import {topicFromText} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {systemClock} from '#std/clock.ts';
import {isoWithOffset, parseMoment, parsePastMoment} from '#std/parse-moment.ts';
import {didYouMean, editDistance, orList} from '#std/similar-names.ts';
import {
  dateOperator,
  type NarrowTerm,
  type Operand,
  type Operator,
  operands,
  operatorName,
  operators,
  orParts,
  orTerm,
  termSince,
} from '#wire/narrow.ts';
import {tooOldText} from '#wire/server-features.ts';

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

interface SearchPieces {
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

interface ParsedSearch {
  readonly narrow: Narrow;
  /** Sentences about the parts that were not understood and left out. */
  readonly problems: readonly string[];
  /** Whether a problem is the query itself, and not that something it names was not found. */
  readonly isMalformed: boolean;
}

interface MalformedTerm {
  readonly problem: string;
  readonly isMalformed: true;
}

const malformed = (problem: string): MalformedTerm => ({problem, isMalformed: true});

/** Joins searches: a message must match one of them. */
const orWord = 'OR';

/** Whether a text ends with an “OR”, after which another search is expected. */
export function endsWithOr(text: string): boolean {
  const last = searchPieces(text).pieces.at(-1);
  return last?.kind === 'word' && last.text === orWord;
}

/** Each part of a joined search is a request. */
const maxParts = 8;
const orProblem = `“${orWord}” needs a search on both sides. Write "${orWord}" in quotes to search for the word.`;

/**
 * Parses the text of the search box. With `exact`, the names of channels and users must be whole. Dates such as `yesterday`
 * count from `now`.
 */
export function parseSearch(
  state: AccountState,
  text: string,
  matching: NameMatching = 'partial',
  now: number = systemClock.now(),
): ParsedSearch {
  const {pieces, isOpen} = searchPieces(text);
  const groups: SearchPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'word' && piece.text === orWord) groups.push([]);
    else groups.at(-1)?.push(piece);
  }
  const parts = groups.map((group) => parsePart(state, group, matching, now));
  const problems = [
    ...(isOpen ? ['A closing quotation mark is missing.'] : []),
    ...parts.flatMap((part) => part.problems),
    ...joinProblems(groups, parts),
  ];
  const [first] = parts;
  const isMalformed = isOpen || parts.some((part) => part.isMalformed) || joinProblems(groups, parts).length > 0;
  const narrow = parts.length === 1 ? (first?.narrow ?? []) : parts.map((part) => orTerm(part.narrow));
  return {narrow, problems, isMalformed};
}

/** Returns why searches cannot be joined. */
function joinProblems(groups: readonly (readonly SearchPiece[])[], parts: readonly ParsedSearch[]): readonly string[] {
  if (groups.length === 1) return [];
  if (groups.some((group) => group.length === 0)) return [orProblem];
  if (groups.length > maxParts) return [`“${orWord}” can join at most ${maxParts} searches.`];
  const anchor = parts.flatMap(({narrow}) => narrow).find(({operator}) => operator === 'near' || operator === 'with');
  return anchor === undefined ? [] : [`“${anchor.operator}:” names one message and cannot be joined by “${orWord}”.`];
}

function parsePart(
  state: AccountState,
  pieces: readonly SearchPiece[],
  matching: NameMatching,
  now: number,
): ParsedSearch {
  const problems: string[] = [];
  let isMalformed = false;
  const terms: NarrowTerm[] = [];
  const words: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'word') {
      words.push(piece.text);
      const hint = misspelledOperator(piece.text);
      if (hint !== undefined) problems.push(hint);
      isMalformed ||= hint !== undefined;
      continue;
    }
    const term = termOf(state, piece, matching, now);
    if ('found' in term) terms.push(term.found);
    else {
      problems.push(term.problem);
      isMalformed ||= 'isMalformed' in term;
    }
  }
  if (words.length > 0) terms.push({operator: 'search', operand: words.join(' ')});
  if (terms.some(isOnlyInChannels) && terms.some(isOnlyDirect)) {
    problems.push('No message is both in a channel and a direct message.');
  }
  return {narrow: terms, problems, isMalformed};
}

function termOf(
  state: AccountState,
  piece: Extract<SearchPiece, {kind: 'term'}>,
  matching: NameMatching,
  now: number,
): Lookup<NarrowTerm> | MalformedTerm {
  const {operator, negated, hasOperand, written: typed} = piece;
  if (!hasOperand) return malformed(`“${typed}” needs a value after the colon.`);
  if (dateOperator(operator) !== undefined) {
    const at = parsePastMoment(piece.operand, now) ?? parseMoment(piece.operand, now, undefined);
    if (at === undefined)
      return malformed(`“${piece.operand}” is not a date. Write 2026-05-12, yesterday, mon or "12 May 14:00".`);
    // In whole minutes, as `searchText` writes it.
    return {found: {operator, operand: Math.floor(at / 60_000) * 60, ...(negated && {negated: true})}};
  }
  if (operator === 'search' && negated) return malformed(`Servers cannot exclude words: leave out “${typed}”.`);
  // The tokenizer accepts known operators only.
  const operand = operandOf(state, operator as Operator, piece.operand, matching);
  if ('problem' in operand) return operand;
  const term: NarrowTerm = {operator, operand: operand.found, ...(negated && {negated: true})};
  if (isSupportedByServer(state, term)) return {found: term};
  return {problem: `“${typed}”: ${tooOldText(termSince(term), state.server.level)}`};
}

function operandOf(
  state: AccountState,
  operator: Operator,
  typed: string,
  matching: NameMatching,
): Lookup<Operand> | MalformedTerm {
  switch (operator) {
    case 'channel': {
      const channel = findChannel(state, typed, matching);
      if ('found' in channel) return {found: channel.found.id};
      return isNumericId(typed) ? {found: Number(typed)} : channel;
    }
    case 'topic':
      return {found: topicFromText(state, typed)};
    case 'dm':
      return people(state, typed, matching);
    case 'dm-including':
    case 'group-pm-with':
    case 'sender':
    case 'mentions':
      return person(state, typed, matching);
    case 'id':
    case 'near':
    case 'with':
      return isNumericId(typed) ? {found: Number(typed)} : malformed(`“${operator}:” needs a message ID.`);
    case 'search':
      return typed.trim() === '' ? malformed('Type something to search for.') : {found: typed};
    default:
      return oneOf(operator, typed);
  }
}

function oneOf(operator: keyof typeof operands, typed: string): Lookup<Operand> | MalformedTerm {
  const normalized = typed.trim().toLowerCase();
  const value = operator === 'is' && normalized === 'private' ? 'dm' : normalized;
  const known = Object.keys(operands[operator]);
  if (known.includes(value)) return {found: value};
  return malformed(`“${operator}:” can be ${orList(known)}, not “${typed}”.${didYouMean(known, typed)}`);
}

/** Finds a user; a numeric id that is unknown here may be known to the server. */
function person(state: AccountState, typed: string, matching: NameMatching): Lookup<number> {
  const user = findUser(state, typed, matching);
  if ('found' in user) return {found: user.found.id};
  return isNumericId(typed) ? {found: Number(typed)} : user;
}

function people(state: AccountState, typed: string, matching: NameMatching): Lookup<number[]> {
  const ids: number[] = [];
  for (const name of typed.split(',')) {
    const user = person(state, name, matching);
    if ('problem' in user) return user;
    ids.push(user.found);
  }
  return {found: [...directConversation(ids, state.self.userId).userIds]};
}

/** Returns whether the server supports a term; level 0 means that the server is not known yet. */
export function isSupportedByServer({server}: AccountState, term: NarrowTerm): boolean {
  if (server.level === 0) return true;
  return termSince(term) <= server.level;
}

/** Returns a hint for a word like `chanel:x`, which is searched for literally but is probably a mistake. */
function misspelledOperator(word: string): string | undefined {
  const name = /^-?([a-z-]{4,}):[^/]/u.exec(word)?.[1];
  if (name === 'date') return '“date:” is not a search operator. Write after:2026-05-12 before:2026-05-13.';
  const meant = Object.keys(operators).find((operator) => name !== undefined && editDistance(operator, name, 1) === 1);
  return meant === undefined ? undefined : `“${name}:” is not a search operator. Did you mean “${meant}:”?`;
}

/**
 * Returns a note about words that are searched otherwise than they look: `author:ada`, which looks like an operator, and `-now`,
 * whose minus servers ignore.
 */
export function searchNote(text: string): string | undefined {
  const words = searchPieces(text)
    .pieces.filter((piece) => piece.kind === 'word')
    .map((piece) => piece.text);
  // A link has a slash after the colon, and `std::map` another colon.
  const names = words.flatMap((word) => /^-?([a-z][a-z_-]+):[^/:]/iu.exec(word)?.[1] ?? []);
  const excluded = words.find((word) => /^-[\p{L}\p{N}]/u.test(word));
  if (names.length === 0 && excluded !== undefined)
    return `Servers cannot exclude words: “${excluded}” is searched as “${excluded.slice(1)}”`;
  if (names.length === 0) return undefined;
  const list = names.map((name) => `“${name}:”`).join(', ');
  return `${list} ${names.length === 1 ? 'is not an operator' : 'are not operators'}: searched as text`;
}

function isOnlyInChannels({operator, operand, negated}: NarrowTerm): boolean {
  if (negated === true) return false;
  if (operator === 'is') return operand === 'resolved' || operand === 'followed';
  return operator === 'channel' || operator === 'channels' || operator === 'topic';
}

function isOnlyDirect({operator, operand, negated}: NarrowTerm): boolean {
  if (negated === true) return false;
  return operator === 'dm' || operator === 'dm-including' || (operator === 'is' && operand === 'dm');
}

/** Returns the text that `parseSearch` parses back to the same narrow. */
export function searchText(narrow: Narrow, state: AccountState): string {
  const parts = orParts(narrow);
  if (parts !== undefined) return parts.map((part) => searchText(part, state)).join(` ${orWord} `);
  return narrow.map((term, index) => termText(state, term, index === narrow.length - 1)).join(' ');
}

function termText(state: AccountState, term: NarrowTerm, isLast: boolean): string {
  const {operator, operand, negated} = term;
  if (operator === 'search' && isLast && negated !== true && isPlain(String(operand))) return String(operand);
  return `${negated === true ? '-' : ''}${operator}:${operandText(state, operator, operand)}`;
}

/** Returns whether the text survives parsing as plain words: no operators, no significant whitespace or quotes. */
function isPlain(text: string): boolean {
  const {pieces, isOpen} = searchPieces(text);
  if (isOpen || pieces.some(({kind}) => kind !== 'word')) return false;
  const words = pieces.map((piece) => (piece.kind === 'word' ? piece.text : ''));
  return words.join(' ') === text && !words.includes(orWord);
}

function operandText(state: AccountState, operator: string, operand: Operand): string {
  switch (operator) {
    case 'channel':
      return quotedOperand(channelText(state, operand));
    case 'dm': {
      const ids = (Array.isArray(operand) ? operand : [operand]).map(Number);
      return quotedOperand(ids.length === 0 ? 'me' : ids.map((id) => personText(state, id)).join(','));
    }
    case 'dm-including':
    case 'group-pm-with':
    case 'sender':
    case 'mentions':
      return quotedOperand(personText(state, Number(operand)));
    case 'after':
    case 'before':
      return quotedOperand(dateText(Number(operand) * 1000));
    default:
      return quotedOperand(String(operand));
  }
}

/** Returns `2026-05-12`, or with the time where that is not midnight. */
function dateText(atMs: number): string {
  const [day = '', time = ''] = isoWithOffset(atMs, undefined).split('T');
  return time.startsWith('00:00') ? day : `${day} ${time.slice(0, 5)}`;
}

function channelText(state: AccountState, operand: Operand): string {
  const channel = state.channels.get(Number(operand));
  const found = channel === undefined ? undefined : findChannel(state, channel.name);
  const isUnique = found !== undefined && 'found' in found && found.found === channel;
  return channel !== undefined && isUnique ? channel.name : String(operand);
}

/** Returns the most readable text that identifies exactly this user. */
export function personText(state: AccountState, userId: number): string {
  if (userId === state.self.userId) return 'me';
  const user = state.users.get(userId);
  if (user === undefined) return String(userId);
  const identifies = (text: string) => {
    const found = findUser(state, text);
    return !text.includes(',') && 'found' in found && found.found.id === userId;
  };
  return [user.fullName, user.deliveryEmail ?? user.email, user.email].find(identifies) ?? String(userId);
}
