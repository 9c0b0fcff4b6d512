import {groupMentionMarkdown, mentionMarkdown} from '#content/composer-markdown.ts';
import {emoticonName} from '#content/emoji.ts';
import type {ShownEmoji} from '#content/emoji-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {Group, User} from '#state/model/user.ts';
import {channelName, conversationTitle, userName} from '#state/selectors/names/names.ts';
import {presenceStatus} from '#state/selectors/people/people.ts';
import {canMentionAll, canMentionGroup, wildcardReach} from '#state/selectors/permissions/channel-permissions.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type FuzzyMatch, fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex, type FuzzyResult} from '#std/fuzzy-index.ts';
import {memoBySlices} from '#std/memo.ts';
import {printableLine} from '#std/printable.ts';
import {emojiTable} from '#ui/format/message-context.ts';
import {groupMentionReach} from '#ui/warnings/send-warnings.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionOption,
  completionOf,
  maxOptions,
} from './completion.ts';
import {channelLinkText, directLinkText} from './find-channels-and-topics.ts';
import {findPeople, isAmbiguous, matchRank, type PersonMatch, withoutWeakMatches} from './find-people.ts';

interface RankedOption {
  readonly score: number;
  readonly nearness: number;
  readonly option: CompletionOption;
}

/** These rank between the user's correspondents and everyone else. */
const wildcardNearness = 2;
const groupNearness = 3;
const refusedNearness = 20;

/** Returns people, groups and wildcards to mention. Silent mentions notify no one, so they have no wildcards. */
export function mentionOptions(
  state: AccountState,
  query: string,
  isSilent: boolean,
  context: CompletionContext,
): readonly CompletionOption[] {
  const floor = query.includes(' ') ? matchScores.word : 0;
  const {conversation, remap, nowMs} = context;
  const people = findPeople(state, {query, conversation, remap, floor}).map((person): RankedOption => {
    const insert = `${mentionMarkdown(person.user, isAmbiguous(state, person.user), isSilent)} `;
    return {...person, option: personOption(state, person, {insert, nowMs, conversation})};
  });
  const groups = matchingGroups(state, query, isSilent, context);
  const wildcards = isSilent ? [] : matchingWildcards(state, query, context);
  const all = [...people, ...wildcards, ...groups].filter(({score}) => score >= floor);
  return [...withoutWeakMatches(all)]
    .sort((a, b) => matchRank(b.score) - matchRank(a.score) || a.nearness - b.nearness || b.score - a.score)
    .slice(0, maxOptions)
    .map(({option}) => option);
}

interface PersonOptionParts {
  readonly insert: string;
  readonly nowMs: number;
  /** Where the person would be mentioned. */
  readonly conversation?: Conversation | undefined;
}

export function personOption(
  state: AccountState,
  {user, ranges}: PersonMatch,
  {insert, nowMs, conversation}: PersonOptionParts,
): CompletionOption {
  return {
    label: user.fullName,
    detail: personDetail(state, user, isAmbiguous(state, user), conversation),
    insert,
    ranges,
    ...(!user.isBot && {presence: presenceStatus(state, user.id, nowMs).status}),
  };
}

/** Returns details that distinguish people and matter before mentioning them. */
export function personDetail(
  state: AccountState,
  user: User,
  ambiguous: boolean,
  conversation?: Conversation,
): string | undefined {
  const parts: string[] = [];
  if (user.id === state.self.userId) parts.push('you');
  if (user.isBot) parts.push('bot');
  if (ambiguous) parts.push(`${user.deliveryEmail ?? user.email} · ${user.id}`);
  if (conversation?.kind === 'topic') {
    const subscribers = state.subscribers.get(conversation.channelId);
    if (subscribers?.complete === true && !subscribers.ids.has(user.id)) {
      parts.push(composed`not in #${channelName(state, conversation.channelId)}`);
    }
  }
  return parts.length === 0 ? undefined : parts.join(' · ');
}

const groupsByName = memoBySlices(['groups'], ({groups}: AccountState): FuzzyIndex<number, Group> => {
  const index = new FuzzyIndex<number, Group>();
  for (const group of groups.values()) if (!group.isDeactivated) index.put(group.id, group, group.name);
  return index;
});

/** Returns the matching groups. System groups can only be mentioned silently. */
function matchingGroups(
  state: AccountState,
  query: string,
  isSilent: boolean,
  {nowMs, remap, conversation}: CompletionContext,
): readonly RankedOption[] {
  const found = groupsByName(state).find(query, {limit: maxOptions, remap});
  return found.flatMap(({item: group, score, ranges}): RankedOption[] => {
    if (!isSilent && group.isSystemGroup) return [];
    const permission = isSilent ? undefined : canMentionGroup(state, group.id, nowMs);
    const refusal = permission?.ok === false ? permission.reason : undefined;
    const reach = isSilent ? 'group' : groupReachText(groupMentionReach(state, conversation, group.id, nowMs));
    const detail = refusal ?? (group.description === '' ? reach : composed`${reach} · ${group.description}`);
    const option = {
      label: group.name,
      detail,
      insert: `${groupMentionMarkdown(group.name, isSilent)} `,
      ranges,
      refusal,
    };
    return [{score, nearness: refusal === undefined ? groupNearness : refusedNearness, option}];
  });
}

function groupReachText(count: number): string {
  return `group · notifies ${count} ${count === 1 ? 'person' : 'people'}`;
}

interface Wildcard {
  readonly name: string;
  readonly reach: 'channel' | 'topic';
}

function wildcardsFor({server}: AccountState, conversation: Conversation | undefined): readonly Wildcard[] {
  const wildcards: Wildcard[] = [
    {name: 'all', reach: 'channel'},
    {name: 'everyone', reach: 'channel'},
  ];
  if (conversation?.kind === 'direct') return wildcards;
  if (server.abilities.channelWildcard) wildcards.push({name: 'channel', reach: 'channel'});
  if (server.abilities.topicWildcard) wildcards.push({name: 'topic', reach: 'topic'});
  return wildcards;
}

function matchingWildcards(state: AccountState, query: string, context: CompletionContext): readonly RankedOption[] {
  const {conversation, nowMs} = context;
  return wildcardsFor(state, conversation).flatMap(({name, reach}): RankedOption[] => {
    const match: FuzzyMatch | undefined = fuzzyMatch(query, name);
    // Wildcards match by prefix only: a few scattered letters must not notify everyone.
    if (match === undefined || (query !== '' && match.score < matchScores.prefix)) return [];
    const permission = conversation === undefined ? undefined : canMentionAll(state, conversation, nowMs, reach);
    const refusal = permission?.ok === false ? permission.reason : undefined;
    const detail = refusal ?? reachText(state, conversation, reach);
    const option = {label: name, detail, insert: `@**${name}** `, ranges: match.ranges, refusal};
    return [{score: match.score, nearness: refusal === undefined ? wildcardNearness : refusedNearness, option}];
  });
}

function reachText(state: AccountState, conversation: Conversation | undefined, reach: Wildcard['reach']): string {
  if (reach === 'topic') return 'notifies everyone who posted in this topic';
  const count = conversation === undefined ? undefined : wildcardReach(state, conversation, 'channel')?.count;
  const people = count === 1 ? 'person' : 'people';
  if (count !== undefined) return composed`notifies ${count} ${people}`;
  return 'notifies everyone in this channel';
}

/** Frequently used emoji, boosted so that two letters are enough. */
const popular = new Set(
  '+1 thumbs_up tada heart smile slight_smile joy working_on_it octopus check eyes fire rocket 100 pray clap thinking wave'.split(
    ' ',
  ),
);

type EmojiIndex = FuzzyIndex<string, ShownEmoji>;

/** Unicode emoji by each of their names. */
const unicodeByName = memoBySlices(['unicodeEmoji'], (state: AccountState): EmojiIndex => {
  const index: EmojiIndex = new FuzzyIndex();
  for (const [code, names] of Object.entries(emojiTable(state).codeToNames)) {
    for (const name of names) index.put(name, {kind: 'unicode', name, code}, name);
  }
  return index;
});

/** The organization's custom emoji, and the Zulip emoji that every organization has. */
const ownByName = memoBySlices(['emoji'], ({emoji}: AccountState): EmojiIndex => {
  const index: EmojiIndex = new FuzzyIndex();
  index.put('zulip', {kind: 'extra', name: 'zulip'}, 'zulip');
  for (const {name, deactivated} of emoji.values()) {
    if (!deactivated) index.put(name, {kind: 'custom', name}, name);
  }
  return index;
});

const boost = ({kind, name}: ShownEmoji) => (kind !== 'unicode' ? 70 : popular.has(name) ? 80 : 0);

/** Returns each emoji once, under its best matching name; custom emoji hide Unicode emoji of the same name. */
export function findEmoji(state: AccountState, query: string): readonly FuzzyResult<ShownEmoji>[] {
  const own = ownByName(state);
  const limit = 2 * maxOptions;
  const matches = [
    ...own.find(query, {limit, boost}),
    ...unicodeByName(state)
      .find(query, {limit, boost})
      .filter(({item}) => own.get(item.name) === undefined),
  ].sort((a, b) => b.score - a.score || a.item.name.length - b.item.name.length);
  const unique = new Map<string, FuzzyResult<ShownEmoji>>();
  for (const one of matches) {
    const key = one.item.kind === 'unicode' ? one.item.code : `:${one.item.name}`;
    if (!unique.has(key)) unique.set(key, one);
  }
  return withoutWeakMatches([...unique.values()]).slice(0, maxOptions);
}

export function emojiOptions(state: AccountState, query: string): readonly CompletionOption[] {
  return findEmoji(state, query).map(({item, ranges}) => emojiOption(item, ranges));
}

function emojiOption(emoji: ShownEmoji, ranges: CompletionOption['ranges']): CompletionOption {
  return {label: emoji.name, insert: `:${emoji.name}: `, ranges, emoji};
}

/** Returns the emoji for an emoticon such as `:)`. */
export function emoticonOption(state: AccountState, written: string): CompletionOption | undefined {
  const name = emoticonName(written);
  const code = name === undefined ? undefined : emojiTable(state).code(name);
  if (name === undefined || code === undefined) return undefined;
  return {...emojiOption({kind: 'unicode', name, code}, []), detail: written};
}

/** The number of messages searched, of this conversation and of all loaded ones. */
const lookBack = 300;
const maxLabelLength = 120;

/** Returns links to loaded messages, newest first, those of this conversation before others. */
export function messageLinkOptions(
  state: AccountState,
  query: string,
  {conversation}: CompletionContext,
): readonly CompletionOption[] {
  const here = conversation === undefined ? undefined : conversationKey(conversation);
  const own = here === undefined ? [] : [...latest(state.messages.byConversation.get(here)?.reversed())];
  const ids = new Set([...own, ...latest(newestKeys(state))]);
  const options: CompletionOption[] = [];
  for (const id of ids) {
    const message = state.messages.byId.get(id);
    if (message === undefined || options.length >= maxOptions) continue;
    const label = composed`${userName(state, message.senderId, message.senderName)}: ${printableLine(message.content)}`;
    const shown = label.slice(0, maxLabelLength);
    const match: FuzzyMatch | undefined = fuzzyMatch(query, shown);
    if (match === undefined || (query !== '' && match.score < matchScores.inside)) continue;
    const insert = `${messageLinkText(state, message)} `;
    options.push({
      label: shown,
      detail: conversationTitle(state, conversationOf(message)),
      insert,
      ranges: match.ranges,
    });
  }
  return options;
}

function* latest(ids: Iterable<number> | undefined): Generator<number> {
  let count = 0;
  for (const id of ids ?? []) {
    count += 1;
    if (count > lookBack) return;
    yield id;
  }
}

function* newestKeys({messages}: AccountState): Generator<number> {
  for (const [id] of messages.byId.entriesReversed()) yield id;
}

/** Returns a link to a message, in the shortest form that the server supports. */
function messageLinkText(state: AccountState, message: Message): string {
  if (message.kind === 'direct') {
    const title = composed`message to ${conversationTitle(state, conversationOf(message))}`;
    return directLinkText(title, [...message.userIds, state.self.userId], message.id);
  }
  const name = state.channels.get(message.channelId)?.name ?? String(message.channelId);
  return channelLinkText(state, {id: message.channelId, name}, message.topic, message.id);
}

const address = /https?:\/\/\S+$/u;

/** Offers to turn the URL of a message or conversation on this server into a link; it is not selected by default. */
export function addressCompletion(state: AccountState, text: string, cursor: number): Completion | undefined {
  const found = address.exec(text.slice(Math.max(0, cursor - 2000), cursor));
  const isWhole = !/^\S/u.test(text.slice(cursor));
  if (found === null || !isWhole || !found[0].includes('#narrow/')) return undefined;
  const start = cursor - found[0].length;
  // The target of a Markdown link stays as it is.
  if (/\]\($/.test(text.slice(0, start))) return undefined;
  const destination = parseDestination(state, found[0]);
  let link: string | undefined;
  if (destination.kind === 'conversation') link = linkOf(state, undefined, destination.conversation);
  else if (destination.kind === 'narrow') link = linkOf(state, destination.narrow);
  if (link === undefined) return undefined;
  return completionOf(
    'link',
    {start, end: cursor},
    [{label: link, detail: 'as a link', insert: `${link} `, ranges: []}],
    'none',
  );
}

function linkOf(
  state: AccountState,
  narrow: Narrow = [],
  conversation?: {readonly kind: string; readonly channelId?: number; readonly topic?: string},
): string | undefined {
  const operandOf = (name: string) => narrow.find(({operator}) => operator === name)?.operand;
  const channel = state.channels.get(conversation?.channelId ?? Number(operandOf('channel')));
  const rest = narrow.filter(({operator}) => !['channel', 'topic', 'near', 'with'].includes(operator));
  if (channel === undefined || rest.length > 0) return undefined;
  const topic = conversation?.topic ?? operandOf('topic');
  const near = operandOf('near');
  if (topic === undefined) return near === undefined ? channelLinkText(state, channel) : undefined;
  return channelLinkText(state, channel, String(topic), near === undefined ? undefined : Number(near));
}
