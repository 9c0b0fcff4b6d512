import type {ArgsOf} from './endpoint.ts';
import type {endpoints} from './endpoints.ts';
import {eventTypes} from './events.ts';
import {levels} from './levels.ts';
import {fetchTypes, fullClientCapabilities} from './register.ts';

/** A laptop that sleeps through a meeting finds its queue again; one that sleeps through a night registers anew. */
const idleQueueTimeout = 3600;

/** What a full client asks of a server of this level. */
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

/** The lists are long: whole ones are asked for only where nothing else tells how many subscribe. */
function includeSubscribers(level: number): 'true' | 'false' | 'partial' {
  if (level >= levels.partialSubscribers) return 'partial';
  return level >= levels.subscriberCount ? 'false' : 'true';
}
