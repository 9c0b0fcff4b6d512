import type {Clock} from '#std/clock.ts';
import {InterruptedError} from './update-machine-ports.ts';

const farewellMs = 1000;

/** A registration's queue: how far it was read, and when it is to be replaced. */
export class EventQueue {
  readonly id: string;
  lastEventId: number;
  readonly #clock: Clock;
  readonly #registeredAt: number;
  #cancelRenewal: (() => void) | undefined;

  constructor(clock: Clock, snapshot: {readonly queue_id: string; readonly last_event_id: number}) {
    this.id = snapshot.queue_id;
    this.lastEventId = snapshot.last_event_id;
    this.#clock = clock;
    this.#registeredAt = clock.now();
  }

  get ageMs(): number {
    return this.#clock.now() - this.#registeredAt;
  }

  /** Only the first plan counts. */
  scheduleRenewal(ms: number, renew: () => void): void {
    this.#cancelRenewal ??= this.#clock.after(ms, renew);
  }

  cancelRenewal(): void {
    this.#cancelRenewal?.();
  }

  /** Tells the server, if that is quickly done; otherwise it finds out by itself. */
  async deleteOnServer(remove: (queueId: string, signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.cancelRenewal();
    const farewell = new AbortController();
    const cancel = this.#clock.after(farewellMs, () => farewell.abort(new InterruptedError('timeout')));
    await remove(this.id, farewell.signal).catch(() => {});
    cancel();
  }
}
