import type {ServerInfo} from '#state/slices/server.ts';
import type {Clock} from '#std/clock.ts';
import {InterruptedError} from './update-machine-ports.ts';

const deleteTimeoutMs = 1000;

/** The event queue of a registration: how far it was read, and when to replace it. */
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
    this.#registeredAt = clock.monotonic();
  }

  get ageMs(): number {
    return this.#clock.monotonic() - this.#registeredAt;
  }

  /** Schedules the renewal; only the first call counts. */
  scheduleRenewal(ms: number, renew: () => void): void {
    this.#cancelRenewal ??= this.#clock.after(ms, renew);
  }

  cancelRenewal(): void {
    this.#cancelRenewal?.();
  }

  /** Deletes the queue if the server responds within a second; otherwise the server expires it. */
  async deleteOnServer(remove: (queueId: string, signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.cancelRenewal();
    const controller = new AbortController();
    const cancel = this.#clock.after(deleteTimeoutMs, () => controller.abort(new InterruptedError('timeout')));
    await remove(this.id, controller.signal).catch(() => {});
    cancel();
  }
}

/** The event queue, for the connection screen. Without an id there is none. */
export interface QueueStatus {
  readonly id?: string;
  readonly lastEventId?: number;
  readonly ageMs?: number;
  /** When the server last answered a poll or a registration. */
  readonly lastResponseAt: number | undefined;
}

/** The time limit of a poll: servers send a heartbeat every 45 to 55 seconds. */
const usualTimeoutMs = 65_000;
/** The client timeout that servers with these heartbeats recommend. */
const usualTimeoutSeconds = 90;
/** The network's share of a longer recommended timeout. */
const slackMs = 5000;

/** Returns the time limit of a poll. A server that recommends an unusually long timeout has slower heartbeats. */
export function pollTimeoutMs(server: Pick<ServerInfo, 'eventQueueLongpollTimeoutSeconds'>): number {
  const seconds = server.eventQueueLongpollTimeoutSeconds ?? usualTimeoutSeconds;
  return seconds <= usualTimeoutSeconds ? usualTimeoutMs : Math.min(seconds, 600) * 1000 + slackMs;
}
