import {openStore} from '#cli/account-access/open-store.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {exitCodes, PlainFailure, UsageError} from '#cli/io.ts';
import type {AccountStore, KeyValueStore} from '#state/account-store.ts';
import {type Conversation, conversationKey, directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelIdOfNarrow, conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import type {NameMatching} from '#state/selectors/names/find-by-name.ts';
import {channelName, topicFromText} from '#state/selectors/names/names.ts';
import {unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import {type DestinationResult, parseDestination} from '#state/selectors/search/parse-destination.ts';
import {personText, searchPieces} from '#state/selectors/search/parse-search.ts';
import {localViewsFrom, localViewsKey, type NavigationView} from '#state/slices/navigation-views.ts';
import type {AccountState} from '#state/state.ts';
import {didYouMean} from '#std/similar-names.ts';
import {viewsOf} from '#ui/search/sidebar-views.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {decode, type Infer, int, ints, object, s} from '#wire/schema.ts';

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

/** Throws where the user cannot read the messages of the narrow. */
export function requireAccess(state: AccountState, narrow: Narrow, now: number): void {
  const refusal = accessRefusal(state, narrow, now);
  if (refusal !== undefined) throw refusal;
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

const viewPrefix = /^view:/iu;

/** Returns the name in `view:NAME`; undefined for other words. */
function viewNameOf(text: string): string | undefined {
  const trimmed = text.trim();
  return viewPrefix.test(trimmed)
    ? trimmed
        .replace(viewPrefix, '')
        .trim()
        .replace(/^"(.*)"$/u, '$1')
    : undefined;
}

/** Returns what finding a view requires besides. */
export function viewNeeds(words: readonly string[]): readonly FetchType[] {
  return viewNameOf(words.join(' ')) === undefined ? [] : ['navigation_views'];
}

/** Returns the narrow of a view of the sidebar. `local` are the views that are saved on this machine. */
function narrowOfView(state: AccountState, name: string, local: readonly NavigationView[]): Narrow {
  const views = viewsOf(state, local).filter(({view}) => view === undefined || view.kind === 'messages');
  const names = views.map((view) => view.name);
  if (name === '') throw new UsageError(`Name a view of the sidebar: ${names.map((one) => `view:${one}`).join(', ')}.`);
  // A view of the user has precedence over a built-in one of the same name.
  const found = views.findLast((view) => view.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new PlainFailure(`No view is called “${name}”.${didYouMean(names, name)}`);
  if (found.view?.kind === 'messages') return found.view.narrow;
  throw new PlainFailure(`The view “${found.name}” leads nowhere: ${found.problem}`);
}

/** Returns the views that are saved on this machine. */
export function savedViews(store: Pick<AccountStore, 'keyValues'>): readonly NavigationView[] {
  const json = store.keyValues.get(localViewsKey);
  return json === undefined ? [] : localViewsFrom(JSON.parse(json));
}

/** Returns the views that are saved on this machine, from the database of the account. */
export function savedViewsOf({account, io}: StateContext): readonly NavigationView[] {
  const store = openStore(account, io);
  try {
    return savedViews(store);
  } finally {
    store.close();
  }
}

const storeKey = 'cli.places';
const maxSaved = 200;

const destinationSchema = object({
  title: s.string(),
  conversation: s.union([
    s.object({kind: s.literal('topic'), channelId: int, topic: s.string()}),
    s.object({kind: s.literal('direct'), userIds: ints}),
  ]),
});
const destinationsSchema = s.record(s.string(), destinationSchema);

export interface KnownDestination {
  readonly conversation: Conversation;
  /** The conversation's title when it was last used. */
  readonly title: string;
}

/**
 * Returns the conversations that “parley send” was used for, by the `--to` and `--topic` that named them: repeated sends to
 * one conversation need no request to resolve it.
 */
function knownDestinations(store: KeyValueStore): Infer<typeof destinationsSchema> {
  try {
    const decoded = decode(destinationsSchema, JSON.parse(store.get(storeKey) ?? '{}'));
    return decoded.ok ? decoded.value : {};
  } catch {
    return {};
  }
}

export function findDestination(
  store: KeyValueStore,
  to: readonly string[],
  topic: string | undefined,
): KnownDestination | undefined {
  return knownDestinations(store)[keyOf(to, topic)];
}

/** Returns the conversation's title when it was last used. */
export function lastTitleOf(store: KeyValueStore, conversation: Conversation): string | undefined {
  const key = conversationKey(conversation);
  return Object.values(knownDestinations(store)).findLast((each) => conversationKey(each.conversation) === key)?.title;
}

export function rememberDestination(
  store: KeyValueStore,
  to: readonly string[],
  topic: string | undefined,
  destination: KnownDestination,
): void {
  const key = keyOf(to, topic);
  const {[key]: previous, ...others} = knownDestinations(store);
  if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(destination)) return;
  const newest = Object.entries(others).slice(-maxSaved + 1);
  store.set(storeKey, JSON.stringify(Object.fromEntries([...newest, [key, destination]])));
}

function keyOf(to: readonly string[], topic: string | undefined): string {
  return JSON.stringify([to.map((text) => text.trim()), topic?.trim() ?? null]);
}
