import {levels} from '#wire/levels.ts';

/** How servers that know no empty topic write it. */
export const noTopicName = '(no topic)';

interface OlderValue {
  readonly below: number;
  readonly instead: (value: unknown) => unknown;
}

const word = (below: number, now: unknown, before: unknown): OlderValue => ({
  below,
  instead: (value) => (value === now ? before : value),
});

const topic = word(levels.emptyTopic, '', noTopicName);

/** Parameters whose values were other words before. A name means the same at every endpoint that has it. */
const olderValues: Readonly<Record<string, readonly OlderValue[]>> = {
  type: [word(levels.typeChannel, 'channel', 'stream'), word(levels.typeDirect, 'direct', 'private')],
  topic: [topic],
  topic_name: [topic],
  include_subscribers: [word(levels.partialSubscribers, 'partial', 'true')],
  web_home_view: [word(levels.recentView, 'recent', 'recent_topics')],
  twenty_four_hour_time: [word(levels.localeTime, null, false)],
  message_content_edit_limit_seconds: [word(levels.editLimitNull, 'unlimited', 0)],
  url_template: [{below: levels.linkifierTemplates, instead: (value) => toUrlFormat(String(value))}],
};

/** A present-day value in the words of a server of this level. */
export function valueForLevel(name: string, value: unknown, level: number): unknown {
  const rules = olderValues[name] ?? [];
  return rules.reduce((seen, {below, instead}) => (level < below ? instead(seen) : seen), value);
}

/** `https://tickets.example/{id}` → `https://tickets.example/%(id)s`. */
export function toUrlFormat(template: string): string {
  return template.replaceAll('%', '%%').replaceAll(/\{[+/?&#]?(\w+)\}/g, '%($1)s');
}
