import {parseNarrowLink} from '#content/narrow-link.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {
  channelNamed,
  findChannel,
  findUser,
  isNumericId,
  usersNamed,
} from '#state/selectors/names/find-by-name.ts';
import {topicFromText} from '#state/selectors/names/names.ts';
import {didYouMean} from '#state/selectors/names/similar-names.ts';
import type {AccountState} from '#state/state.ts';
import {type NarrowTerm, normalizeTerm} from '#wire/narrow.ts';
import {parseSearch} from './parse-search.ts';
import {searchPieces} from './search-pieces.ts';

/** Where a command is to go. */
export type DestinationResult =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  /** A whole channel, a search, or a link to one message. */
  | {readonly kind: 'narrow'; readonly narrow: Narrow}
  /** A sentence for the user. */
  | {readonly kind: 'problem'; readonly problem: string};

/**
 * `#channel>topic`, `channel>topic`, `#channel`, `@name[,name]`, e-mail addresses, `me`, a link to a conversation or a
 * message, or search words. Nothing is guessed: a message sent to the wrong place cannot be taken back.
 */
export function parseDestination(state: AccountState, written: string): DestinationResult {
  const text = unmarked(written.trim());
  if (text === '') return problem('Say where to: #channel>topic, @name, or an e-mail address.');
  if (/^https?:\/\//i.test(text) || text.startsWith('#narrow/')) return fromLink(state, text);
  if (text.startsWith('#')) return fromChannel(state, text.slice(1));
  if (text.startsWith('@')) return fromPeople(state, text.slice(1));
  const [first] = searchPieces(text).pieces;
  if (first?.kind === 'term') return fromSearch(state, text);
  if (text.includes('>')) return fromChannel(state, text);
  if (text.includes('@') || text.toLowerCase() === 'me') return fromPeople(state, text);
  return fromBareName(state, text);
}

/** `#**channel>topic**` and `@**name**` as they stand in messages. */
function unmarked(text: string): string {
  return text.replace(/^([#@]_?)\*\*(.+)\*\*$/u, (_all, sign: string, name: string) => `${sign[0]}${name}`);
}

function problem(sentence: string): DestinationResult {
  return {kind: 'problem', problem: sentence};
}

function conversation(to: Conversation): DestinationResult {
  return {kind: 'conversation', conversation: to};
}

/** A channel's name may hold a `>` itself: the longest name there is wins. */
function fromChannel(state: AccountState, text: string): DestinationResult {
  const whole = channelNamed(state, text);
  if (whole !== undefined) return {kind: 'narrow', narrow: channelNarrow(whole.id)};
  for (let at = text.lastIndexOf('>'); at > 0; at = text.lastIndexOf('>', at - 1)) {
    const channel = channelNamed(state, text.slice(0, at));
    if (channel !== undefined) return toTopic(state, channel.id, text.slice(at + 1));
  }
  const end = text.indexOf('>');
  const found = findChannel(state, end < 0 ? text : text.slice(0, end));
  if ('problem' in found) return problem(found.problem);
  return end < 0
    ? {kind: 'narrow', narrow: channelNarrow(found.found.id)}
    : toTopic(state, found.found.id, text.slice(end + 1));
}

function toTopic(state: AccountState, channelId: number, written: string): DestinationResult {
  const topic = topicFromText(state, written);
  const {maxTopicLength = 60} = state.server;
  const length = [...topic].length;
  if (length > maxTopicLength) {
    return problem(`The topic is ${length} characters long; at most ${maxTopicLength} are possible.`);
  }
  return conversation(topicConversation(channelId, topic));
}

function fromPeople(state: AccountState, text: string): DestinationResult {
  const ids: number[] = [];
  // A name with a comma in it is tried whole before it is taken apart.
  const [whole] = usersNamed(state, text);
  const names = whole === undefined ? text.split(',') : [text];
  for (const name of names.map((part) => part.trim().replace(/^@/, ''))) {
    if (name === '') return problem('A name is missing between the commas.');
    const user = findUser(state, unmarked(`@${name}`).slice(1));
    if ('problem' in user) return problem(user.problem);
    ids.push(user.found.id);
  }
  return conversation(directConversation(ids, state.self.userId));
}

function fromBareName(state: AccountState, text: string): DestinationResult {
  const channel = channelNamed(state, text);
  const people = usersNamed(state, text);
  if (channel !== undefined && people.length > 0) {
    return problem(`“${text}” is a channel and a person: write “#${text}” or “@${text}”.`);
  }
  if (channel !== undefined) return {kind: 'narrow', narrow: channelNarrow(channel.id)};
  if (people.length > 0 || text.includes(',') || /\|\d+$/.test(text)) return fromPeople(state, text);
  const names = [
    ...[...state.channels.values()].map(({name}) => `#${name}`),
    ...[...state.users.values()].filter(({isActive}) => isActive).map(({fullName}) => `@${fullName}`),
  ];
  const meant = didYouMean(names, text, (name) => name.slice(1));
  return problem(`There is no channel and nobody called “${text}”.${meant}`);
}

function fromSearch(state: AccountState, text: string): DestinationResult {
  const {narrow, problems} = parseSearch(state, text);
  const [first] = problems;
  return first === undefined ? settled(narrow) : problem(first);
}

/** A conversation where it is one; a link to a message in it stays a link to that message. */
function settled(narrow: Narrow): DestinationResult {
  const isWhole = !narrow.some(({operator}) => operator === 'near' || operator === 'with');
  const whole = isWhole ? conversationOfNarrow(narrow) : undefined;
  return whole === undefined ? {kind: 'narrow', narrow} : conversation(whole);
}

function fromLink(state: AccountState, text: string): DestinationResult {
  if (!text.startsWith('#') && !isHere(state, text)) {
    return problem('This link leads to another organization than the one you are using.');
  }
  const terms = parseNarrowLink(text, (slug) => channelOfSlug(state, slug));
  if (terms === undefined) return problem('This link does not lead to a conversation or a message.');
  const narrow: NarrowTerm[] = [];
  for (const {operator, operand, negated} of terms) {
    const term = normalizeTerm({operator, operand, negated});
    const ids = peopleOf(state, term);
    if (ids === undefined) return problem('This link names somebody who is not known here.');
    if (term.operator === 'channel' && !state.channels.has(Number(term.operand))) {
      return problem('This link leads to a channel that does not exist, or that you may not see.');
    }
    narrow.push(term.operator === 'dm' ? {...term, operand: ids} : withPerson(term, ids));
  }
  return settled(narrow);
}

function isHere({server, realm}: AccountState, url: string): boolean {
  const here = [server.url, realm.url, realm.uri].filter((known) => known !== undefined);
  return here.some((known) => URL.parse(known)?.host === URL.parse(url)?.host);
}

function channelOfSlug(state: AccountState, slug: string): number | undefined {
  const wanted = slug.toLowerCase();
  for (const {id, name} of state.channels.values()) {
    if (name.replaceAll(' ', '-').toLowerCase() === wanted) return id;
  }
  return undefined;
}

const withPeople = new Set(['dm', 'dm-including', 'sender', 'mentions', 'group-pm-with']);

/** The people a term names, without oneself where it is a conversation; undefined when one is not known. */
function peopleOf(state: AccountState, {operator, operand}: NarrowTerm): number[] | undefined {
  if (!withPeople.has(operator)) return [];
  const ids: number[] = [];
  for (const written of Array.isArray(operand) ? operand : String(operand).split(',')) {
    const user = isNumericId(String(written))
      ? {found: {id: Number(written)}}
      : findUser(state, String(written));
    if ('problem' in user) return undefined;
    ids.push(user.found.id);
  }
  return operator === 'dm' ? [...directConversation(ids, state.self.userId).userIds] : ids;
}

function withPerson(term: NarrowTerm, ids: readonly number[]): NarrowTerm {
  const [id] = ids;
  return id === undefined ? term : {...term, operand: id};
}
