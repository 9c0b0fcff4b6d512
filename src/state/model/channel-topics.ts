import {SortedMap} from '#std/sorted-map.ts';
import {topicKey} from './conversation.ts';

/**
 * The saved texts of topics. An account may know tens of thousands of topics: a start reads those of no channel that it
 * does not show, and only changed channels are encoded again.
 */
const savedTexts = new WeakMap<ChannelTopics, string>();

type Completeness = Pick<ChannelTopics, 'complete' | 'completeUntil'>;

/** Returns the topics of a text that `textOfTopics` returned, which is read when they are needed. */
export function topicsOfText(text: string, completeness: Completeness): ChannelTopics {
  let read: ChannelTopics['byKey'] | undefined;
  return lazyTopics(text, completeness, () => {
    read ??= readTopics(text);
    return read;
  });
}

/** Returns the topics as text in one line. */
export function textOfTopics(topics: ChannelTopics): string {
  const known = savedTexts.get(topics);
  if (known !== undefined) return known;
  const text = JSON.stringify([...topics.byKey.values()].flatMap(({name, maxId}) => [name, maxId]));
  savedTexts.set(topics, text);
  return text;
}

/** Returns the same topics as a list that may lack some or contain former ones since the given time. */
export function incompleteTopics(topics: ChannelTopics, completeUntil: number | undefined): ChannelTopics {
  if (!topics.complete) return topics;
  const text = savedTexts.get(topics);
  const completeness = {complete: false, completeUntil};
  return text === undefined ? {...topics, ...completeness} : lazyTopics(text, completeness, () => topics.byKey);
}

function lazyTopics(text: string, completeness: Completeness, byKey: () => ChannelTopics['byKey']): ChannelTopics {
  const topics = {
    ...completeness,
    get byKey() {
      return byKey();
    },
  };
  savedTexts.set(topics, text);
  return topics;
}

function readTopics(text: string): ChannelTopics['byKey'] {
  const values: readonly (string | number)[] = JSON.parse(text);
  const topics: TopicSummary[] = [];
  for (let at = 0; at < values.length; at += 2) {
    topics.push({name: String(values[at]), maxId: Number(values[at + 1])});
  }
  return SortedMap.by(topics, ({name}) => topicKey(name));
}

export interface TopicSummary {
  readonly name: string;
  readonly maxId: number;
}

/** The topics of a channel by `topicKey`; `complete` when these are all topics that exist. */
export interface ChannelTopics {
  readonly byKey: SortedMap<string, TopicSummary>;
  readonly complete: boolean;
  /**
   * When an incomplete list was last complete, by the time of day: then the event queue was lost. Undefined if it never was,
   * or if an event said that something is missing.
   */
  readonly completeUntil?: number | undefined;
}
