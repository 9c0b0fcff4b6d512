import {slices} from '#state/slices.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {eventTypes} from '#wire/events.ts';
import {fetchTypesOf, includeSubscribers} from '#wire/fetch-types.ts';
import {fullClientCapabilities} from '#wire/register.ts';

/** What the client fetches: the parts that the slices read, and the types of all events that change one. */
export const fetchTypes = fetchTypesOf(
  new Set(Object.values(slices).flatMap(({registered}) => (typeof registered === 'string' ? [] : registered.keys))),
);

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
