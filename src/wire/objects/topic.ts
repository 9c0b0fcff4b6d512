import {type Infer, int, object, s} from '#wire/schema.ts';

export const topic = object({name: s.string(), max_id: int});
export type Topic = Infer<typeof topic>;

/** Resolving a topic is renaming it with this in front. */
export const resolvedPrefix = '✔ ';
