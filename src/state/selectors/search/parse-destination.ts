import {parseNarrowLink} from '#content/narrow-link.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, conversationNarrow, conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {
  channelNamed,
  findChannel,
  findUser,
  isNumericId,
  type NameMatching,
  usersNamed,
} from '#state/selectors/names/find-by-name.ts';
import {topicFromText} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {didYouMean} from '#std/similar-names.ts';
import {type NarrowTerm, normalizeTerm, orOperator, orTerm} from '#wire/narrow.ts';
import {parseSearch, searchPieces} from './parse-search.ts';

/** The destination that a text names. */
export type DestinationResult =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  /** A whole channel, a search, or a link to a message. */
  | {readonly kind: 'narrow'; readonly narrow: Narrow}
  /** A sentence for the user. */
  | {readonly kind: 'problem'; readonly problem: string};

/**
 * Parses `#channel>topic`, `channel>topic`, `#channel`, `@name[,name]`, email addresses, `me`, a link to a conversation
 * or a message, or search terms. A part of a name must match one channel or person only; with `exact`, names must be whole.
 */
export function parseDestination(
  state: AccountState,
  typed: string,
  matching: NameMatching = 'partial',
): DestinationResult {
  const text = withoutMarkup(typed.trim());
  if (text === '') return problem('Name a destination: #channel>topic, @name, or an email address.');
  if (/^https?:\/\//i.test(text) || text.startsWith('#narrow/')) return fromLink(state, text);
  if (text.startsWith('#')) return fromChannel(state, text.slice(1), matching);
  if (text.startsWith('@')) return fromPeople(state, text.slice(1), matching);
  const [first] = searchPieces(text).pieces;
  if (first?.kind === 'term') return fromSearch(state, text, matching);
  if (text.includes('>')) return fromChannel(state, text, matching);
  if (text.includes('@') || text.toLowerCase() === 'me') return fromPeople(state, text, matching);
  return fromBareName(state, text, matching);
}

/** Removes the markup of `#**channel>topic**` and `@**name**`, as used in messages. */
function withoutMarkup(text: string): string {
  return text.replace(/^([#@]_?)\*\*(.+)\*\*$/u, (_all, sign: string, name: string) => `${sign[0]}${name}`);
}

function problem(sentence: string): DestinationResult {
  return {kind: 'problem', problem: sentence};
}

function conversation(to: Conversation): DestinationResult {
  return {kind: 'conversation', conversation: to};
}

/** Parses a channel and topic. A channel's name may contain `>`: the longest existing name wins. */
function fromChannel(state: AccountState, text: string, matching: NameMatching): DestinationResult {
  const exact = channelNamed(state, text);
  if (exact !== undefined) return {kind: 'narrow', narrow: channelNarrow(exact.id)};
  for (let index = text.lastIndexOf('>'); index > 0; index = text.lastIndexOf('>', index - 1)) {
    const channel = channelNamed(state, text.slice(0, index));
    if (channel !== undefined) return toTopic(state, channel.id, text.slice(index + 1));
  }
  const end = text.indexOf('>');
  const lookup = findChannel(state, end < 0 ? text : text.slice(0, end), matching);
  if ('problem' in lookup) return problem(lookup.problem);
  return end < 0
    ? {kind: 'narrow', narrow: channelNarrow(lookup.found.id)}
    : toTopic(state, lookup.found.id, text.slice(end + 1));
}

function toTopic(state: AccountState, channelId: number, typed: string): DestinationResult {
  const topic = topicFromText(state, typed);
  const {maxTopicLength = 60} = state.server;
  const length = [...topic].length;
  if (length > maxTopicLength) {
    return problem(`The topic is ${length} characters long; the limit is ${maxTopicLength}.`);
  }
  return conversation(topicConversation(channelId, topic));
}

function fromPeople(state: AccountState, text: string, matching: NameMatching): DestinationResult {
  const ids: number[] = [];
  // A name that contains a comma is tried as a whole first.
  const [exact] = usersNamed(state, text);
  const names = exact === undefined ? text.split(',') : [text];
  for (const name of names.map((part) => part.trim().replace(/^@/, ''))) {
    if (name === '') return problem('A name is missing between the commas.');
    const user = findUser(state, withoutMarkup(`@${name}`).slice(1), matching);
    if ('problem' in user) return problem(user.problem);
    ids.push(user.found.id);
  }
  return conversation(directConversation(ids, state.self.userId));
}

function fromBareName(state: AccountState, text: string, matching: NameMatching): DestinationResult {
  const channel = channelNamed(state, text);
  const people = usersNamed(state, text);
  if (channel !== undefined && people.length > 0) {
    return problem(`“${text}” is a channel and a person: write “#${text}” or “@${text}”.`);
  }
  if (channel !== undefined) return {kind: 'narrow', narrow: channelNarrow(channel.id)};
  if (people.length > 0 || text.includes(',') || /\|\d+$/.test(text)) return fromPeople(state, text, matching);
  const names = [
    ...[...state.channels.values()].map(({name}) => `#${name}`),
    ...[...state.users.values()].filter(({isActive}) => isActive).map(({fullName}) => `@${fullName}`),
  ];
  const suggestion = didYouMean(names, text, (name) => name.slice(1));
  return problem(`No channel or user is called “${text}”.${suggestion}`);
}

function fromSearch(state: AccountState, text: string, matching: NameMatching): DestinationResult {
  const {narrow, problems} = parseSearch(state, text, matching);
  const [first] = problems;
  return first === undefined ? destinationOf(narrow) : problem(first);
}

/** Returns the conversation, if the narrow is exactly one; a link to a message stays a narrow. */
function destinationOf(narrow: Narrow): DestinationResult {
  const isWithoutAnchor = !narrow.some(({operator}) => operator === 'near' || operator === 'with');
  const exact = isWithoutAnchor ? conversationOfNarrow(narrow) : undefined;
  return exact === undefined ? {kind: 'narrow', narrow} : conversation(exact);
}

function fromLink(state: AccountState, text: string): DestinationResult {
  if (!text.startsWith('#') && !isThisServer(state, text)) {
    return problem('This link is for another organization.');
  }
  const terms = parseNarrowLink(text, (slug) => channelOfSlug(state, slug));
  if (terms === undefined) return problem('Not a link to a conversation or message.');
  const narrow: NarrowTerm[] = [];
  for (const {operator, operand, negated} of terms) {
    if (operator === orOperator) {
      const part = fromLink(state, `#narrow/${operand}`);
      if (part.kind === 'problem') return part;
      if (part.kind === 'narrow' && part.narrow.some(isNotJoined))
        return problem('Not a link to a conversation or message.');
      narrow.push(orTerm(part.kind === 'narrow' ? part.narrow : conversationNarrow(part.conversation)));
      continue;
    }
    const term = normalizeTerm({operator, operand, negated});
    const ids = peopleOf(state, term);
    if (ids === undefined) return problem('This link names an unknown user.');
    if (term.operator === 'channel' && !state.channels.has(Number(term.operand))) {
      return problem('No such channel, or you cannot see it.');
    }
    narrow.push(term.operator === 'dm' ? {...term, operand: ids} : withPerson(term, ids));
  }
  return destinationOf(narrow);
}

/** Parts have no parts themselves, and name no message to open at. */
function isNotJoined({operator}: NarrowTerm): boolean {
  return operator === orOperator || operator === 'near' || operator === 'with';
}

function isThisServer({server, realm}: AccountState, url: string): boolean {
  const serverUrls = [server.url, realm.url, realm.uri].filter((known) => known !== undefined);
  return serverUrls.some((known) => URL.parse(known)?.host === URL.parse(url)?.host);
}

function channelOfSlug(state: AccountState, slug: string): number | undefined {
  const target = slug.toLowerCase();
  let dashed: number | undefined;
  for (const {id, name} of state.channels.values()) {
    const lower = name.toLowerCase();
    if (lower === target) return id;
    if (lower.replaceAll(' ', '-') === target) dashed ??= id;
  }
  return dashed;
}

const peopleOperators = new Set(['dm', 'dm-including', 'sender', 'mentions', 'group-pm-with']);

/** Returns the users of a term, without the user in a conversation; undefined when one is unknown. */
function peopleOf(state: AccountState, {operator, operand}: NarrowTerm): number[] | undefined {
  if (!peopleOperators.has(operator)) return [];
  const ids: number[] = [];
  for (const typed of Array.isArray(operand) ? operand : String(operand).split(',')) {
    const user = isNumericId(String(typed)) ? {found: {id: Number(typed)}} : findUser(state, String(typed), 'exact');
    if ('problem' in user) return undefined;
    ids.push(user.found.id);
  }
  return operator === 'dm' ? [...directConversation(ids, state.self.userId).userIds] : ids;
}

function withPerson(term: NarrowTerm, ids: readonly number[]): NarrowTerm {
  const [id] = ids;
  return id === undefined ? term : {...term, operand: id};
}
