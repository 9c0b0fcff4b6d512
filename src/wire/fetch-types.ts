import {channelEventKeys} from '#wire/events/channels.ts';
import {messageEventKeys} from '#wire/events/messages.ts';
import {organizationEventKeys} from '#wire/events/organization.ts';
import {peopleEventKeys} from '#wire/events/people.ts';
import {personalEventKeys} from '#wire/events/personal.ts';
import {tokenProvider} from '#wire/objects/organization.ts';
import {type eventSchemas, eventTypes} from './events.ts';
import {levels} from './levels.ts';
import type {Snapshot} from './register.ts';

/** The last three are for Zulip's web application. */
type SnapshotKey = keyof Snapshot | 'devices' | 'onboarding_steps' | 'realm_user_settings_defaults';
/** The events that Zulip's web application reads and this client does not request. */
type WebClientEvent = 'device' | 'onboarding_steps' | `realm_${'export' | 'export_consent' | 'user_settings_defaults'}`;

/**
 * The keys of a registration's response that the events of each type change.
 *
 * While a server makes the snapshot, other requests change its data. It applies the events of that time to the snapshot
 * only if their type is one of the fetch types, and the queue continues after all of them: a client that keeps one of
 * these keys has to fetch the type.
 */
const keysByEvent: Readonly<Record<keyof typeof eventSchemas | WebClientEvent, readonly SnapshotKey[]>> = {
  ...messageEventKeys,
  ...channelEventKeys,
  ...peopleEventKeys,
  ...personalEventKeys,
  ...organizationEventKeys,
  device: ['devices'],
  onboarding_steps: ['onboarding_steps'],
  realm_export: [],
  realm_export_consent: [],
  realm_user_settings_defaults: ['realm_user_settings_defaults'],
};

/** Returns the keys of a registration's response that an event of this type changes. */
export function snapshotKeysChangedBy(eventType: string): readonly string[] {
  if (Object.hasOwn(keysByEvent, eventType)) return keysByEvent[eventType as keyof typeof keysByEvent];
  return tokenProvider(eventType) === undefined ? [] : [eventType];
}

const partKeys = {
  starred_messages: ['starred_messages'],
  channel_folders: ['channel_folders'],
  realm_user_groups: ['realm_user_groups'],
  navigation_views: ['navigation_views'],
  recent_private_conversations: ['recent_private_conversations'],
  video_calls: ['has_zoom_token', 'has_webex_token', 'has_conference_token'],
} as const satisfies Record<string, readonly SnapshotKey[]>;
/** An event type, or a part of the response whose name is not the type of the events that change it. */
export type FetchType = keyof typeof partKeys | keyof typeof keysByEvent;

/** Returns what a client fetches that reads these keys: their parts, and the types of all events that change one of them. */
export function fetchTypesOf(keys: ReadonlySet<string>): readonly string[] {
  const parts = Object.entries(partKeys).filter(([, own]) => own.some((key) => keys.has(key)));
  const events = eventTypes.filter((type) => snapshotKeysChangedBy(type).some((key) => keys.has(key)));
  return [...parts.map(([name]) => name), ...events];
}

/** Requests full subscriber lists, which are long, only if the server does not send subscriber counts. */
export function includeSubscribers(level: number): 'true' | 'false' | 'partial' {
  if (level >= levels.partialSubscribers) return 'partial';
  return level >= levels.subscriberCount ? 'false' : 'true';
}
