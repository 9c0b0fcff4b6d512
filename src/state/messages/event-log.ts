import type {ServerEvent} from '#wire/events.ts';

/**
 * The events about messages that came while a fetch was in the air, newest first.
 *
 * An answer may have been made before an event that we already applied, so what it brings is brought up to date with
 * the events since it was asked for. Appliers are idempotent: those it already contains do no harm.
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

/** Nothing is kept while nothing is in the air. */
export function withLoggedEvent(log: EventLog, event: ServerEvent): EventLog {
  return log.fetchesInFlight === 0 ? log : {...log, last: {event, previous: log.last}};
}

export function withFetchStarted(log: EventLog): EventLog {
  return {...log, fetchesInFlight: log.fetchesInFlight + 1};
}

export function withFetchEnded(log: EventLog): EventLog {
  return log.fetchesInFlight <= 1 ? emptyEventLog : {...log, fetchesInFlight: log.fetchesInFlight - 1};
}

/** Oldest first. */
export function eventsSince(log: EventLog, mark: LoggedEvent | undefined): ServerEvent[] {
  const events: ServerEvent[] = [];
  for (let entry = log.last; entry !== undefined && entry !== mark; entry = entry.previous) {
    events.push(entry.event);
  }
  return events.reverse();
}
