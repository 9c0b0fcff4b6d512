import {conversationOf} from '#state/messages/loaded-messages.ts';
import {isMentionFlag, mentionsUser} from '#state/messages/mentions.ts';
import {type Conversation, topicKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {isTopicMuted, topicPolicy} from '#state/unreads/muting.ts';
import type {NarrowTerm, Operand, Operator} from '#wire/narrow.ts';
import {operatorName} from '#wire/narrow.ts';
import {isResolvedTopic} from '#wire/objects/topic.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {isDirectWith, isPerson, isWithPerson} from './people-operands.ts';

/** Undefined: only the server knows. */
export type NarrowVerdict = boolean | undefined;

/** A message as far as it is known: perhaps only where it is, perhaps not even that. */
export interface NarrowCandidate {
  readonly id: number;
  readonly conversation: Conversation | undefined;
  readonly message: Message | undefined;
}

export function narrowCandidate(message: Message): NarrowCandidate {
  return {id: message.id, conversation: conversationOf(message), message};
}

/** Whether a view shows a message. */
export function messageMatchesNarrow(state: AccountState, narrow: Narrow, message: Message): NarrowVerdict {
  return matchesNarrow(state, narrow, narrowCandidate(message));
}

/** The same of a message that may not be loaded. */
export function matchesNarrow(state: AccountState, narrow: Narrow, subject: NarrowCandidate): NarrowVerdict {
  const {terms, isOpen} = settledWith(state, narrow);
  let verdict: NarrowVerdict = isOpen ? undefined : true;
  if (isHistoricalOnly(terms, subject)) return false;
  if (isCombinedFeed(terms)) return isInFeed(state, subject);
  for (const term of terms) {
    const holds = holdsFor(state, term, subject);
    if (holds === false) return false;
    if (holds === undefined) verdict = undefined;
  }
  return verdict;
}

function holdsFor(
  state: AccountState,
  {operator, operand, negated}: NarrowTerm,
  subject: NarrowCandidate,
): NarrowVerdict {
  const name = operatorName(operator);
  if (name === undefined) return undefined;
  if (name === 'near' || (name === 'in' && operand === 'all')) return true;
  const holds = conditions[name](state, operand, subject);
  return holds === undefined ? undefined : holds !== (negated === true);
}

const replacedByWith: ReadonlySet<string> = new Set<Operator>(['channel', 'topic', 'dm']);

/**
 * `with` stands for the conversation that now holds its message, whatever the terms beside it say. Open when that message
 * is not loaded, so that nobody here can tell which one it is.
 */
function settledWith(state: AccountState, narrow: Narrow): {terms: Narrow; isOpen: boolean} {
  const anchor = narrow.find(({operator}) => operator === 'with');
  if (anchor === undefined) return {terms: narrow, isOpen: false};
  const message = state.messages.byId.get(Number(anchor.operand));
  const rest = narrow.filter(
    ({operator, negated}) => operator !== 'with' && (negated === true || !replacedByWith.has(operator)),
  );
  return message === undefined
    ? {terms: rest, isOpen: true}
    : {terms: [...rest, ...termsOf(conversationOf(message))], isOpen: false};
}

function termsOf(where: Conversation): NarrowTerm[] {
  if (where.kind === 'direct') return [{operator: 'dm', operand: [...where.userIds]}];
  return [
    {operator: 'channel', operand: where.channelId},
    {operator: 'topic', operand: where.topic},
  ];
}

/** Views that name no channel show what reached the user, and what was starred or marked unread. */
function isHistoricalOnly(terms: Narrow, {message}: NarrowCandidate): boolean {
  if (message === undefined || !message.flags.includes('historical')) return false;
  return !terms.some(
    ({operator, operand, negated}) =>
      negated !== true &&
      (operator === 'channel' ||
        operator === 'channels' ||
        (operator === 'is' && (operand === 'starred' || operand === 'unread'))),
  );
}

/**
 * The combined feed leaves out what is muted: topics, channels, and people wherever they write. Whoever is called by name
 * hears it all the same. Of a message that is not loaded only an unread mention is known.
 */
function isInFeed(state: AccountState, {id, conversation: place, message}: NarrowCandidate): boolean {
  if (place === undefined) return false;
  const isHeard = !isMutedInFeed(state, place) && !(message && state.mutedUsers.has(message.senderId));
  if (isHeard || state.unreads.mentions.has(id)) return true;
  return message !== undefined && mentionsUser(state, message.flags, place);
}

/** A direct conversation is muted with everybody else in it. */
function isMutedInFeed(state: AccountState, where: Conversation): boolean {
  if (where.kind === 'topic') return isMuted(state, where);
  return where.userIds.length > 0 && where.userIds.every((id) => state.mutedUsers.has(id));
}

type Condition = (state: AccountState, operand: Operand, subject: NarrowCandidate) => NarrowVerdict;

const unknown: Condition = () => undefined;

const conditions: Readonly<Record<Operator, Condition>> = {
  channel: conversationCondition(
    (state, operand, where) => where.kind === 'topic' && isChannel(state, where.channelId, operand),
  ),
  channels: conversationCondition((state, operand, where) =>
    where.kind === 'topic' ? isOfClass(state, where.channelId, operand) : false,
  ),
  topic: conversationCondition(
    (state, operand, where) => where.kind === 'topic' && isTopic(state, where.topic, operand),
  ),
  dm: conversationCondition((state, operand, where) =>
    where.kind === 'direct' ? isDirectWith(state, operand, where.userIds) : false,
  ),
  'dm-including': conversationCondition((state, operand, where) =>
    where.kind === 'direct' ? isWithPerson(state, operand, where.userIds) : false,
  ),
  'group-pm-with': conversationCondition((state, operand, where) =>
    where.kind === 'direct' && where.userIds.length > 1 ? isWithPerson(state, operand, where.userIds) : false,
  ),
  sender: (state, operand, {message}) => message && isPerson(state, operand, message.senderId),
  id: (_state, operand, {id}) => Number(operand) === id,
  with: unknown,
  near: () => true,
  search: unknown,
  is: (state, operand, subject) => isConditions.get(String(operand))?.(state, subject),
  has: (_state, operand, {message}) =>
    operand === 'reaction' && message !== undefined ? message.reactions.length > 0 : undefined,
  in: conversationCondition((state, operand, where) =>
    operand === 'home' ? !isMuted(state, where) : undefined,
  ),
  mentions: unknown,
};

type IsCondition = (state: AccountState, subject: NarrowCandidate) => NarrowVerdict;

const isConditions = new Map(
  Object.entries<IsCondition>({
    dm: (_state, {conversation: place}) => place && place.kind === 'direct',
    private: (_state, {conversation: place}) => place && place.kind === 'direct',
    starred: ({starred}, {id}) => starred.has(id),
    unread: ({unreads}, {id}) => unreads.byId.has(id),
    mentioned: (_state, {message}) => message?.flags.some(isMentionFlag),
    alerted: (_state, {message}) => message?.flags.includes('has_alert_word'),
    resolved: (_state, {conversation: place}) =>
      place && place.kind === 'topic' && isResolvedTopic(place.topic),
    followed: (state, {conversation: place}) =>
      place &&
      place.kind === 'topic' &&
      topicPolicy(state, place.channelId, place.topic) === visibilityPolicies.followed,
    muted: (state, {conversation: place}) => place && isMuted(state, place),
  }),
);

function conversationCondition(
  holds: (state: AccountState, operand: Operand, where: Conversation) => NarrowVerdict,
): Condition {
  return (state, operand, {conversation: place}) =>
    place === undefined ? undefined : holds(state, operand, place);
}

function isMuted(state: AccountState, where: Conversation): boolean {
  return where.kind === 'topic' && isTopicMuted(state, where.channelId, where.topic);
}

function isChannel(state: AccountState, channelId: number, operand: Operand): boolean {
  if (typeof operand === 'number') return operand === channelId;
  if (typeof operand !== 'string') return false;
  const name = operand.trim().toLowerCase();
  return state.channels.get(channelId)?.name.toLowerCase() === name || String(channelId) === name;
}

function isOfClass(state: AccountState, channelId: number, operand: Operand): NarrowVerdict {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return undefined;
  switch (operand) {
    case 'public':
      return !channel.isPrivate;
    case 'web-public':
      return channel.isWebPublic ?? false;
    case 'archived':
      return channel.isArchived ?? false;
    default:
      return undefined;
  }
}

/** The topic without a name may be written as it is shown. */
function isTopic(state: AccountState, topic: string, operand: Operand): boolean {
  const written = topicKey(String(operand));
  if (topicKey(topic) === written) return true;
  return topic === '' && written === topicKey(state.realm.emptyTopicDisplayName ?? '');
}
