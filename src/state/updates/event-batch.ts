import type {StateEvent} from '#state/state-event.ts';
import type {DecodeIssue} from '#wire/decode-issues.ts';
import {decodeEvent, type ServerEvent, type UnknownServerEvent} from '#wire/events.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

/**
 * An event with the time it was heard at, where that matters: appliers have no clock. Everything a queue delivers passes
 * through here on its way to the cache. `now` is in milliseconds.
 */
export function withReceiptTime(event: ServerEvent, now: number): StateEvent {
  return event.type === 'typing' || event.type === 'typing_edit_message'
    ? {type: 'typing_heard', event, now}
    : event;
}

/** Kinds of events that cannot be read; nobody reads on after these. */
const maxLoggedKinds = 1000;
/** More arguments than this do not fit on every stack. */
const largestCommit = 10_000;

/** Puts what a poll brought into the cache, and says once of each kind what could not be read. */
export class EventBatchApplier {
  readonly #ports: Pick<UpdateMachinePorts, 'cache' | 'clock' | 'onEvents' | 'log'>;
  readonly #told = new Set<string>();

  constructor(ports: Pick<UpdateMachinePorts, 'cache' | 'clock' | 'onEvents' | 'log'>) {
    this.#ports = ports;
  }

  apply({events, unknown, oddities: odd}: EventBatch): void {
    const {cache, clock} = this.#ports;
    for (const event of unknown) this.#logOnce(`Ignored an event: ${describeUnknownEvent(event)}`);
    for (const {path, reason} of odd) this.#logOnce(`Left out of an event: ${path}: ${reason}`);
    for (let start = 0; start < events.length; start += largestCommit) {
      const some = events.slice(start, start + largestCommit);
      cache.apply(...some.map((event) => withReceiptTime(event, clock.now())));
    }
    if (events.length > 0) this.#ports.onEvents(events);
  }

  #logOnce(line: string): void {
    const kind = line.replaceAll(/\d+/g, '');
    if (this.#told.has(kind) || this.#told.size >= maxLoggedKinds) return;
    this.#told.add(kind);
    this.#ports.log(line);
  }
}

interface EventBatch {
  /** Those not seen before, in order. */
  readonly events: readonly ServerEvent[];
  readonly unknown: readonly UnknownServerEvent[];
  /** What was left out of events because it is not what it should be. */
  readonly oddities: readonly DecodeIssue[];
  /** The id that acknowledges all of them. */
  readonly lastEventId: number;
}

/** What of an answer is new: servers send again what was not acknowledged, and whatever we cannot read is still done. */
export function decodeEventBatch(raw: readonly unknown[], lastEventId: number): EventBatch {
  const events: ServerEvent[] = [];
  const unknown: UnknownServerEvent[] = [];
  const odd: DecodeIssue[] = [];
  let last = lastEventId;
  for (const each of raw) {
    const event = decodeEvent(each, ({path, reason}) => odd.push({path: `${typeOf(each)}.${path}`, reason}));
    if (event.id <= last) continue;
    last = event.id;
    if (event.type === 'unknown') unknown.push(event);
    else events.push(event);
  }
  return {events, unknown, oddities: odd, lastEventId: last};
}

/** For the log: what it is called, and what is wrong with it. */
function describeUnknownEvent({original, reason}: UnknownServerEvent): string {
  const name = typeOf(original);
  return reason === undefined ? name : `${name}, ${reason}`;
}

function typeOf(raw: unknown): string {
  const {type, op} = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  return [type, op].filter((part) => typeof part === 'string').join('/') || 'without a type';
}
