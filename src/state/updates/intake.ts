import {describeUnknownEvent, type EventBatch} from './event-batch.ts';
import {withReceiptTime} from './stamp.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

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
