import {exitCodes, PlainFailure, UsageError} from '#cli/failures.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelIdOfNarrow, conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import type {NavigationView} from '#state/model/personal.ts';
import type {NameMatching} from '#state/selectors/names/find-by-name.ts';
import {channelName, topicFromText} from '#state/selectors/names/names.ts';
import {unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import {type DestinationResult, parseDestination} from '#state/selectors/search/parse-destination.ts';
import {personText} from '#state/selectors/search/parse-search.ts';
import {searchPieces} from '#state/selectors/search/search-pieces.ts';
import type {AccountState} from '#state/state.ts';
import {narrowOfView, viewNameOf} from './view-argument.ts';

const peopleOperators = new Set(['dm', 'dm-including', 'group-pm-with', 'sender', 'mentions']);

/** Returns whether users' names may be needed to parse the text, so that they must be fetched; true when uncertain. */
export function mayNamePeople(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || /^@?me$/i.test(trimmed) || viewNameOf(trimmed) !== undefined) return false;
  if (trimmed.startsWith('#')) return trimmed.startsWith('#narrow/') && !trimmed.startsWith('#narrow/channel/');
  const [first] = searchPieces(trimmed).pieces;
  if (first?.kind === 'term') return queryNamesPeople(trimmed);
  return /^https?:|^@/i.test(trimmed) || !trimmed.includes('>');
}

/** Returns whether a search query has an operator that takes a user. */
export function queryNamesPeople(query: string): boolean {
  return searchPieces(query).pieces.some((piece) => piece.kind === 'term' && peopleOperators.has(piece.operator));
}

/**
 * Returns the narrow that the words of a command line name; without words, all messages. `localViews` returns the views that
 * are saved on this machine.
 */
export function narrowFromWords(
  state: AccountState,
  words: readonly string[],
  matching: NameMatching,
  localViews: () => readonly NavigationView[],
): Narrow {
  const text = words.join(' ').trim();
  if (text === '') return [];
  const view = viewNameOf(text);
  if (view !== undefined) return narrowOfView(state, view, localViews());
  const destination = parseOrThrow(state, text, matching);
  return destination.kind === 'narrow' ? destination.narrow : conversationNarrow(destination.conversation);
}

/** Returns the conversation that `--to` (repeatable for users) and `--topic` name, with whole names. */
export function conversationFromFlags(
  state: AccountState,
  to: readonly string[],
  topic: string | undefined,
): Conversation {
  const [first, ...others] = to;
  if (first === undefined) throw new UsageError('Name the recipient: --to "#channel>topic" or --to @name.');
  if (to.some((text) => text.trim() === '')) throw new UsageError('--to is empty. Name a channel or a user.');
  const conversations = to.map((text) => oneConversation(state, text, topic));
  const [only] = conversations;
  if (only !== undefined && others.length === 0) return only;
  const people = conversations.map((conversation) => {
    if (conversation.kind === 'direct') return conversation.userIds;
    throw new UsageError('Only users can be listed with several --to; a message goes to one channel.');
  });
  return directConversation(people.flat(), state.self.userId);
}

function oneConversation(state: AccountState, text: string, topic: string | undefined): Conversation {
  const destination = parseOrThrow(state, text);
  if (destination.kind === 'conversation') {
    if (topic === undefined) return destination.conversation;
    throw new UsageError(
      destination.conversation.kind === 'direct'
        ? 'Direct messages have no topic. Leave out --topic.'
        : 'The topic is given twice, in --to and in --topic. Leave one out.',
    );
  }
  const [term, ...more] = destination.narrow;
  if (term?.operator !== 'channel' || term.negated === true || more.length > 0) {
    throw new UsageError(`“${text}” is not a conversation. Name a channel and a topic, or users.`);
  }
  const channelId = Number(term.operand);
  // Parsed again together, so that the same limits apply to the topic.
  if (topic !== undefined && topic.trim() !== '') {
    const parsed = parseOrThrow(state, `#${channelId}>${topic}`);
    if (parsed.kind === 'conversation' && isIn(parsed.conversation, channelId)) return parsed.conversation;
  }
  return topicConversation(channelId, topicFromText(state, topic ?? ''));
}

function isIn(conversation: Conversation, channelId: number): boolean {
  return conversation.kind === 'topic' && conversation.channelId === channelId;
}

function parseOrThrow(
  state: AccountState,
  text: string,
  matching: NameMatching = 'exact',
): Exclude<DestinationResult, {kind: 'problem'}> {
  const destination = parseDestination(state, text, matching);
  if (destination.kind !== 'problem') return destination;
  // A bare number is a channel's id, unless a channel or user has that name.
  const byId = /^\s*\d+\s*$/.test(text) ? parseDestination(state, `#${text.trim()}`, matching) : destination;
  if (byId.kind !== 'problem') return byId;
  throw new PlainFailure(destination.problem);
}

/** Returns the failure to read a channel; undefined where the user can read the messages of the narrow. */
export function accessRefusal(state: AccountState, narrow: Narrow, now: number): PlainFailure | undefined {
  const channelId = channelIdOfNarrow(narrow);
  const reason = channelId === undefined ? undefined : unreadableReason(state, channelId, now);
  return reason === undefined ? undefined : new PlainFailure(reason, exitCodes.refused);
}

/** Returns the value of `--to` for this conversation. */
export function destinationText(state: AccountState, conversation: Conversation): string {
  if (conversation.kind === 'direct') {
    if (conversation.userIds.length === 0) return 'me';
    return `@${conversation.userIds.map((id) => personText(state, id)).join(',')}`;
  }
  const {channelId, topic} = conversation;
  return `#${state.channels.has(channelId) ? channelName(state, channelId) : channelId}>${topic}`;
}
