import {directConversation} from '#state/model/conversation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {findChannel, findUser, isNumericId, type Lookup} from '#state/selectors/names/find-by-name.ts';
import {topicFromText} from '#state/selectors/names/names.ts';
import {didYouMean, editDistance, orList} from '#state/selectors/names/similar-names.ts';
import type {AccountState} from '#state/state.ts';
import {type NarrowTerm, type Operand, type Operator, operands, operators, termSince} from '#wire/narrow.ts';
import {quotedOperand, type SearchPiece, searchPieces} from './search-pieces.ts';

export interface ParsedSearch {
  readonly narrow: Narrow;
  /** Sentences about what could not be understood and was left out. */
  readonly problems: readonly string[];
}

/** What somebody typed into the search box → what to show. */
export function parseSearch(state: AccountState, text: string): ParsedSearch {
  const {pieces, isOpen} = searchPieces(text);
  const problems: string[] = isOpen ? ['A quotation mark is missing at the end.'] : [];
  const terms: NarrowTerm[] = [];
  const words: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'word') {
      words.push(piece.text);
      const slip = misspeltOperator(piece.text);
      if (slip !== undefined) problems.push(slip);
      continue;
    }
    const term = termOf(state, piece);
    if ('found' in term) terms.push(term.found);
    else problems.push(term.problem);
  }
  if (words.length > 0) terms.push({operator: 'search', operand: words.join(' ')});
  if (terms.some(isOnlyInChannels) && terms.some(isOnlyDirect)) {
    problems.push('No message is both in a channel and a direct message.');
  }
  return {narrow: terms, problems};
}

function termOf(state: AccountState, piece: Extract<SearchPiece, {kind: 'term'}>): Lookup<NarrowTerm> {
  const {operator, negated, hasOperand, written} = piece;
  if (!hasOperand) return {problem: `“${written}” needs something after the colon.`};
  // The tokenizer only takes known operators.
  const operand = operandOf(state, operator as Operator, piece.operand);
  if ('problem' in operand) return operand;
  const term: NarrowTerm = {operator, operand: operand.found, ...(negated && {negated: true})};
  return isSupportedByServer(state, term)
    ? {found: term}
    : {problem: `This server is too old for “${written}”.`};
}

function operandOf(state: AccountState, operator: Operator, written: string): Lookup<Operand> {
  switch (operator) {
    case 'channel': {
      const channel = findChannel(state, written);
      if ('found' in channel) return {found: channel.found.id};
      return isNumericId(written) ? {found: Number(written)} : channel;
    }
    case 'topic':
      return {found: topicFromText(state, written)};
    case 'dm':
      return people(state, written);
    case 'dm-including':
    case 'group-pm-with':
    case 'sender':
    case 'mentions':
      return person(state, written);
    case 'id':
    case 'near':
    case 'with':
      return isNumericId(written)
        ? {found: Number(written)}
        : {problem: `“${operator}:” needs the number of a message.`};
    case 'search':
      return written.trim() === '' ? {problem: 'There is nothing to search for.'} : {found: written};
    default:
      return oneOf(operator, written);
  }
}

function oneOf(operator: keyof typeof operands, written: string): Lookup<Operand> {
  const given = written.trim().toLowerCase();
  const value = operator === 'is' && given === 'private' ? 'dm' : given;
  const known = Object.keys(operands[operator]);
  if (known.includes(value)) return {found: value};
  return {problem: `“${operator}:” can be ${orList(known)}, not “${written}”.${didYouMean(known, written)}`};
}

/** A person nobody here knows may still be known by number to the server. */
function person(state: AccountState, written: string): Lookup<number> {
  const user = findUser(state, written);
  if ('found' in user) return {found: user.found.id};
  return isNumericId(written) ? {found: Number(written)} : user;
}

function people(state: AccountState, written: string): Lookup<number[]> {
  const ids: number[] = [];
  for (const name of written.split(',')) {
    const one = person(state, name);
    if ('problem' in one) return one;
    ids.push(one.found);
  }
  return {found: [...directConversation(ids, state.self.userId).userIds]};
}

/** Level 0: nothing is known of the server yet. */
export function isSupportedByServer({server}: AccountState, term: NarrowTerm): boolean {
  if (server.level === 0) return true;
  return termSince(term) <= server.level;
}

/** `chanel:x` is searched for as it stands, but hardly meant so. */
function misspeltOperator(word: string): string | undefined {
  const name = /^-?([a-z-]{4,}):[^/]/u.exec(word)?.[1];
  const meant = Object.keys(operators).find(
    (operator) => name !== undefined && editDistance(operator, name, 1) === 1,
  );
  return meant === undefined ? undefined : `“${name}:” is not a search word. Did you mean “${meant}:”?`;
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

/** What to type to get there: `parseSearch` gives the same back. */
export function searchText(narrow: Narrow, state: AccountState): string {
  return narrow.map((term, place) => termText(state, term, place === narrow.length - 1)).join(' ');
}

function termText(state: AccountState, term: NarrowTerm, isLast: boolean): string {
  const {operator, operand, negated} = term;
  if (operator === 'search' && isLast && negated !== true && isPlain(String(operand))) return String(operand);
  return `${negated === true ? '-' : ''}${operator}:${operandText(state, operator, operand)}`;
}

/** Words that mean themselves: no operator among them, and nothing that white space or quotes would lose. */
function isPlain(text: string): boolean {
  const {pieces, isOpen} = searchPieces(text);
  if (isOpen || pieces.some(({kind}) => kind !== 'word')) return false;
  return pieces.map((piece) => (piece.kind === 'word' ? piece.text : '')).join(' ') === text;
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
    default:
      return quotedOperand(String(operand));
  }
}

function channelText(state: AccountState, operand: Operand): string {
  const channel = state.channels.get(Number(operand));
  const found = channel === undefined ? undefined : findChannel(state, channel.name);
  const isUnique = found !== undefined && 'found' in found && found.found === channel;
  return channel !== undefined && isUnique ? channel.name : String(operand);
}

/** The most readable way to write somebody that means nobody else. */
export function personText(state: AccountState, userId: number): string {
  if (userId === state.self.userId) return 'me';
  const user = state.users.get(userId);
  if (user === undefined) return String(userId);
  const means = (text: string) => {
    const found = findUser(state, text);
    return !text.includes(',') && 'found' in found && found.found.id === userId;
  };
  return [user.fullName, user.deliveryEmail ?? user.email, user.email].find(means) ?? String(userId);
}
