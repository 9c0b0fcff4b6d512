import {type Infer, int, object, s, timestamp} from '#wire/schema.ts';

export const snippet = object({
  id: int,
  title: s.string(),
  content: s.string(),
  date_created: timestamp,
});
export type WireSnippet = Infer<typeof snippet>;
