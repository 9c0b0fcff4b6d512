import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {errorText} from '#std/error-text.ts';
import {decode, type Infer, nat, type Schema, s, strings} from '#wire/schema.ts';

/** A position in the demo's data: a line number of a script, or a path in a JSON file. */
export interface SourcePosition {
  readonly file: string;
  readonly position: number | string;
}

/** Returns the position of a value in `world.json`. */
export const worldPosition = (path: string): SourcePosition => ({file: 'world.json', position: path});

/** An error in the demo's data, with the file and position. */
export class DemoDataError extends Error {
  override readonly name = 'DemoDataError';

  constructor({file, position}: SourcePosition, reason: string, options?: ErrorOptions) {
    super(`${file}:${position}: ${reason}`, options);
  }
}

/** Returns a value of the data, or throws this reason. */
export function existing<T>(value: T | undefined, source: SourcePosition, reason: string): T {
  if (value === undefined) throw new DemoDataError(source, reason);
  return value;
}

/** Runs `body` and adds the position in the data to the errors it throws. */
export function withSourcePosition<T>(source: SourcePosition, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof DemoDataError) throw error;
    throw new DemoDataError(source, errorText(error), {cause: error});
  }
}

// The schema of `world.json`. Strict, because an unknown key is a typing error that would otherwise be ignored.
const text = s.string();
const flag = s.optional(s.boolean(), false);
const maybe = s.optional(text);

const person = s.strictObject({
  key: text,
  full_name: text,
  email: text,
  role: s.picklist(['owner', 'admin', 'moderator', 'member', 'guest']),
  timezone: text,
  you: flag,
  deactivated: flag,
  joined_days_ago: nat,
  presence: s.union([s.picklist(['active', 'idle', 'offline']), nat]),
  status: s.optional(s.strictObject({text, emoji_name: text})),
  profile: s.optional(s.record(text, s.union([text, strings])), {}),
  settings: s.optional(s.record(text, s.unknown()), {}),
});

const bot = s.strictObject({
  key: text,
  full_name: text,
  email: text,
  owner: maybe,
  kind: s.picklist(['generic', 'incoming_webhook', 'outgoing', 'embedded']),
  system: flag,
  behaviour: text,
});

const channel = s.strictObject({
  key: text,
  name: text,
  description: text,
  announcement_only: flag,
  private: flag,
  protected_history: flag,
  web_public: flag,
  archived: flag,
  default: flag,
  folder: maybe,
  topics_policy: s.optional(text, 'inherit'),
  creator: text,
  created_days_ago: nat,
  subscribers: s.union([s.literal('everyone'), strings]),
  yours: s.strictObject({color: text, pinned: flag, muted: flag, subscribed: s.optional(s.boolean(), true)}),
});

const profileField = s.strictObject({
  key: text,
  name: text,
  hint: text,
  type: nat,
  field_data: s.union([s.literal(''), s.record(text, s.unknown())]),
  display_in_profile_summary: flag,
});

/** The keys of a destination: a channel and topic, people, or none of them. */
const destination = {channel: maybe, topic: maybe, to: s.optional(strings)};

const organization = s.strictObject({
  created_days_ago: nat,
  new_channel_announcements: text,
  signup_announcements: text,
  settings: s.record(text, s.unknown()),
});

const world = s.strictObject({
  organization,
  people: s.array(person),
  bots: s.array(bot),
  groups: s.array(
    s.strictObject({
      key: text,
      name: text,
      description: text,
      members: strings,
      subgroups: s.optional(strings, []),
    }),
  ),
  folders: s.array(s.strictObject({key: text, name: text, description: text, order: nat})),
  channels: s.array(channel),
  linkifiers: s.array(
    s.strictObject({pattern: text, url_template: text, example_input: maybe, reverse_template: maybe}),
  ),
  profile_fields: s.array(profileField),
  custom_emoji: s.array(s.strictObject({name: text, file: text, author: text})),
  topics: s.array(
    s.strictObject({
      channel: text,
      topic: text,
      policy: s.picklist(['muted', 'unmuted', 'followed']),
      no_messages: flag,
    }),
  ),
  drafts: s.array(s.strictObject({...destination, content: text, edited: text})),
  snippets: s.array(s.strictObject({title: text, content: text})),
  scheduled: s.array(s.strictObject({...destination, content: text, at: text})),
  reminders: s.array(s.strictObject({message: text, note: text, at: text})),
  navigation_views: s.array(s.strictObject({fragment: text, is_pinned: s.boolean(), name: maybe})),
  alert_words: strings,
  muted_users: strings,
});

export type WorldFile = Infer<typeof world>;
export type PersonEntry = WorldFile['people'][number];
export type ChannelEntry = WorldFile['channels'][number];

export function parseWorldFile(file: string, json: string): WorldFile {
  return parseJson(file, json, world);
}

export function parseJson<T>(file: string, json: string, schema: Schema<T>): T {
  const data: unknown = withSourcePosition({file, position: 1}, () => JSON.parse(json));
  const checked = decode(schema, data);
  if (!checked.ok) throw new DemoDataError({file, position: 1}, checked.reason);
  return checked.value;
}

/** The inserted users and channels by their keys in the demo's data. */
export class DemoRows {
  readonly users = new Map<string, UserRow>();
  readonly channels = new Map<string, ChannelRow>();
  readonly #yourKey: string | undefined;

  constructor({people}: WorldFile) {
    this.#yourKey = people.find(({you}) => you)?.key;
  }

  get you(): UserRow {
    return this.user(existing(this.#yourKey, worldPosition('people'), 'no person has “you”'), worldPosition('people'));
  }

  user(key: string, source: SourcePosition): UserRow {
    return existing(this.users.get(key), source, `world.json has no person or bot “${key}”`);
  }

  /** Returns the ids of people or bots. */
  userIds(keys: readonly string[], source: SourcePosition): number[] {
    return keys.map((key) => this.user(key, source).id);
  }

  channel(name: string, source: SourcePosition): ChannelRow {
    const channel = this.channels.values().find((each) => each.name === name);
    return existing(channel, source, `there is no channel named “${name}”`);
  }

  channelByKey(key: string, source: SourcePosition): ChannelRow {
    return existing(this.channels.get(key), source, `there is no channel “${key}”`);
  }
}
