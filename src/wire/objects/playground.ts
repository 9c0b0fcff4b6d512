import {type Infer, int, object, s} from '#wire/schema.ts';

export const playground = object(
  {id: int, name: s.string(), pygments_language: s.string()},
  {url_template: s.string(), url_prefix: s.string()},
);
export type WirePlayground = Infer<typeof playground>;

/** Returns the URL template with `code`; servers below level 196 send a prefix instead. */
export function playgroundTemplate(playground: WirePlayground): string {
  return playground.url_template ?? `${playground.url_prefix ?? ''}{code}`;
}
