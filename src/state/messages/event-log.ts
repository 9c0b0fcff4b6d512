import type {ServerEvent} from '#wire/events.ts';

/**
 * The events about messages that arrived while a fetch was in flight, newest first.
 *
 * The server may have built a response before an event that is already applied here, so a response is updated with the
 * events since its request. Appliers are idempotent: applying an event that the response already reflects does no harm.
 */
export interface EventLog {
  readonly fetchesInFlight: number;
  readonly last: LoggedEvent | undefined;
}

export interface LoggedEvent {
  readonly event: ServerEvent;
  readonly previous: LoggedEvent | undefined;
}

export const emptyEventLog: EventLog = {fetchesInFlight: 0, last: undefined};

/** Logs the event, unless no fetch is in flight. */
export function withLoggedEvent(log: EventLog, event: ServerEvent): EventLog {
  return log.fetchesInFlight === 0 ? log : {...log, last: {event, previous: log.last}};
}

export function withFetchStarted(log: EventLog): EventLog {
  return {...log, fetchesInFlight: log.fetchesInFlight + 1};
}

export function withFetchEnded(log: EventLog): EventLog {
  return log.fetchesInFlight <= 1 ? emptyEventLog : {...log, fetchesInFlight: log.fetchesInFlight - 1};
}

/** Returns the events after `mark`, oldest first. */
export function eventsSince(log: EventLog, mark: LoggedEvent | undefined): ServerEvent[] {
  const events: ServerEvent[] = [];
  for (let entry = log.last; entry !== undefined && entry !== mark; entry = entry.previous) {
    events.push(entry.event);
  }
  return events.reverse();
}

/** Returns the new messages in the log. They must stay loaded: responses in flight may lack them. */
export function loggedMessageIds(log: EventLog): readonly number[] {
  return eventsSince(log, undefined).flatMap((event) => (event.type === 'message' ? [event.message.id] : []));
}
