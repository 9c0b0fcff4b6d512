import {tokenProvider} from '#wire/objects/organization.ts';
import {attachment, draft, navigationView, reminder, scheduledMessage, snippet} from '#wire/objects/personal.ts';
import {settingFields, userSettings} from '#wire/objects/user-settings.ts';
import {propertyPatch} from '#wire/property-patch.ts';
import {decode, int, nullableText, object, s, strings} from '#wire/schema.ts';
import {event, eventsByOp} from './event-schema.ts';

const space = {upload_space_used: int};

export const personalEvents = {
  /** Contains the whole list. */
  alert_words: event('alert_words', {alert_words: strings}),
  drafts: eventsByOp('drafts', {
    add: object({drafts: s.array(draft)}),
    update: object({draft}),
    remove: object({draft_id: int}),
  }),
  saved_snippets: eventsByOp('saved_snippets', {
    add: object({saved_snippet: snippet}),
    update: object({saved_snippet: snippet}),
    remove: object({saved_snippet_id: int}),
  }),
  scheduled_messages: eventsByOp('scheduled_messages', {
    add: object({scheduled_messages: s.array(scheduledMessage)}),
    update: object({scheduled_message: scheduledMessage}),
    /** The message was deleted or delivered. */
    remove: object({scheduled_message_id: int}),
  }),
  reminders: eventsByOp('reminders', {
    add: object({reminders: s.array(reminder)}),
    remove: object({reminder_id: int}),
  }),
  navigation_view: eventsByOp('navigation_view', {
    add: object({navigation_view: navigationView}),
    update: object({fragment: s.string(), data: object({}, {is_pinned: s.boolean(), name: nullableText})}),
    remove: object({fragment: s.string()}),
  }),
  user_settings: eventsByOp('user_settings', {
    update: object({property: s.string(), value: s.unknown()}, {language_name: s.string()}),
  }),
  attachment: eventsByOp('attachment', {
    add: object({attachment}, space),
    update: object({attachment}, space),
    remove: object({attachment: object({id: int})}, space),
  }),
};

/** The parts of a registration's response about the same. */
export const personalParts = {
  user_settings: userSettings,
  drafts: s.array(draft),
  saved_snippets: s.array(snippet),
  scheduled_messages: s.array(scheduledMessage),
  reminders: s.array(reminder),
  navigation_views: s.array(navigationView),
  alert_words: strings,
  // `videoTokens` reads any other `has_*_token`.
  has_zoom_token: s.boolean(),
  has_webex_token: s.boolean(),
  has_conference_token: s.boolean(),
};

/** The keys of a registration's response that these events change, see `fetch-types.ts`. */
export const personalEventKeys = {
  alert_words: ['alert_words'],
  drafts: ['drafts'],
  saved_snippets: ['saved_snippets'],
  scheduled_messages: ['scheduled_messages'],
  reminders: ['reminders'],
  navigation_view: ['navigation_views'],
  user_settings: ['user_settings', 'drafts'],
  attachment: [],
} as const satisfies Record<keyof typeof personalEvents, readonly string[]>;

/** Returns the change as a checked patch of the settings; undefined for an unknown property. */
export function settingsPatch({property, value}: {readonly property: string; readonly value?: unknown}) {
  return propertyPatch(settingFields, property, value);
}

/**
 * The event about a video provider's token. The server's type is `has_<provider>_token`, an open set of names; decoded, it
 * is one type with the provider as a value.
 */
export interface VideoTokenEvent {
  type: 'video_token';
  id: number;
  /** The segment of the call's path: `zoom`, `webex`, `conference`, … */
  provider: string;
  value: boolean;
}

/** The event as the server sends it. */
export interface WireVideoTokenEvent {
  type: `has_${string}_token`;
  id: number;
  value: boolean;
}

const tokenEvent = object({id: int, type: s.string(), value: s.boolean()});

export function decodeVideoToken(raw: unknown): VideoTokenEvent | undefined {
  const decoded = decode(tokenEvent, raw);
  if (!decoded.ok) return undefined;
  const provider = tokenProvider(decoded.value.type);
  if (provider === undefined) return undefined;
  return {type: 'video_token', id: decoded.value.id, provider, value: decoded.value.value};
}
