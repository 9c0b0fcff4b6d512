import {type Infer, int, nullableText, object, s, strings} from '#wire/schema.ts';

export const linkifier = object(
  {id: int, pattern: s.string()},
  {
    url_template: s.string(),
    // Below level 176: a %-format.
    url_format: s.string(),
    example_input: nullableText,
    reverse_template: nullableText,
    alternative_url_templates: strings,
  },
);
export type WireLinkifier = Infer<typeof linkifier>;

/** Where a match leads; servers below level 176 send a %-format, which puts what matched in as it is. */
export function urlTemplate(given: Pick<WireLinkifier, 'url_template' | 'url_format'>): string {
  if (given.url_template !== undefined || given.url_format === undefined) return given.url_template ?? '';
  return given.url_format.replaceAll(/%\((\w+)\)s|%%|[{}]/g, (part, name: string | undefined) => {
    if (name !== undefined) return `{+${name}}`;
    return part === '%%' ? '%' : encodeURIComponent(part);
  });
}
