import {type Infer, int, object, s} from '#wire/schema.ts';

export const playground = object(
  {id: int, name: s.string(), pygments_language: s.string()},
  {url_template: s.string(), url_prefix: s.string()},
);
export type Playground = Infer<typeof playground>;
