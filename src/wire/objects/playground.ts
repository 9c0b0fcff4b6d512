import {type Infer, int, object, s} from '#wire/schema.ts';

export const playground = object(
  {id: int, name: s.string(), pygments_language: s.string()},
  {url_template: s.string(), url_prefix: s.string()},
);
export type WirePlayground = Infer<typeof playground>;

/** The address with `code` in it; servers below level 196 send what to put in front of it. */
export function playgroundTemplate(given: WirePlayground): string {
  return given.url_template ?? `${given.url_prefix ?? ''}{code}`;
}
