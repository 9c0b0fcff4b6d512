import {int, object, s} from '#wire/schema.ts';

export const topic = object({name: s.string(), max_id: int});

/** The prefix of resolved topics. */
export const resolvedPrefix = '✔ ';

export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(resolvedPrefix);
}

/** Returns the topic without any prefix for resolved topics. */
export function unresolvedTopic(topic: string): string {
  return topic.replace(/^✔ [ ✔]*/, '');
}

/** Returns whether a topic was only resolved or unresolved, which users do not see as a move. */
export function isResolution(before: string, after: string): boolean {
  if (isResolvedTopic(before)) return !isResolvedTopic(after) && unresolvedTopic(before) === after;
  return after === resolvedPrefix + before;
}
