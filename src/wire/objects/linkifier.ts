import {type Infer, int, nullableText, object, s, strings} from '#wire/schema.ts';

export const linkifier = object(
  {id: int, pattern: s.string()},
  {
    url_template: s.string(),
    // A %-format, below level 176.
    url_format: s.string(),
    example_input: nullableText,
    reverse_template: nullableText,
    alternative_url_templates: strings,
  },
);
export type WireLinkifier = Infer<typeof linkifier>;

/** Returns the URL template of a linkifier; servers below level 176 send a %-format, which does not encode its values. */
export function urlTemplate(linkifierFields: Pick<WireLinkifier, 'url_template' | 'url_format'>): string {
  if (linkifierFields.url_template !== undefined || linkifierFields.url_format === undefined)
    return linkifierFields.url_template ?? '';
  return linkifierFields.url_format.replaceAll(/%\((\w+)\)s|%%|[{}]/g, (part, name: string | undefined) => {
    if (name !== undefined) return `{+${name}}`;
    return part === '%%' ? '%' : encodeURIComponent(part);
  });
}
