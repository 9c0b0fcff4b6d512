import type {ArgsOf} from './endpoint.ts';
import type {endpoints} from './endpoints.ts';
import {eventTypes} from './events.ts';
import {fetchTypes} from './fetch-types.ts';
import {levels} from './levels.ts';
import {fullClientCapabilities} from './register.ts';

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
