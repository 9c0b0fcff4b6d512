import {excerpt} from '#app/format/excerpt.ts';
import {messageContext} from '#app/format/message-context.ts';
import type {Channel} from '#state/model/channel.ts';
import {type TopicRow, topicExists, topicRows} from '#state/selectors/lists/topic-rows.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {writtenTopic} from '#state/selectors/names/names.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {type MatchRange, matchKinds} from '#std/fuzzy.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {memoBySlices} from '#std/memo.ts';
import {mostOptions, type Option} from './completion.ts';
import {withoutSparse} from './find-people.ts';
import {channelLinkText} from './link-text.ts';

export type Remap = ((text: string) => string) | undefined;

const channelsByName = memoBySlices(['channels'], ({channels}: AccountState): FuzzyIndex<number, Channel> => {
  const index = new FuzzyIndex<number, Channel>();
  for (const channel of channels.values()) {
    if (channel.isArchived !== true) index.put(channel.id, channel, channel.name);
  }
  return index;
});

export interface FoundChannel {
  readonly channel: Channel;
  readonly ranges: readonly MatchRange[];
  readonly score: number;
}

/** The channels that fit, best first; one's own before others that fit as well. `floor`: what fits worse is left out. */
export function channelsFound(
  state: AccountState,
  query: string,
  remap?: Remap,
  floor = 0,
): readonly FoundChannel[] {
  const boost = ({id}: Channel) => {
    const subscription = state.subscriptions.get(id);
    if (subscription?.isSubscribed !== true) return 0;
    return subscription.isMuted ? 40 : subscription.pinToTop ? 90 : 80;
  };
  const found = channelsByName(state).find(query, {limit: mostOptions, boost, remap, floor});
  const plain = found.map(({item, ranges, score}) => ({channel: item, ranges, score: score - boost(item)}));
  return withoutSparse(plain);
}

/** The sign in front is what the caller puts there. */
export function channelDetail(state: AccountState, channel: Channel): string | undefined {
  const [first = ''] = channel.description.split('\n');
  const about = excerpt(first, messageContext(state));
  const parts = [
    ...(channel.isPrivate ? ['private'] : []),
    ...(isSubscribed(state, channel.id) ? [] : ['not subscribed']),
    ...(about === '' ? [] : [about]),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Links to channels; going on inside one offers its topics. */
export function channelLinkOptions(state: AccountState, query: string, remap?: Remap): readonly Option[] {
  const floor = query.includes(' ') ? matchKinds.word : 0;
  return channelsFound(state, query, remap, floor).map(({channel, ranges}) => ({
    label: channel.name,
    detail: channelDetail(state, channel),
    insert: `${channelLinkText(state, channel)} `,
    ranges,
    ...(!/[*>]/.test(channel.name) && {drill: `#**${channel.name}>`}),
  }));
}

export interface WrittenPlace {
  readonly channel: Channel;
  /** What follows the `>`. */
  readonly topic: string;
}

/** `channel>top`, by the longest channel name there is: names may hold a `>` themselves. */
export function writtenPlace(state: AccountState, text: string): WrittenPlace | undefined {
  for (let at = text.lastIndexOf('>'); at > 0; at = text.lastIndexOf('>', at - 1)) {
    const channel = channelNamed(state, text.slice(0, at));
    if (channel !== undefined) return {channel, topic: text.slice(at + 1)};
  }
  return undefined;
}

const indices = new WeakMap<readonly TopicRow[], FuzzyIndex<string, TopicRow>>();

export interface FoundTopic {
  readonly row: TopicRow;
  readonly ranges: readonly MatchRange[];
  readonly score: number;
}

/** The topics of a channel that fit, best first; without a query the newest first. */
export function topicsFound(
  state: AccountState,
  channelId: number,
  query: string,
  remap?: Remap,
): readonly FoundTopic[] {
  const rows = topicRows(state, channelId);
  if (query.trim() === '') return rows.slice(0, mostOptions).map((row) => ({row, ranges: [], score: 0}));
  let index = indices.get(rows);
  if (index === undefined) {
    index = new FuzzyIndex();
    for (const row of rows) index.put(row.key, row, row.display);
    indices.set(rows, index);
  }
  const newest = Math.max(1, state.maxMessageId);
  const boost = (row: TopicRow) => (row.isMuted ? 0 : 20) + (60 * row.lastMessageId) / newest;
  const found = index.find(query, {limit: mostOptions, boost, remap});
  return withoutSparse(
    found.map(({item, ranges, score}) => ({row: item, ranges, score: score - boost(item)})),
  );
}

export function topicDetail({unreadCount, isResolved, isFollowed}: TopicRow): string | undefined {
  const parts = [
    ...(unreadCount > 0 ? [`${unreadCount} unread`] : []),
    ...(isFollowed ? ['followed'] : []),
    ...(isResolved ? ['resolved'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

export function topicLinkOptions(state: AccountState, place: WrittenPlace, remap?: Remap): readonly Option[] {
  const {channel, topic} = place;
  const written = topic.trim();
  const existing = topicsFound(state, channel.id, written, remap).map(
    ({row, ranges}): Option => ({
      label: row.display,
      detail: topicDetail(row),
      insert: `${channelLinkText(state, channel, row.conversation.topic)} `,
      ranges,
    }),
  );
  if (!isNewTopic(state, channel.id, written)) return existing;
  const insert = `${channelLinkText(state, channel, written)} `;
  return [...existing, {label: written, detail: 'new topic', insert, ranges: [], isNew: true}];
}

/** Whether nobody has spoken there, as far as can be known; nothing written is no topic. */
export function isNewTopic(state: AccountState, channelId: number, written: string): boolean {
  if (written.trim() === '') return false;
  return topicExists(state, channelId, writtenTopic(state, written)) !== true;
}
