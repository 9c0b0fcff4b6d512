import {type Infer, int, nullableInt, object, s, timestamp} from '#wire/schema.ts';

export const folder = object(
  {id: int, name: s.string(), description: s.string(), is_archived: s.boolean()},
  {
    rendered_description: s.string(),
    order: int,
    date_created: s.nullable(timestamp),
    creator_id: nullableInt,
  },
);
export type WireFolder = Infer<typeof folder>;
