import {byId, type Infer, int, nullableInt, nullableText, object, s, strings} from '#wire/schema.ts';

export const domain = object({domain: s.string(), allow_subdomains: s.boolean()});
export type Domain = Infer<typeof domain>;

/** A custom emoji of an organization; ids are text. */
export const emoji = object(
  {id: s.string(), name: s.string(), source_url: s.string(), deactivated: s.boolean()},
  {still_url: nullableText, author_id: nullableInt},
);
export type WireEmoji = Infer<typeof emoji>;

/** The file at `server_emoji_data_url`: hex code → names, the canonical one first. */
export const emojiData = object({code_to_names: byId(strings)});

export const emojiTable = byId(emoji);
export type EmojiTable = Infer<typeof emojiTable>;

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

export const playground = object(
  {id: int, name: s.string(), pygments_language: s.string()},
  {url_template: s.string(), url_prefix: s.string()},
);
export type WirePlayground = Infer<typeof playground>;

/** Returns the URL template with `code`; servers below level 196 send a prefix instead. */
export function playgroundTemplate(playground: WirePlayground): string {
  return playground.url_template ?? `${playground.url_prefix ?? ''}{code}`;
}

export const videoProviders = {
  none: 0,
  jitsi: 1,
  zoom: 3,
  bigBlueButton: 4,
  zoomServerToServer: 5,
  constructorGroups: 6,
  nextcloudTalk: 7,
  conference: 8,
} as const;

const tokenKey = /^has_(\w+)_token$/;

/** Returns the provider of a token's key: `has_zoom_token` → `zoom`. */
export function tokenProvider(key: string): string | undefined {
  return tokenKey.exec(key)?.[1];
}

export function tokenKeyOf(segment: string): `has_${string}_token` {
  return `has_${segment}_token`;
}

/** Returns the values of all `has_*_token` keys of a snapshot, by provider. */
export function videoTokens(snapshot: object): Record<string, boolean> {
  const tokens: Record<string, boolean> = {};
  for (const [key, value] of Object.entries(snapshot)) {
    const provider = tokenProvider(key);
    if (provider !== undefined && typeof value === 'boolean') tokens[provider] = value;
  }
  return tokens;
}
