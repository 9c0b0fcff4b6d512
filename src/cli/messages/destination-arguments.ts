import {PlainFailure} from '#cli/failures.ts';
import {UsageError} from '#cli/usage-error.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {channelName, topicFromText} from '#state/selectors/names/names.ts';
import {type DestinationResult, parseDestination} from '#state/selectors/search/parse-destination.ts';
import {personText} from '#state/selectors/search/parse-search.ts';
import {searchPieces} from '#state/selectors/search/search-pieces.ts';
import type {AccountState} from '#state/state.ts';

const peopleOperators = new Set(['dm', 'dm-including', 'group-pm-with', 'sender', 'mentions']);

/** Whether the names of people have to be known to understand it; where it is not certain, yes. */
export function mayNamePeople(text: string): boolean {
  const written = text.trim();
  if (written === '' || /^@?me$/i.test(written)) return false;
  if (written.startsWith('#'))
    return written.startsWith('#narrow/') && !written.startsWith('#narrow/channel/');
  const [first] = searchPieces(written).pieces;
  if (first?.kind === 'term') return queryNamesPeople(written);
  return /^https?:|^@/i.test(written) || !written.includes('>');
}

/** The same of words for a search. */
export function queryNamesPeople(query: string): boolean {
  return searchPieces(query).pieces.some(
    (piece) => piece.kind === 'term' && peopleOperators.has(piece.operator),
  );
}

/** What the words of a command line mean to show; none, everything. */
export function narrowFromWords(state: AccountState, words: readonly string[]): Narrow {
  const text = words.join(' ').trim();
  if (text === '') return [];
  const destination = understood(state, text);
  return destination.kind === 'narrow' ? destination.narrow : conversationNarrow(destination.conversation);
}

/** Where a message is to go: `--to`, perhaps several times for people, and `--topic`. */
export function conversationFromFlags(
  state: AccountState,
  to: readonly string[],
  topic: string | undefined,
): Conversation {
  const [first, ...others] = to;
  if (first === undefined) throw new UsageError('Say where to: --to "#channel>topic" or --to @name.');
  if (to.some((text) => text.trim() === ''))
    throw new UsageError('--to is empty: name a channel or a person.');
  const conversations = to.map((text) => oneConversation(state, text, topic));
  const [only] = conversations;
  if (only !== undefined && others.length === 0) return only;
  const people = conversations.map((conversation) => {
    if (conversation.kind === 'direct') return conversation.userIds;
    throw new UsageError('A message goes to one channel, or to people: --to twice is for people.');
  });
  return directConversation(people.flat(), state.self.userId);
}

function oneConversation(state: AccountState, text: string, topic: string | undefined): Conversation {
  const destination = understood(state, text);
  if (destination.kind === 'conversation') {
    if (topic === undefined) return destination.conversation;
    throw new UsageError(
      destination.conversation.kind === 'direct'
        ? 'Direct messages have no topic: leave out --topic.'
        : 'The topic is named twice: in --to and in --topic.',
    );
  }
  const [term, ...more] = destination.narrow;
  if (term?.operator !== 'channel' || term.negated === true || more.length > 0) {
    throw new UsageError(`“${text}” is nothing to write to: name a channel and a topic, or people.`);
  }
  const channelId = Number(term.operand);
  // Through the parser again, so that the limits for topics are the same.
  if (topic !== undefined && topic.trim() !== '') {
    const whole = understood(state, `#${channelId}>${topic}`);
    if (whole.kind === 'conversation' && isIn(whole.conversation, channelId)) return whole.conversation;
  }
  return topicConversation(channelId, topicFromText(state, topic ?? ''));
}

function isIn(conversation: Conversation, channelId: number): boolean {
  return conversation.kind === 'topic' && conversation.channelId === channelId;
}

function understood(state: AccountState, text: string): Exclude<DestinationResult, {kind: 'problem'}> {
  const destination = parseDestination(state, text);
  if (destination.kind !== 'problem') return destination;
  // A bare number is a channel's id, if no channel and nobody is called that.
  const byId = /^\s*\d+\s*$/.test(text) ? parseDestination(state, `#${text.trim()}`) : destination;
  if (byId.kind !== 'problem') return byId;
  throw new PlainFailure(destination.problem);
}

/** What `--to` takes for this conversation. */
export function destinationText(state: AccountState, conversation: Conversation): string {
  if (conversation.kind === 'direct') {
    if (conversation.userIds.length === 0) return 'me';
    return `@${conversation.userIds.map((id) => personText(state, id)).join(',')}`;
  }
  const {channelId, topic} = conversation;
  return `#${state.channels.has(channelId) ? channelName(state, channelId) : channelId}>${topic}`;
}
