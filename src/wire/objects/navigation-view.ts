import {type Infer, nullableText, object, s} from '#wire/schema.ts';

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
