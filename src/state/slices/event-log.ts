import type {Subscription} from '#state/model/channel.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {Slice} from './slice.ts';

/**
 * The events about messages that arrived while a fetch was in flight, newest first.
 *
 * The server may have built a response before an event that is already applied here, so a response is updated with the
 * events since its request. Appliers are idempotent: applying an event that the response already reflects does no harm.
 */
export interface EventLog {
  readonly fetchesInFlight: number;
  readonly last: LoggedEvent | undefined;
  /**
   * The latest events since the registration that changed topic, flags, reactions or votes of messages, by number. A server
   * may answer from a cache that is older than its events: a response does not undo them.
   */
  readonly changes?: SortedMap<number, MessageChange> | undefined;
}

export type MessageChange = Extract<
  ServerEvent,
  {type: 'update_message' | 'update_message_flags' | 'reaction' | 'submessage'}
>;

/** An event with the subscriptions when it arrived, which say whether the messages of a move stay the user's own. */
export interface EventInContext {
  readonly event: ServerEvent;
  readonly subscriptions: SortedMap<number, Subscription>;
}

export interface LoggedEvent extends EventInContext {
  readonly previous: LoggedEvent | undefined;
}

const emptyEventLog: EventLog = {fetchesInFlight: 0, last: undefined};

/** Forgets the changes: others may have been missed since. */
export function withoutChanges(log: EventLog): EventLog {
  return log.changes === undefined ? log : {...log, changes: undefined};
}

export function withFetchEnded(log: EventLog): EventLog {
  const isLast = log.fetchesInFlight <= 1;
  return isLast ? {...log, ...emptyEventLog} : {...log, fetchesInFlight: log.fetchesInFlight - 1};
}

/** The latest events about messages while a fetch is in flight. Responses to requests before a registration may still arrive. */
export const log: Slice<EventLog, 'fetch_started'> = {
  initial: emptyEventLog,
  registered: 'kept',
  saved: 'no',
  appliers: {
    fetch_started: (before) => ({...before, fetchesInFlight: before.fetchesInFlight + 1}),
  },
};
