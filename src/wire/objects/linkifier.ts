import {type Infer, int, nullableText, object, s, strings} from '#wire/schema.ts';

export const linkifier = object(
  {id: int, pattern: s.string()},
  {
    url_template: s.string(),
    // Below level 176: a Python %-format, which no client needs to apply.
    url_format: s.string(),
    example_input: nullableText,
    reverse_template: nullableText,
    alternative_url_templates: strings,
  },
);
export type Linkifier = Infer<typeof linkifier>;
