import {type Infer, int, object, s} from '#wire/schema.ts';

export const topic = object({name: s.string(), max_id: int});
export type WireTopic = Infer<typeof topic>;

/** Resolving a topic is renaming it with this in front. */
export const resolvedPrefix = '✔ ';

export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(resolvedPrefix);
}

/** However often it was marked. */
export function unresolvedTopic(topic: string): string {
  return topic.replace(/^✔ [ ✔]*/, '');
}

/** True when a topic was only marked as resolved or taken up again, which is no move in a reader's eyes. */
export function isResolution(before: string, after: string): boolean {
  return before !== after && unresolvedTopic(before) === unresolvedTopic(after);
}
