import type {ConnectionStatus, ServerBusyResponse} from '#state/model/connection.ts';
import type {Clock} from '#std/clock.ts';

/** Outages shorter than this are not shown: most are over before the user could read about them. */
const graceMs = 3000;

export interface OutageReporterPorts {
  readonly clock: Clock;
  readonly status: () => ConnectionStatus;
  readonly publish: (status: ConnectionStatus) => void;
}

export interface OutageFailure {
  /** A sentence for the user. */
  readonly problem: string;
  readonly retryAt: number | undefined;
  readonly answered?: ServerBusyResponse | undefined;
}

/** Follows an outage from the first failure until the server responds again, and decides when to show it. */
export class OutageReporter {
  readonly #ports: OutageReporterPorts;
  #since: number | undefined;
  #last: OutageFailure = {problem: '', retryAt: undefined};
  #cancelGrace = () => {};

  constructor(ports: OutageReporterPorts) {
    this.#ports = ports;
  }

  /** Records a failure. It is shown at once when the outage is shown already, or when the server never responded. */
  addFailure(failure: OutageFailure): void {
    const {clock, status} = this.#ports;
    this.#last = failure;
    if (this.#since === undefined) {
      this.#since = clock.now();
      if (status().phase === 'online') this.#cancelGrace = clock.after(graceMs, () => this.#show());
    }
    if (status().phase !== 'online') this.#show();
  }

  /** Clears the time of the next attempt, because that attempt has begun. */
  retryStarted(): void {
    this.#last = {...this.#last, retryAt: undefined};
    if (this.#since !== undefined && this.#ports.status().phase === 'offline') this.#show();
  }

  /** Ends the outage: the server responded, or the machine stopped. */
  outageEnded(): void {
    this.#cancelGrace();
    this.#cancelGrace = () => {};
    this.#since = undefined;
  }

  #show(): void {
    if (this.#since === undefined) return;
    const before = this.#ports.status();
    this.#ports.publish({
      phase: 'offline',
      since: this.#since,
      ...this.#last,
      savedAt: 'savedAt' in before ? before.savedAt : undefined,
    });
  }
}
