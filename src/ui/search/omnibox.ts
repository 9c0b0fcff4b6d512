import {type Conversation, type ConversationKey, directConversation, directKey} from '#state/model/conversation.ts';
import {channelNarrow, type Narrow} from '#state/model/narrow.ts';
import {knownConversation, recentConversations} from '#state/selectors/lists/conversation-rows.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import {
  conversationUnreads,
  countedUnreads,
  type ShownUnreads,
  viewUnreads,
} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {type MatchRange, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {memoByObject} from '#std/memo.ts';
import {findNamed, type Named} from '#std/name-match.ts';
import {isEmail} from '#ui/people/person-rules.ts';
import {
  type ChannelAndTopic,
  channelDetail,
  findChannels,
  findTopics,
  parseChannelAndTopic,
  topicDetail,
} from './find-channels-and-topics.ts';
import {findConversations, findLink} from './find-conversations.ts';
import {findPeople, isAmbiguous, withoutWeakMatches} from './find-people.ts';
import {personDetail} from './mention-and-emoji-options.ts';
import {problemsSoFar, shiftedRanges} from './search-operands.ts';

const maxRows = 50;
const maxRecent = 20;

/** Returns the rows of the palette. The first character selects the source; without one, conversations are searched. */
export function omnibox(state: AccountState, query: string, sources: OmniboxSources): Omnibox {
  const text = query.trimStart();
  const rest = text.slice(1);
  const link = linkRow(state, text.replace(/^\//, ''));
  if (link !== undefined) return boxOf('conversations', [link]);
  switch (text[0]) {
    case '>':
      return {source: 'commands', rows: commandRows(rest, sources)};
    case '#':
      return boxOf('channels', channelRows(state, rest, sources));
    case '@':
      return boxOf('people', [
        ...personRows(state, rest, sources),
        ...groupRows(state, rest, sources),
        ...emailRows(rest),
      ]);
    case '/':
      return boxOf('search', searchRows(state, rest));
    case '?':
      return boxOf('help', entryRows(sources.help, rest, 'help', sources));
    case '!':
      return boxOf('accounts', entryRows(sources.accounts, rest, 'account', sources));
    case undefined:
      return lastRows(state, sources);
    default:
      return boxOf('conversations', [
        ...[...conversationRows(state, text, sources), ...emailRows(text)].slice(0, maxRows - 1),
        searchRow(`Search messages for ${text.trim()}`, text.trim()),
      ]);
  }
}

/** Returns the row that opens a pasted or typed link to a conversation or message. */
function linkRow(state: AccountState, text: string): OmniboxRow | undefined {
  const found = findLink(state, text);
  if (found === undefined) return undefined;
  const isOpen = !('problem' in found);
  return {
    kind: 'link',
    title: isOpen ? found.title : found.problem,
    ...(isOpen ? {detail: found.detail} : {problem: found.problem}),
    target: {kind: 'narrow', narrow: isOpen ? found.narrow : []},
    ranges: [],
  };
}

function boxOf(source: Omnibox['source'], rows: readonly OmniboxRow[]): Omnibox {
  return {source, rows: rows.slice(0, maxRows)};
}

/** Returns recent conversations: the previous one, to which Enter returns, then unread ones, then others. */
function lastRows(state: AccountState, {visits}: OmniboxSources): Omnibox {
  const keys = new Set(visits.filter((key) => knownConversation(state, key) !== undefined).slice(0, maxRecent));
  const [last] = keys;
  for (const {key} of recentConversations(state, {unmuted: true}, 2 * maxRecent)) {
    if (keys.size < maxRecent) keys.add(key);
  }
  const {conversations: unread} = countedUnreads(state);
  const rank = (key: ConversationKey) => (key === last ? 2 : Number(unread.has(key)));
  const ordered = [...keys].sort((a, b) => rank(b) - rank(a));
  const rows = ordered.flatMap((key): OmniboxRow[] => {
    const conversation = knownConversation(state, key);
    return conversation === undefined ? [] : [conversationRow(state, key, conversation, [])];
  });
  return boxOf('conversations', rows);
}

function conversationRow(
  state: AccountState,
  key: ConversationKey,
  conversation: Conversation,
  ranges: readonly MatchRange[],
): OmniboxRow {
  return {
    kind: conversation.kind,
    title: conversationRowTitle(state, conversation),
    target: {kind: 'conversation', conversation},
    ranges,
    unreads: conversationUnreads(state, conversation, key),
  };
}

interface ScoredRow {
  readonly score: number;
  readonly row: OmniboxRow;
}

/** Returns conversations, channels and people without a conversation yet, ranked together. */
function conversationRows(state: AccountState, query: string, sources: OmniboxSources): readonly OmniboxRow[] {
  const {visits, remap} = sources;
  const conversations = findConversations(state, {query, limit: maxRows, visits, remap}).map(
    ({item, ranges, score}): ScoredRow => ({
      score,
      row: conversationRow(state, item.key, item.conversation, ranges),
    }),
  );
  // A channel includes its topics of the same name, so it is usually what is meant.
  const channels = findChannels(state, query, remap).map(
    (one): ScoredRow => ({score: one.score + 100, row: channelRow(state, one)}),
  );
  const all = [...conversations, ...channels, ...newPeople(state, query, sources)];
  return withoutWeakMatches(all.sort((a, b) => b.score - a.score)).map(({row}) => row);
}

const maxNewPeople = 5;

/** Returns people whose name, or a word of it, starts with the query and with whom there is no conversation yet. */
function newPeople(state: AccountState, query: string, {remap}: OmniboxSources): readonly ScoredRow[] {
  return findPeople(state, {query, conversation: undefined, remap, floor: matchScores.word})
    .filter(({user}) => user.id !== state.self.userId && !state.directs.has(directKey([user.id])))
    .slice(0, maxNewPeople)
    .map(({user, ranges, score}) => ({score, row: personRow(state, user.id, user.fullName, ranges)}));
}

function channelRow(state: AccountState, {channel, ranges}: ReturnType<typeof findChannels>[number]): OmniboxRow {
  return {
    kind: 'channel',
    title: `#${channel.name}`,
    detail: channelDetail(state, channel),
    target: {kind: 'narrow', narrow: channelNarrow(channel.id)},
    ranges: shiftedRanges(ranges, 1),
    drill: `#${channel.name}>`,
    unreads: viewUnreads(state, channelNarrow(channel.id)),
  };
}

/** Returns channels; after `>`, the topics of the named one. */
function channelRows(state: AccountState, query: string, {remap}: OmniboxSources): readonly OmniboxRow[] {
  const target = parseTopicQuery(state, query, remap);
  if (target === undefined) return findChannels(state, query.trim(), remap).map((one) => channelRow(state, one));
  return findTopics(state, target.channel.id, target.topic.trim(), remap).map(({row, ranges}): OmniboxRow => {
    const title = conversationRowTitle(state, row.conversation);
    return {
      kind: 'topic',
      title,
      detail: topicDetail({...row, unreadCount: 0}),
      target: {kind: 'conversation', conversation: row.conversation},
      ranges: shiftedRanges(ranges, title.length - row.display.length),
      unreads: conversationUnreads(state, row.conversation, row.key),
    };
  });
}

/** Parses the text after `#`: the channel before `>`, or the best matching one (`#des>lo`), and the topic. */
export function parseTopicQuery(
  state: AccountState,
  query: string,
  remap: OmniboxSources['remap'],
): ChannelAndTopic | undefined {
  const exact = parseChannelAndTopic(state, query);
  if (exact !== undefined) return exact;
  const at = query.indexOf('>');
  const [best] = at < 1 ? [] : findChannels(state, query.slice(0, at).trim(), remap);
  return best === undefined ? undefined : {channel: best.channel, topic: query.slice(at + 1)};
}

function personRows(state: AccountState, query: string, {remap}: OmniboxSources): readonly OmniboxRow[] {
  const people = findPeople(state, {query: query.trim(), conversation: undefined, remap});
  return people.map(({user, ranges}) => {
    const detail = personDetail(state, user, isAmbiguous(state, user));
    return {...personRow(state, user.id, user.fullName, ranges), detail};
  });
}

function personRow(state: AccountState, id: number, title: string, ranges: readonly MatchRange[]): OmniboxRow {
  const conversation = directConversation([id], state.self.userId);
  const target = {kind: 'conversation', conversation} as const;
  return {kind: 'person', title, target, ranges, unreads: conversationUnreads(state, conversation)};
}

/** Returns the row that asks the server for a whole email address. */
function emailRows(query: string): readonly OmniboxRow[] {
  const email = query.trim();
  if (!isEmail(email)) return [];
  return [{kind: 'person', title: email, detail: 'look up this address', target: {kind: 'email', email}, ranges: []}];
}

/** Returns group conversations. */
function groupRows(state: AccountState, query: string, {visits, remap}: OmniboxSources): readonly OmniboxRow[] {
  if (query.trim() === '') return [];
  return findConversations(state, {query, limit: maxRows, visits, remap, kind: 'direct'})
    .filter(({item: {conversation}}) => conversation.kind === 'direct' && conversation.userIds.length > 1)
    .map(({item, ranges}) => conversationRow(state, item.key, item.conversation, ranges));
}

/** Returns the search row, with what was not understood as its detail. */
function searchRows(state: AccountState, query: string): readonly OmniboxRow[] {
  const text = query.trim();
  if (text === '') return [];
  const [problem] = problemsSoFar(state, query);
  return [searchRow(`Search for ${text}`, text, problem)];
}

function searchRow(title: string, text: string, detail?: string): OmniboxRow {
  return {kind: 'search', title, detail, target: {kind: 'search', text}, ranges: []};
}

/** Returns all commands, or those whose name matches; those that cannot run now come last. */
function commandRows(query: string, {commands, remap}: OmniboxSources): readonly OmniboxRow[] {
  if (query.trim() === '') return commands.map((entry) => entryRow('command', entry, []));
  const found = findNamed(commands, query, remap);
  const ordered = [false, true].flatMap((isDisabled) =>
    found.filter(({item}) => (item.disabled !== undefined) === isDisabled),
  );
  return ordered.map(({item, ranges}) => entryRow('command', item, ranges));
}

function entryRows(
  entries: readonly NamedEntry[],
  query: string,
  kind: 'help' | 'account',
  {remap}: OmniboxSources,
): readonly OmniboxRow[] {
  if (query.trim() === '') return entries.map((entry) => entryRow(kind, entry, []));
  const index = indexOf(entries);
  return withoutWeakMatches(index.find(query, {limit: maxRows, remap})).map(({item, ranges}) =>
    entryRow(kind, item, ranges),
  );
}

function entryRow(
  kind: 'command' | 'help' | 'account',
  {id, title, detail}: NamedEntry,
  ranges: readonly MatchRange[],
): OmniboxRow {
  return {kind, title, detail, target: {kind, id}, ranges};
}

const indexOf = memoByObject((entries: readonly NamedEntry[]) => {
  const index = new FuzzyIndex<string, NamedEntry>();
  for (const entry of entries) index.put(entry.id, entry, entry.title);
  return index;
});

export type OmniboxTarget =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'narrow'; readonly narrow: Narrow}
  | {readonly kind: 'command'; readonly id: string}
  | {readonly kind: 'search'; readonly text: string}
  | {readonly kind: 'help'; readonly id: string}
  | {readonly kind: 'account'; readonly id: string}
  /** The person whose email address the server is asked for. */
  | {readonly kind: 'email'; readonly email: string};

export interface OmniboxRow {
  readonly kind: 'link' | 'topic' | 'direct' | 'channel' | 'person' | 'command' | 'search' | 'help' | 'account';
  readonly title: string;
  readonly detail?: string | undefined;
  readonly target: OmniboxTarget;
  /** The matched parts of the title. */
  readonly ranges: readonly MatchRange[];
  readonly unreads?: ShownUnreads | undefined;
  /** Why the row cannot be opened. */
  readonly problem?: string | undefined;
  /** Tab puts this into the box, to continue inside. */
  readonly drill?: string | undefined;
}

/** Something found by its title. `detail` is a command's key, or the subject of a help page. */
export interface NamedEntry extends Named {
  readonly detail?: string | undefined;
  /** Why it is unavailable now. */
  readonly disabled?: string | undefined;
}

export interface OmniboxSources {
  /** In display order among equal matches. */
  readonly commands: readonly NamedEntry[];
  readonly help: readonly NamedEntry[];
  readonly accounts: readonly NamedEntry[];
  /** Visited conversations, latest first, without the shown one. */
  readonly visits: readonly ConversationKey[];
  readonly remap?: ((text: string) => string) | undefined;
}

export interface Omnibox {
  readonly source: 'conversations' | 'commands' | 'channels' | 'people' | 'search' | 'help' | 'accounts';
  readonly rows: readonly OmniboxRow[];
}
