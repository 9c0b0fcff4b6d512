import type {Subscription} from '#state/model/channel.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {ServerEvent} from '#wire/events.ts';

/** More changes than this are not remembered: the oldest are dropped first. */
const maxChanges = 2000;

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

type MessageChange = Extract<
  ServerEvent,
  {type: 'update_message' | 'update_message_flags' | 'reaction' | 'submessage'}
>;

/** An event with the subscriptions when it arrived, which say whether the messages of a move stay the user's own. */
export interface EventInContext {
  readonly event: ServerEvent;
  readonly subscriptions: SortedMap<number, Subscription>;
}

type LogAndSubscriptions = Pick<EventInContext, 'subscriptions'> & {readonly log: EventLog};

export interface LoggedEvent extends EventInContext {
  readonly previous: LoggedEvent | undefined;
}

export const emptyEventLog: EventLog = {fetchesInFlight: 0, last: undefined};

/**
 * Logs the event if a fetch is in flight, and remembers it if it changed messages: not those that it `found` as they should
 * be.
 */
export function withLoggedEvent(
  {log: before, subscriptions}: LogAndSubscriptions,
  event: ServerEvent,
  found: {has(id: number): boolean} = new Set(),
): EventLog {
  const isNew = isChange(event) && !hasChange(before, event) && !changedIds(event).every((id) => found.has(id));
  const log = isNew ? {...before, changes: withChange(before.changes, event)} : before;
  return log.fetchesInFlight === 0 ? log : {...log, last: {event, subscriptions, previous: log.last}};
}

/** What is unread is known of all messages, whatever responses say. */
function isChange(event: ServerEvent): event is MessageChange {
  if (event.type === 'update_message_flags') return event.flag !== 'read';
  return event.type === 'update_message' || event.type === 'reaction' || event.type === 'submessage';
}

function withChange(changes: EventLog['changes'] = SortedMap.empty(), event: MessageChange): EventLog['changes'] {
  const oldest = changes.size < maxChanges ? undefined : changes.firstKey();
  const kept = oldest === undefined ? changes : changes.without(oldest);
  return kept.with((changes.lastKey() ?? 0) + 1, event);
}

/** Returns whether the same event was remembered, which a server may send twice. */
function hasChange({changes}: EventLog, event: MessageChange): boolean {
  const last = changes?.lastKey();
  return last !== undefined && deepEqual(changes?.get(last), event);
}

/** Forgets the changes: others may have been missed since. */
export function withoutChanges(log: EventLog): EventLog {
  return log.changes === undefined ? log : {...log, changes: undefined};
}

/** Returns the changes of any of these messages, oldest first. */
export function changesOf(
  {log, subscriptions}: LogAndSubscriptions,
  ids: ReadonlySet<number>,
): readonly EventInContext[] {
  const changes = [...(log.changes?.values() ?? [])].filter((event) => changedIds(event).some((id) => ids.has(id)));
  // A change of subscriptions makes them forgotten.
  return changes.map((event) => ({event, subscriptions}));
}

function changedIds(event: MessageChange): readonly number[] {
  if (event.type === 'update_message_flags') return event.messages;
  return event.type === 'update_message' ? [event.message_id, ...event.message_ids] : [event.message_id];
}

export function withFetchStarted(log: EventLog): EventLog {
  return {...log, fetchesInFlight: log.fetchesInFlight + 1};
}

export function withFetchEnded(log: EventLog): EventLog {
  const isLast = log.fetchesInFlight <= 1;
  return isLast ? {...log, ...emptyEventLog} : {...log, fetchesInFlight: log.fetchesInFlight - 1};
}

/** Returns the events after `mark`, oldest first. */
export function eventsSince(log: EventLog, mark: LoggedEvent | undefined): EventInContext[] {
  const events: EventInContext[] = [];
  for (let entry = log.last; entry !== undefined && entry !== mark; entry = entry.previous) {
    events.push(entry);
  }
  return events.reverse();
}

/** Returns the new messages in the log. They must stay loaded: responses in flight may lack them. */
export function loggedMessageIds(log: EventLog): readonly number[] {
  return eventsSince(log, undefined).flatMap(({event}) => (event.type === 'message' ? [event.message.id] : []));
}
