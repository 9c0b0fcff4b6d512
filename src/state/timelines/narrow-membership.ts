import {
  isMentionFlag,
  isTopicMuted,
  listsOwnMessages,
  mentionsUser,
  topicPolicy,
} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, directConversation, topicKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {
  dateOperator,
  isWithinDates,
  mapParts,
  type NarrowTerm,
  type Operand,
  type Operator,
  operatorName,
  orParts,
  splitDateTerms,
} from '#wire/narrow.ts';
import {isResolvedTopic, visibilityPolicies} from '#wire/objects/channel.ts';

/** Whether a narrow matches a message; undefined when only the server knows. */
export type NarrowVerdict = boolean | undefined;

/** A message as far as it is known: perhaps only its conversation, perhaps only its id. */
export interface NarrowCandidate {
  readonly id: number;
  readonly conversation: Conversation | undefined;
  readonly message: Message | undefined;
}

export function narrowCandidate(message: Message): NarrowCandidate {
  return {id: message.id, conversation: conversationOf(message), message};
}

/** Returns whether a view shows a loaded message. */
export function messageMatchesNarrow(state: AccountState, narrow: Narrow, message: Message): NarrowVerdict {
  return matchesNarrow(state, narrow, narrowCandidate(message));
}

/** Returns whether a view shows a message that may not be loaded. */
export function matchesNarrow(state: AccountState, narrow: Narrow, candidate: NarrowCandidate): NarrowVerdict {
  const parts = orParts(narrow);
  if (parts !== undefined) return any(parts.map((part) => matchesNarrow(state, part, candidate)));
  return isHistoricalOnly(resolveWith(state, narrow).terms, candidate) ? false : stillMatches(state, narrow, candidate);
}

/**
 * Returns whether a view still shows a message that the server put there: only the server knows which historical
 * messages are the user's own.
 */
export function stillMatches(state: AccountState, narrow: Narrow, candidate: NarrowCandidate): NarrowVerdict {
  const parts = orParts(narrow);
  if (parts !== undefined) return any(parts.map((part) => stillMatches(state, part, candidate)));
  const {terms, isOpen} = resolveWith(state, narrow);
  let verdict: NarrowVerdict = isOpen ? undefined : true;
  if (isCombinedFeed(terms)) return isInFeed(state, candidate);
  for (const term of terms) {
    const matches = termMatches(state, term, candidate);
    if (matches === false) return false;
    if (matches === undefined) verdict = undefined;
  }
  return verdict;
}

function termMatches(
  state: AccountState,
  {operator, operand, negated}: NarrowTerm,
  candidate: NarrowCandidate,
): NarrowVerdict {
  const name = operatorName(operator);
  if (dateOperator(operator) !== undefined) {
    const {bounds = {}} = splitDateTerms([{operator, operand, negated}]);
    return candidate.message && isWithinDates(bounds, candidate.message.timestamp);
  }
  if (name === undefined) return undefined;
  if (name === 'near' || (name === 'in' && operand === 'all')) return true;
  const matches = conditions[name](state, operand, candidate);
  return matches === undefined ? undefined : matches !== (negated === true);
}

const replacedByWith: ReadonlySet<string> = new Set<Operator>(['channel', 'topic', 'dm']);

/**
 * Replaces `with` by the conversation that its message is in now, which overrides the other conversation
 * terms. `isOpen` when that message is not loaded, so that the conversation is unknown.
 */
function resolveWith(state: AccountState, narrow: Narrow): {terms: Narrow; isOpen: boolean} {
  const anchor = narrow.find(({operator}) => operator === 'with');
  if (anchor === undefined) return {terms: narrow, isOpen: false};
  const message = state.messages.byId.get(Number(anchor.operand));
  const others = narrow.filter(
    ({operator, negated}) => operator !== 'with' && (negated === true || !replacedByWith.has(operator)),
  );
  return message === undefined
    ? {terms: others, isOpen: true}
    : {terms: [...others, ...termsOf(conversationOf(message))], isOpen: false};
}

function termsOf(conversation: Conversation): NarrowTerm[] {
  if (conversation.kind === 'direct') return [{operator: 'dm', operand: [...conversation.userIds]}];
  return [
    {operator: 'channel', operand: conversation.channelId},
    {operator: 'topic', operand: conversation.topic},
  ];
}

/**
 * Returns whether a view excludes a historical message: views that name no channel show only the user's own messages.
 * A historical message is one of them if it is starred or unread; otherwise only the server knows.
 */
function isHistoricalOnly(terms: Narrow, {message}: NarrowCandidate): boolean {
  if (message === undefined || !message.flags.includes('historical') || !listsOwnMessages(terms)) return false;
  return !terms.some(
    ({operator, operand, negated}) =>
      negated !== true && operator === 'is' && (operand === 'starred' || operand === 'unread'),
  );
}

/**
 * Returns whether the combined feed shows a message. It leaves out muted topics, channels and users, except
 * messages that mention the user. For a message that is not loaded only an unread mention is known.
 */
function isInFeed(state: AccountState, {id, conversation, message}: NarrowCandidate): boolean {
  if (conversation === undefined) return false;
  const isUnmuted = !isMutedInFeed(state, conversation) && !(message && state.mutedUsers.has(message.senderId));
  if (isUnmuted || state.unreads.mentions.has(id)) return true;
  return message !== undefined && mentionsUser(state, message.flags, conversation);
}

/** Returns whether the feed leaves out a conversation; a direct one is left out when all others in it are muted. */
function isMutedInFeed(state: AccountState, conversation: Conversation): boolean {
  if (conversation.kind === 'topic') return isMuted(state, conversation);
  return conversation.userIds.length > 0 && conversation.userIds.every((id) => state.mutedUsers.has(id));
}

type Condition = (state: AccountState, operand: Operand, candidate: NarrowCandidate) => NarrowVerdict;

const unknown: Condition = () => undefined;

const conditions: Readonly<Record<Operator, Condition>> = {
  channel: conversationCondition(
    (state, operand, conversation) =>
      conversation.kind === 'topic' && isChannel(state, conversation.channelId, operand),
  ),
  channels: conversationCondition((state, operand, conversation) =>
    conversation.kind === 'topic' ? isChannelOfKind(state, conversation.channelId, operand) : false,
  ),
  topic: conversationCondition(
    (state, operand, conversation) => conversation.kind === 'topic' && isTopic(state, conversation.topic, operand),
  ),
  dm: conversationCondition((state, operand, conversation) =>
    conversation.kind === 'direct' ? isDirectWith(state, operand, conversation.userIds) : false,
  ),
  'dm-including': conversationCondition((state, operand, conversation) =>
    conversation.kind === 'direct' ? isWithPerson(state, operand, conversation.userIds) : false,
  ),
  'group-pm-with': conversationCondition((state, operand, conversation) =>
    conversation.kind === 'direct' && conversation.userIds.length > 1
      ? isWithPerson(state, operand, conversation.userIds)
      : false,
  ),
  sender: (state, operand, {message}) => message && isPerson(state, operand, message.senderId),
  id: (_state, operand, {id}) => Number(operand) === id,
  with: unknown,
  near: () => true,
  search: unknown,
  is: (state, operand, candidate) => isConditions.get(String(operand))?.(state, candidate),
  has: (_state, operand, {message}) =>
    operand === 'reaction' && message !== undefined ? message.reactions.length > 0 : undefined,
  in: conversationCondition((state, operand, conversation) =>
    operand === 'home' ? !isMuted(state, conversation) : undefined,
  ),
  mentions: unknown,
};

type IsCondition = (state: AccountState, candidate: NarrowCandidate) => NarrowVerdict;

const isConditions = new Map(
  Object.entries<IsCondition>({
    dm: (_state, {conversation}) => conversation && conversation.kind === 'direct',
    private: (_state, {conversation}) => conversation && conversation.kind === 'direct',
    starred: ({starred}, {id}) => starred.has(id),
    unread: ({unreads}, {id}) => unreads.byId.has(id),
    mentioned: ({unreads}, {id, message}) =>
      message === undefined && unreads.byId.has(id) ? unreads.mentions.has(id) : message?.flags.some(isMentionFlag),
    alerted: (_state, {message}) => message?.flags.includes('has_alert_word'),
    resolved: (_state, {conversation}) =>
      conversation && conversation.kind === 'topic' && isResolvedTopic(conversation.topic),
    followed: (state, {conversation}) =>
      conversation &&
      conversation.kind === 'topic' &&
      topicPolicy(state, conversation.channelId, conversation.topic) === visibilityPolicies.followed,
    muted: (state, {conversation}) => conversation && isMuted(state, conversation),
  }),
);

function conversationCondition(
  matches: (state: AccountState, operand: Operand, conversation: Conversation) => NarrowVerdict,
): Condition {
  return (state, operand, {conversation}) =>
    conversation === undefined ? undefined : matches(state, operand, conversation);
}

function isMuted(state: AccountState, conversation: Conversation): boolean {
  return conversation.kind === 'topic' && isTopicMuted(state, conversation.channelId, conversation.topic);
}

function isChannel(state: AccountState, channelId: number, operand: Operand): boolean {
  if (typeof operand === 'number') return operand === channelId;
  if (typeof operand !== 'string') return false;
  const name = operand.trim().toLowerCase();
  return state.channels.get(channelId)?.name.toLowerCase() === name || String(channelId) === name;
}

function isChannelOfKind(state: AccountState, channelId: number, operand: Operand): NarrowVerdict {
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

/** Compares a topic; the empty topic may be written by its display name. */
function isTopic(state: AccountState, topic: string, operand: Operand): boolean {
  const operandKey = topicKey(String(operand));
  if (topicKey(topic) === operandKey) return true;
  return topic === '' && operandKey === topicKey(state.realm.emptyTopicDisplayName ?? '');
}

/*
 * People in narrows are ids, email addresses or `me`. An address is compared with the addresses of the users in
 * question only, which avoids a search through all users. Undefined: some of their addresses are unknown here.
 */

type UsersAndSelf = Pick<AccountState, 'users' | 'self'>;
type PersonOperand = number | string;

function isPerson(state: UsersAndSelf, operand: Operand, userId: number): boolean | undefined {
  const [person, ...more] = parsePeople(operand);
  if (person === undefined || more.length > 0) return undefined;
  return isSamePerson(state, person, userId);
}

/** Returns whether the operand names one of these users, or the user, who is part of every direct conversation. */
function isWithPerson(state: UsersAndSelf, operand: Operand, userIds: readonly number[]): boolean | undefined {
  return any([...userIds, state.self.userId].map((id) => isPerson(state, operand, id)));
}

/** Returns whether the operand names exactly these users; naming the user too makes no difference. */
function isDirectWith(state: UsersAndSelf, operand: Operand, userIds: readonly number[]): boolean | undefined {
  const people = parsePeople(operand);
  if (people.every((person) => typeof person === 'number')) {
    const namedIds = directConversation(people, state.self.userId).userIds;
    return namedIds.length === userIds.length && namedIds.every((id, index) => id === userIds[index]);
  }
  const others = people.filter((person) => isSamePerson(state, person, state.self.userId) !== true);
  return all([
    ...others.map((person) => any(userIds.map((id) => isSamePerson(state, person, id)))),
    ...userIds.map((id) => any(others.map((person) => isSamePerson(state, person, id)))),
  ]);
}

function parsePeople(operand: Operand): PersonOperand[] {
  const list = typeof operand === 'string' ? operand.split(',') : Array.isArray(operand) ? operand : [operand];
  return list
    .map((person) => (typeof person === 'string' ? person.trim().toLowerCase() : person))
    .filter((person) => person !== '')
    .map((person) => (typeof person === 'string' && /^\d{1,15}$/.test(person) ? Number(person) : person));
}

function isSamePerson(state: UsersAndSelf, person: PersonOperand, userId: number): boolean | undefined {
  if (typeof person === 'number') return person === userId;
  if (person === 'me') return userId === state.self.userId;
  const user = state.users.get(userId);
  if (user === undefined) return undefined;
  return user.email.toLowerCase() === person || user.deliveryEmail?.toLowerCase() === person;
}

function any(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function all(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

/** A property of messages that decides whether a narrow matches. */
export type MessageAspect = 'conversation' | 'content' | 'flags' | 'starred' | 'unread' | 'reactions';

const everyAspect: readonly MessageAspect[] = ['conversation', 'content', 'flags', 'starred', 'unread', 'reactions'];

const aspectOfIsOperand = new Map<unknown, MessageAspect>([
  ['starred', 'starred'],
  ['unread', 'unread'],
  ['mentioned', 'flags'],
  ['alerted', 'flags'],
]);

function aspectsOf({operator, operand}: NarrowTerm): readonly MessageAspect[] {
  switch (operatorName(operator) ?? dateOperator(operator)) {
    case 'after':
    case 'before':
    case 'near':
    case 'id':
    case 'sender':
      return [];
    case 'search':
      // Searches cover the content and the topic.
      return ['content', 'conversation'];
    case 'mentions':
      return ['content'];
    case 'has':
      return [operand === 'reaction' ? 'reactions' : 'content'];
    case 'in':
      // The feed shows mentions even where everything else is muted.
      return ['conversation', 'flags'];
    case 'is':
      return [aspectOfIsOperand.get(operand) ?? 'conversation'];
    case undefined:
      return everyAspect;
    default:
      return ['conversation'];
  }
}

/** Returns false when a change of that aspect can never change whether the narrow matches. */
export function narrowDependsOn(narrow: Narrow, aspect: MessageAspect): boolean {
  return narrow.some((term) => aspectsOf(term).includes(aspect));
}

/** Returns whether a view changes when topics, channels or users are muted, unmuted or followed. */
export function narrowDependsOnMuting(narrow: Narrow): boolean {
  return (orParts(narrow) ?? [narrow])
    .flat()
    .some(
      ({operator, operand}) =>
        (operator === 'in' && operand === 'home') ||
        (operator === 'is' && (operand === 'muted' || operand === 'followed')),
    );
}

/** Removes `is:unread`: a message that is read in an open view of unread messages stays until the view is reopened. */
export function withoutUnreadTerms(narrow: Narrow): Narrow {
  return mapParts(narrow, (terms) => terms.filter(({operator, operand}) => operator !== 'is' || operand !== 'unread'));
}
