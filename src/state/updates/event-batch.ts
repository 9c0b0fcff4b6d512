import type {StateEvent} from '#state/local-events.ts';
import type {DecodeIssue} from '#wire/decode-tolerantly.ts';
import {decodeEvent, type ServerEvent, type UnknownServerEvent} from '#wire/events.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

/**
 * Adds the time of receipt, in milliseconds, to the events that need it: appliers have no clock. Every event
 * from a queue passes through here on its way to the cache.
 */
export function withReceiptTime(event: ServerEvent, now: number): StateEvent {
  return event.type === 'typing' || event.type === 'typing_edit_message'
    ? {type: 'typing_received', event, now}
    : event;
}

/** The maximum number of distinct log lines about unreadable events. */
const maxLoggedKinds = 1000;

/** More arguments than this may overflow the stack. */
const maxCommitSize = 10_000;

/** Applies the events of a poll to the cache, and logs each kind of unreadable event once. */
export class EventBatchApplier {
  readonly #ports: Pick<UpdateMachinePorts, 'cache' | 'clock' | 'onEvents' | 'log'>;
  readonly #logged = new Set<string>();

  constructor(ports: Pick<UpdateMachinePorts, 'cache' | 'clock' | 'onEvents' | 'log'>) {
    this.#ports = ports;
  }

  apply({events, unknown, issues}: EventBatch): void {
    const {cache, clock} = this.#ports;
    for (const event of unknown) this.#logOnce(`Ignored an event: ${describeUnknownEvent(event)}`);
    for (const {path, reason} of issues) this.#logOnce(`Left out of an event: ${path}: ${reason}`);
    for (let start = 0; start < events.length; start += maxCommitSize) {
      const batch = events.slice(start, start + maxCommitSize);
      cache.apply(...batch.map((event) => withReceiptTime(event, clock.monotonic())));
    }
    if (events.length > 0) this.#ports.onEvents(events);
  }

  #logOnce(line: string): void {
    const kind = line.replaceAll(/\d+/g, '');
    if (this.#logged.has(kind) || this.#logged.size >= maxLoggedKinds) return;
    this.#logged.add(kind);
    this.#ports.log(line);
  }
}

interface EventBatch {
  /** New events, in order. */
  readonly events: readonly ServerEvent[];
  readonly unknown: readonly UnknownServerEvent[];
  /** The parts of events that were dropped because they are malformed. */
  readonly issues: readonly DecodeIssue[];
  /** The id that acknowledges the whole batch. */
  readonly lastEventId: number;
}

/**
 * Decodes the new events of a response: servers repeat events that were not acknowledged. Unreadable events
 * count as acknowledged.
 */
export function decodeEventBatch(raw: readonly unknown[], lastEventId: number): EventBatch {
  const events: ServerEvent[] = [];
  const unknown: UnknownServerEvent[] = [];
  const issues: DecodeIssue[] = [];
  let last = lastEventId;
  for (const rawEvent of raw) {
    const event = decodeEvent(rawEvent, ({path, reason}) => issues.push({path: `${typeOf(rawEvent)}.${path}`, reason}));
    if (event.id <= last) continue;
    last = event.id;
    if (event.type === 'unknown') unknown.push(event);
    else events.push(event);
  }
  return {events, unknown, issues, lastEventId: last};
}

/** Describes an event for the log: its type, and what is wrong with it. */
function describeUnknownEvent({original, reason}: UnknownServerEvent): string {
  const name = typeOf(original);
  return reason === undefined ? name : `${name}, ${reason}`;
}

function typeOf(raw: unknown): string {
  const {type, op} = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  return [type, op].filter((part) => typeof part === 'string').join('/') || 'without a type';
}
