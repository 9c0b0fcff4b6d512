import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {foldName, type User} from '#state/model/user.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {
  isResolvedTopic as isResolved,
  resolvedPrefix,
  unresolvedTopic as unresolvedName,
} from '#wire/objects/channel.ts';
import {roles} from '#wire/objects/user.ts';

export const mutedUserName = 'Muted user';
export const unknownUserName = 'Unknown user';
const unknownChannelName = 'unknown channel';
const notesToSelf = 'Notes to self';

type ChannelNameState = Pick<AccountState, 'channels'> & Partial<Pick<AccountState, 'formerChannels'>>;
type UserNameState = Pick<AccountState, 'users' | 'mutedUsers' | 'realm'>;

/** Returns the name to show for a user; `seen` is the name in a message, for users who are otherwise unknown. */
export function userName(state: UserNameState, userId: number, seen?: string): string {
  if (state.mutedUsers.has(userId)) return mutedUserName;
  const user = state.users.get(userId);
  if (user === undefined) return seen === undefined || seen === '' ? unknownUserName : seen;
  return isMarkedGuest(state, user) ? composed`${user.fullName} (guest)` : user.fullName;
}

/** Returns the names of people who reacted, in their order. */
export function reactorNames(state: UserNameState & Pick<AccountState, 'self'>, userIds: readonly number[]): string {
  return joined(userIds.map((id) => (id === state.self.userId ? 'You' : userName(state, id))));
}

/** Whether another user has the same name. */
export function hasNamesake({users}: Pick<AccountState, 'users'>, {id, fullName}: User): boolean {
  for (const other of users.labelled('name', foldName(fullName))) {
    if (other.id !== id && other.fullName === fullName) return true;
  }
  return false;
}

/** Returns the name for lists and titles: where another user has the same name, with the email address or the id. */
export function distinctUserName(state: UserNameState, userId: number, seen?: string): string {
  const name = userName(state, userId, seen);
  const user = state.users.get(userId);
  if (user === undefined || state.mutedUsers.has(userId) || !hasNamesake(state, user)) return name;
  return composed`${name} (${user.deliveryEmail ?? composed`id ${userId}`})`;
}

function isMarkedGuest({realm}: UserNameState, user: User): boolean {
  return user.role === roles.guest && realm.enableGuestUserIndicator === true;
}

/** Returns the name of a channel, for one that the user can no longer see the last known name. */
export function channelName(state: ChannelNameState, channelId: number): string {
  return state.channels.get(channelId)?.name ?? state.formerChannels?.get(channelId) ?? unknownChannelName;
}

export {isResolved, unresolvedName};

export function resolvedTopicName(topic: string): string {
  return isResolved(topic) ? topic : resolvedPrefix + topic;
}

/** Returns the topic to show, without the resolved mark; see `isResolved`. */
export function topicDisplayName(state: Pick<AccountState, 'realm'>, topic: string): string {
  return topicText(state, unresolvedName(topic));
}

/** Returns the topic, or the display name of the empty one. */
function topicText({realm}: Pick<AccountState, 'realm'>, topic: string): string {
  return topic === '' ? (realm.emptyTopicDisplayName ?? 'general chat') : topic;
}

/**
 * Returns the wire form of a topic that was typed: both names of the empty topic mean the empty one, where
 * the server supports it.
 */
export function topicFromText(state: Pick<AccountState, 'realm' | 'server'>, typed: string): string {
  const topic = typed.trim();
  if (!state.server.abilities.emptyTopics) return topic === '' ? '(no topic)' : topic;
  const display = topicText(state, '');
  return topic.toLowerCase() === display.toLowerCase() ? '' : topic;
}

type TitleState = UserNameState & Pick<AccountState, 'channels' | 'messages'>;

/** Returns `#channel › topic`, or the names in alphabetical order. The resolved mark stays. */
export function conversationTitle(state: TitleState, conversation: Conversation): string {
  if (conversation.kind === 'direct') return peopleTitle(state, conversation.userIds, conversation);
  const {channelId, topic} = conversation;
  return composed`#${channelName(state, channelId)} › ${topicText(state, topic)}`;
}

/** Returns the title without the resolved mark, for rows that show it as a symbol. */
export function conversationRowTitle(state: TitleState, conversation: Conversation): string {
  if (conversation.kind === 'direct') return conversationTitle(state, conversation);
  return conversationTitle(state, {...conversation, topic: unresolvedName(conversation.topic)});
}

function peopleTitle(state: TitleState, userIds: readonly number[], conversation: Conversation): string {
  const [first] = userIds;
  if (first === undefined) return notesToSelf;
  const isKnown = userIds.every((id) => state.users.has(id));
  const seen = isKnown ? undefined : namesInNewestMessage(state, conversation);
  if (userIds.length === 1) return distinctUserName(state, first, seen?.[first]);
  return joined(userIds.map((id) => distinctUserName(state, id, seen?.[id])).sort(compareNames));
}

/** Returns the names of the people in the newest message of the conversation. */
function namesInNewestMessage(
  {messages}: Pick<AccountState, 'messages'>,
  conversation: Conversation,
): Readonly<Record<number, string>> | undefined {
  const newest = messages.byConversation.get(conversationKey(conversation))?.last();
  const message = newest === undefined ? undefined : messages.byId.get(newest);
  return message?.kind === 'direct' ? message.names : undefined;
}

let collator: Intl.Collator | undefined;

/**
 * Compares in one fixed locale, so that the order is the same on every machine. Loading its tables takes 15
 * ms, and most names need none.
 */
function compareLetters(a: string, b: string): number {
  collator ??= new Intl.Collator('en', {sensitivity: 'base', numeric: false});
  return collator.compare(a, b);
}

/** Printable ASCII in the collator's order; upper and lower case are equal. */
const ascii = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
const ranks: readonly number[] = Array.from({length: 127}, (_, code) =>
  ascii.indexOf(String.fromCharCode(code).toLowerCase()),
);

/** Ideographs, kana and Hangul sort after all of these, whatever their own order. */
const eastAsian = ascii.length;

/** Returns the rank of a code unit; undefined where only the collator knows. */
function rankOf(unit: number): number | undefined {
  if (unit < ranks.length) return unit < 0x20 ? undefined : ranks[unit];
  const isEastAsian =
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3);
  return isEastAsian ? eastAsian : undefined;
}

/** Returns the collator's result where the first different letter decides; undefined elsewhere. */
function compareQuickly(a: string, b: string): number | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    if (index >= a.length || index >= b.length) {
      const longer = a.length > b.length ? a : b;
      return rankOf(longer.charCodeAt(index)) === undefined ? undefined : a.length - b.length;
    }
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    const [rankA, rankB] = [rankOf(unitA), rankOf(unitB)];
    if (rankA === undefined || rankB === undefined) return undefined;
    if (rankA !== rankB) return rankA - rankB;
    if (rankA === eastAsian && unitA !== unitB) return undefined;
  }
  return 0;
}

const combining = /[\u0300-\u036f]/g;
const plainAscii = /^[ -~]*$/;

/** Removes accents, which do not affect the order. */
function withoutAccents(name: string): string {
  return plainAscii.test(name) ? name : name.normalize('NFD').replace(combining, '').normalize('NFC');
}

/** Compares names alphabetically; names that differ only in case or accents have a fixed order too. */
export function compareNames(a: string, b: string): number {
  const order = compareQuickly(withoutAccents(a), withoutAccents(b)) ?? compareLetters(a, b);
  return order || (a < b ? -1 : a > b ? 1 : 0);
}

/** Sorts by name, computing each name once. */
export function sortedByName<T>(items: Iterable<T>, nameOf: (item: T) => string): T[] {
  return [...items]
    .map((item) => ({item, name: nameOf(item)}))
    .sort((a, b) => compareNames(a.name, b.name))
    .map(({item}) => item);
}
