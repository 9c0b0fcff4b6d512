import {channelSlug, encodeNarrowOperand, escapeLinkText} from '#content/narrow-link.ts';
import type {Channel} from '#state/model/channel.ts';
import {type TopicRow, topicExists, topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {topicFromText} from '#state/selectors/names/names.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {type MatchRange, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {memoByObject, memoBySlices} from '#std/memo.ts';
import {lineWithoutControls} from '#std/printable.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {type CompletionOption, maxOptions} from './completion.ts';
import {withoutWeakMatches} from './find-people.ts';

export type KeyboardRemap = ((text: string) => string) | undefined;

const channelsByName = memoBySlices(['channels'], ({channels}: AccountState): FuzzyIndex<number, Channel> => {
  const index = new FuzzyIndex<number, Channel>();
  for (const channel of channels.values()) {
    if (channel.isArchived !== true) index.put(channel.id, channel, channel.name);
  }
  return index;
});

interface ChannelMatch {
  readonly channel: Channel;
  readonly ranges: readonly MatchRange[];
  readonly score: number;
}

/** Returns the matching channels, best first; subscribed channels win ties. Matches below `floor` are left out. */
export function findChannels(
  state: AccountState,
  query: string,
  remap?: KeyboardRemap,
  floor = 0,
): readonly ChannelMatch[] {
  const boost = ({id}: Channel) => {
    const subscription = state.subscriptions.get(id);
    if (subscription?.isSubscribed !== true) return 0;
    if (subscription.isMuted) return 40;
    if (subscription.pinToTop) return 90;
    return 80;
  };
  const matches = channelsByName(state).find(query, {limit: maxOptions, boost, remap, floor});
  const unboosted = matches.map(({item, ranges, score}) => ({
    channel: item,
    ranges,
    score: score - boost(item),
  }));
  return withoutWeakMatches(unboosted);
}

/** Returns the word for a channel that is not simply public. */
export function privacyWords({isPrivate, isWebPublic}: Pick<Channel, 'isPrivate' | 'isWebPublic'>): readonly string[] {
  if (isPrivate) return ['private'];
  if (isWebPublic === true) return ['web-public'];
  return [];
}

/** Returns the channel's details, without a sign in front. */
export function channelDetail(state: AccountState, channel: Channel): string | undefined {
  const [first = ''] = channel.description.split('\n');
  const about = excerpt(first, messageContext(state));
  const parts = [
    ...privacyWords(channel),
    ...(isSubscribed(state, channel.id) ? [] : ['not subscribed']),
    ...(about === '' ? [] : [about]),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Returns links to channels; accepting one with `drill` offers its topics. */
export function channelLinkOptions(
  state: AccountState,
  query: string,
  remap?: KeyboardRemap,
): readonly CompletionOption[] {
  const floor = query.includes(' ') ? matchScores.word : 0;
  return findChannels(state, query, remap, floor).map((found) => ({
    ...channelOption(state, found, `${channelLinkText(state, found.channel)} `),
    ...(!/[*>]/.test(found.channel.name) && {drill: `#**${found.channel.name}>`}),
  }));
}

export function channelOption(
  state: AccountState,
  {channel, ranges}: ChannelMatch,
  insert = channel.name,
): CompletionOption {
  return {label: channel.name, detail: channelDetail(state, channel), insert, ranges};
}

export function topicOption({row, ranges}: TopicMatch, insert = row.conversation.topic): CompletionOption {
  return {label: row.display, detail: topicDetail(row), insert, ranges};
}

export function newTopicOption(topic: string, insert = topic): CompletionOption {
  return {label: topic, detail: 'new topic', insert, ranges: [], isNew: true};
}

export interface ChannelAndTopic {
  readonly channel: Channel;
  /** The text after the `>`. */
  readonly topic: string;
}

/** Parses `channel>topic` with the longest existing channel name, because names may contain a `>`. */
export function parseChannelAndTopic(state: AccountState, text: string): ChannelAndTopic | undefined {
  for (let at = text.lastIndexOf('>'); at > 0; at = text.lastIndexOf('>', at - 1)) {
    const channel = channelNamed(state, text.slice(0, at));
    if (channel !== undefined) return {channel, topic: text.slice(at + 1)};
  }
  return undefined;
}

const topicsByName = memoByObject((rows: readonly TopicRow[]) => {
  const index = new FuzzyIndex<string, TopicRow>();
  for (const row of rows) index.put(row.key, row, row.display);
  return index;
});

interface TopicMatch {
  readonly row: TopicRow;
  readonly ranges: readonly MatchRange[];
  readonly score: number;
}

/** Returns the channel's matching topics, best first; without a query, the newest first. */
export function findTopics(
  state: AccountState,
  channelId: number,
  query: string,
  remap?: KeyboardRemap,
): readonly TopicMatch[] {
  const rows = topicRows(state, channelId);
  if (query.trim() === '') return rows.slice(0, maxOptions).map((row) => ({row, ranges: [], score: 0}));
  const newest = Math.max(1, state.maxMessageId);
  const boost = (row: TopicRow) => (row.isMuted ? 0 : 20) + (60 * row.lastMessageId) / newest;
  const matches = topicsByName(rows).find(query, {limit: maxOptions, boost, remap});
  return withoutWeakMatches(matches.map(({item, ranges, score}) => ({row: item, ranges, score: score - boost(item)})));
}

export function topicDetail({unreadCount, isResolved, isFollowed}: TopicRow): string | undefined {
  const parts = [
    ...(unreadCount > 0 ? [`${unreadCount} unread`] : []),
    ...(isFollowed ? ['followed'] : []),
    ...(isResolved ? ['resolved'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

export function topicLinkOptions(
  state: AccountState,
  channelAndTopic: ChannelAndTopic,
  remap?: KeyboardRemap,
): readonly CompletionOption[] {
  const {channel, topic} = channelAndTopic;
  const written = topic.trim();
  const existing = findTopics(state, channel.id, written, remap).map((found) =>
    topicOption(found, `${channelLinkText(state, channel, found.row.conversation.topic)} `),
  );
  if (written === '') return [channelItself(state, channel), ...existing];
  if (!isNewTopic(state, channel.id, written)) return existing;
  return [...existing, newTopicOption(written, `${channelLinkText(state, channel, written)} `)];
}

/** The link to the channel instead of one of its topics. */
function channelItself(state: AccountState, channel: Channel): CompletionOption {
  return {
    label: `#${channel.name}`,
    detail: 'the channel itself',
    insert: `${channelLinkText(state, channel)} `,
    ranges: [],
  };
}

/** Whether no message is known in that topic. Empty text is not a topic. */
export function isNewTopic(state: AccountState, channelId: number, written: string): boolean {
  if (written.trim() === '') return false;
  return topicExists(state, channelId, topicFromText(state, written)) !== true;
}

/** Characters that would end the short form early, or be parsed as markup in it. */
const unsafeCharacters = /[`>*&[\]]|\$\$/;

/**
 * Returns `#**channel**`, `#**channel>topic**` or `#**channel>topic@id**`; a Markdown link for names that do not fit
 * in these.
 */
export function channelLinkText(
  {server, realm}: Pick<AccountState, 'server' | 'realm'>,
  channel: Pick<Channel, 'id' | 'name'>,
  topic?: string,
  messageId?: number,
): string {
  const isSafe =
    !unsafeCharacters.test(channel.name) &&
    !(topic !== undefined && (unsafeCharacters.test(topic) || /@\d+$/.test(topic)));
  const isShort = isSafe && (messageId === undefined || server.abilities.messageLinks);
  const name = lineWithoutControls(channel.name);
  const target = messageId === undefined ? '' : `@${messageId}`;
  if (isShort) return `#**${name}${topic === undefined ? '' : `>${topic}${target}`}**`;
  const shownTopic = topic === '' ? (realm.emptyTopicDisplayName ?? 'general chat') : topic;
  const label = topic === undefined ? name : `${name} > ${shownTopic}${messageId === undefined ? '' : ' @ 💬'}`;
  return `[#${escapeLinkText(label)}](${narrowUrl(channel, topic, messageId)})`;
}

function narrowUrl(channel: Pick<Channel, 'id' | 'name'>, topic?: string, messageId?: number): string {
  const topicPart = topic === undefined ? '' : `/topic/${encodeNarrowOperand(topic)}`;
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return `#narrow/channel/${channelSlug(channel.id, channel.name)}${topicPart}${near}`;
}

/** Returns a link to a direct conversation, or to a message in it. There is no short form. */
export function directLinkText(title: string, userIds: readonly number[], messageId?: number): string {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  const people = `${userIds.join(',')}-${userIds.length > 2 ? 'group' : 'dm'}`;
  return `[${escapeLinkText(lineWithoutControls(title))}](#narrow/dm/${people}${near})`;
}
