import {type ChannelTopics, type TopicSummary, textOfTopics, topicsOfText} from '#state/model/channel-topics.ts';
import {topicKey} from '#state/model/conversation.ts';
import {withValue} from '#state/model/immutable-updates.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {Slice} from './slice.ts';

/** Returns a line for each channel: its id, whether its topics are complete or until when they were, and the topics. */
function topicLines(topics: SortedMap<number, ChannelTopics>): string {
  const completeness = (known: ChannelTopics) => (known.complete ? 'complete' : (known.completeUntil ?? 'incomplete'));
  return [...topics].map(([id, known]) => `${id} ${completeness(known)} ${textOfTopics(known)}`).join('\n');
}

function topicsFromLines(text: string): SortedMap<number, ChannelTopics> | undefined {
  const entries: [number, ChannelTopics][] = [];
  for (const line of text === '' ? [] : text.split('\n')) {
    const [, id, completeness, until, topics] = /^(\d+) (complete|incomplete|([\d.]+)) (\[.*\])$/su.exec(line) ?? [];
    if (topics === undefined) return undefined;
    const completeUntil = until === undefined ? undefined : Number(until);
    entries.push([Number(id), topicsOfText(topics, {complete: completeness === 'complete', completeUntil})]);
  }
  return SortedMap.from(entries);
}

/** Fetched on demand. */
export const topics: Slice<SortedMap<number, ChannelTopics>, 'topics_fetched'> = {
  initial: SortedMap.empty(),
  registered: 'initial',
  saved: {toBytes: (value) => Buffer.from(topicLines(value)), fromText: topicsFromLines},
  appliers: {
    /** Replaces the channel's topics. Those that may have appeared after the response was built stay. */
    topics_fetched: (before, {channelId, topics: fetched, isCurrent}) => {
      const newest = fetched.reduce((id, {maxId}) => Math.max(id, maxId), 0);
      const known = isCurrent ? [] : [...(before.get(channelId)?.byKey.values() ?? [])];
      const byKey = SortedMap.empty<string, TopicSummary>().edit((draft) => {
        // A list may contain several spellings of a topic; the newest counts.
        for (const topic of [...fetched, ...known.filter(({maxId}) => maxId > newest)]) {
          const other = draft.get(topicKey(topic.name));
          if (other === undefined || other.maxId <= topic.maxId) draft.set(topicKey(topic.name), topic);
        }
      });
      return withValue(before, channelId, {byKey, complete: true});
    },
  },
};
