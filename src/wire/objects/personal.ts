import {type Infer, int, ints, nullableText, object, openEnum, s, timestamp} from '#wire/schema.ts';

export const snippet = object({
  id: int,
  title: s.string(),
  content: s.string(),
  date_created: timestamp,
});
export type WireSnippet = Infer<typeof snippet>;

export const reminder = object(
  {
    reminder_id: int,
    to: ints,
    content: s.string(),
    rendered_content: s.string(),
    scheduled_delivery_timestamp: timestamp,
    reminder_target_message_id: int,
  },
  {type: openEnum('private'), failed: s.boolean(), note: s.string()},
);
export type WireReminder = Infer<typeof reminder>;

const required = {
  scheduled_message_id: int,
  content: s.string(),
  rendered_content: s.string(),
  scheduled_delivery_timestamp: timestamp,
};
const optional = {failed: s.boolean()};

export const scheduledMessage = s.variant('type', [
  object({...required, type: s.literal('stream'), to: int, topic: s.string()}, optional),
  object({...required, type: s.literal('private'), to: ints}, {...optional, topic: s.string()}),
]);
export type WireScheduledMessage = Infer<typeof scheduledMessage>;

export const navigationView = object({fragment: s.string(), is_pinned: s.boolean()}, {name: nullableText});
export type WireNavigationView = Infer<typeof navigationView>;

/** The built-in views, which have no own name; every other view must have one. */
export const builtInFragments = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'scheduled',
  'reminders',
] as const;

const fields = {
  type: s.picklist(['', 'stream', 'private']),
  to: ints,
  topic: s.string(),
  content: s.string(),
};
const inputNames: ReadonlySet<string> = new Set([...Object.keys(fields), 'timestamp']);

/** A draft as the client sends it. Unlike other objects, it has no other fields. */
export const draftInput = s.pipe(
  s.custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Invalid {at}: Input should be a valid dictionary or instance of DraftData',
  ),
  s.rawCheck(({dataset, addIssue}) => {
    const other = dataset.typed ? Object.keys(dataset.value).find((name) => !inputNames.has(name)) : undefined;
    if (other !== undefined) addIssue({message: `Argument "${other}" at {at}["${other}"] is unexpected`});
  }),
  object(
    {...fields, content: s.pipe(s.string(), s.regex(/\S/, '{at} cannot be blank'))},
    {timestamp: s.nullable(s.number('{at}["int"] is not an integer'))},
  ),
);
export type DraftInput = Infer<typeof draftInput>;

/** A draft as the server stores it. */
export const draft = object({id: int, ...fields}, {timestamp});
export type WireDraft = Infer<typeof draft>;

export const attachment = object(
  {id: int, name: s.string(), path_id: s.string(), size: int, create_time: s.number()},
  {message_ids: ints, messages: s.array(object({id: int}, {date_sent: s.number()}))},
);
export type WireAttachment = Infer<typeof attachment>;

/** Returns the ids of the messages with the attachment; servers below level 472 send messages instead of ids. */
export function attachedMessageIds(file: WireAttachment): number[] {
  return file.message_ids ?? file.messages?.map((message) => message.id) ?? [];
}

// A UNIX time in seconds above this would be in the year 5138.
const latestSeconds = 1e11;

/** Returns the creation time in UNIX seconds; servers below level 443 send milliseconds. */
export function attachmentCreatedAt(file: WireAttachment): number {
  return file.create_time > latestSeconds ? Math.floor(file.create_time / 1000) : file.create_time;
}

export const uploaded = object({}, {url: s.string(), uri: s.string(), filename: s.string()});

/** Returns the URL of an uploaded file; the field is `uri` on servers below level 272. */
export function uploadedUrl(response: Infer<typeof uploaded>): string | undefined {
  return response.url ?? response.uri;
}

/** Returns an attachment in the current format. Below level 443 times are in milliseconds, below 472 messages are objects. */
export function modernAttachment({messages: _older, ...file}: WireAttachment): WireAttachment {
  const older = {...file, messages: _older};
  return {...file, create_time: attachmentCreatedAt(older), message_ids: attachedMessageIds(older)};
}
