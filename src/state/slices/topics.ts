import {type ChannelTopics, textOfTopics, topicsOfText} from '#state/model/channel-topics.ts';
import {SortedMap} from '#std/sorted-map.ts';

/** Returns a line for each channel: its id, whether its topics are complete or until when they were, and the topics. */
export function topicLines(topics: SortedMap<number, ChannelTopics>): string {
  const completeness = (known: ChannelTopics) => (known.complete ? 'complete' : (known.completeUntil ?? 'incomplete'));
  return [...topics].map(([id, known]) => `${id} ${completeness(known)} ${textOfTopics(known)}`).join('\n');
}

export function topicsFromLines(text: string): SortedMap<number, ChannelTopics> | undefined {
  const entries: [number, ChannelTopics][] = [];
  for (const line of text === '' ? [] : text.split('\n')) {
    const [, id, completeness, until, topics] = /^(\d+) (complete|incomplete|([\d.]+)) (\[.*\])$/su.exec(line) ?? [];
    if (topics === undefined) return undefined;
    const completeUntil = until === undefined ? undefined : Number(until);
    entries.push([Number(id), topicsOfText(topics, {complete: completeness === 'complete', completeUntil})]);
  }
  return SortedMap.from(entries);
}
