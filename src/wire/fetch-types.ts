import type {ArgsOf} from './endpoint.ts';
import type {endpoints} from './endpoints.ts';
import {channelEventKeys} from './events/channels.ts';
import {messageEventKeys} from './events/messages.ts';
import {organizationEventKeys} from './events/organization.ts';
import {peopleEventKeys} from './events/people.ts';
import {personalEventKeys} from './events/personal.ts';
import {type eventSchemas, eventTypes} from './events.ts';
import {levels} from './levels.ts';
import {tokenProvider} from './objects/organization.ts';
import {fullClientCapabilities, type Snapshot} from './register.ts';

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

/** The parts of the snapshot whose fetch type is not the type of the events that change them. */
const namedParts = [
  'starred_messages',
  'channel_folders',
  'realm_user_groups',
  'navigation_views',
  'recent_private_conversations',
  'video_calls',
] as const;
export type FetchType = (typeof namedParts)[number] | keyof typeof keysByEvent;

/** What the client fetches: the parts of the snapshot, and the types of all events that change one. */
export const fetchTypes: readonly string[] = [
  ...namedParts,
  ...eventTypes.filter((type) => snapshotKeysChangedBy(type).length > 0),
];

/** In seconds. A laptop that sleeps for less than an hour can continue with its queue. */
const idleQueueTimeout = 3600;

/** Returns the client's arguments for `POST /register` on a server of this level. */
export function registerArgs(level: number): ArgsOf<typeof endpoints.register> {
  return {
    event_types: [...eventTypes],
    fetch_event_types: [...fetchTypes],
    apply_markdown: false,
    client_gravatar: true,
    include_subscribers: includeSubscribers(level),
    slim_presence: true,
    presence_history_limit_days: 14,
    idle_queue_timeout: idleQueueTimeout,
    client_capabilities: fullClientCapabilities,
  };
}

/** Requests full subscriber lists, which are long, only if the server does not send subscriber counts. */
function includeSubscribers(level: number): 'true' | 'false' | 'partial' {
  if (level >= levels.partialSubscribers) return 'partial';
  return level >= levels.subscriberCount ? 'false' : 'true';
}
