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
