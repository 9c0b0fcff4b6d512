import {levels} from '#wire/levels.ts';

/** The name of the empty topic on servers that do not support empty names. */
export const noTopicName = '(no topic)';

interface OlderValue {
  readonly below: number;
  readonly convert: (value: unknown) => unknown;
}

const replacement = (below: number, newValue: unknown, oldValue: unknown): OlderValue => ({
  below,
  convert: (value) => (value === newValue ? oldValue : value),
});

const topic = replacement(levels.emptyTopic, '', noTopicName);

/** Parameters whose values had other spellings on older servers. A name has the same meaning at every endpoint. */
const olderValues: Readonly<Record<string, readonly OlderValue[]>> = {
  type: [replacement(levels.typeChannel, 'channel', 'stream'), replacement(levels.typeDirect, 'direct', 'private')],
  topic: [topic],
  topic_name: [topic],
  include_subscribers: [replacement(levels.partialSubscribers, 'partial', 'true')],
  web_home_view: [replacement(levels.recentView, 'recent', 'recent_topics')],
  twenty_four_hour_time: [replacement(levels.localeTime, null, false)],
  message_content_edit_limit_seconds: [replacement(levels.editLimitNull, 'unlimited', 0)],
  url_template: [{below: levels.linkifierTemplates, convert: (value) => toUrlFormat(String(value))}],
};

/** Returns a current value in the spelling of a server of this level. */
export function valueForLevel(name: string, value: unknown, level: number): unknown {
  const rules = olderValues[name] ?? [];
  return rules.reduce((current, {below, convert}) => (level < below ? convert(current) : current), value);
}

/** Converts a URL template to the older format: `https://tickets.example/{id}` → `https://tickets.example/%(id)s`. */
export function toUrlFormat(template: string): string {
  return template.replaceAll('%', '%%').replaceAll(/\{[+/?&#]?(\w+)\}/g, '%($1)s');
}
