import type {ConnectionStatus, ServerBusyResponse} from '#state/model/connection.ts';
import type {Clock} from '#std/clock.ts';

/** Losing the server for less than this is nobody's business: most losses are over before anyone could read of them. */
const graceMs = 3000;

export interface OutageReporterPorts {
  readonly clock: Clock;
  readonly status: () => ConnectionStatus;
  readonly publish: (status: ConnectionStatus) => void;
}

export interface OutageFailure {
  /** In a sentence. */
  readonly problem: string;
  readonly retryAt: number | undefined;
  readonly answered?: ServerBusyResponse | undefined;
}

/** From the first failure until the server is heard again: decides when it is worth telling. */
export class OutageReporter {
  readonly #ports: OutageReporterPorts;
  #since: number | undefined;
  #last: OutageFailure = {problem: '', retryAt: undefined};
  #cancelGrace = () => {};

  constructor(ports: OutageReporterPorts) {
    this.#ports = ports;
  }

  /** Another failure. Told at once when it is known already, or when nothing was ever heard from the server. */
  addFailure(setback: OutageFailure): void {
    const {clock, status} = this.#ports;
    this.#last = setback;
    if (this.#since === undefined) {
      this.#since = clock.now();
      if (status().phase === 'online') this.#cancelGrace = clock.after(graceMs, () => this.#tell());
    }
    if (status().phase !== 'online') this.#tell();
  }

  /** The wait is over: there is no next time until this one fails. */
  retryStarted(): void {
    this.#last = {...this.#last, retryAt: undefined};
    if (this.#since !== undefined && this.#ports.status().phase === 'offline') this.#tell();
  }

  /** The server was heard, or nobody waits for it any more. */
  outageEnded(): void {
    this.#cancelGrace();
    this.#cancelGrace = () => {};
    this.#since = undefined;
  }

  #tell(): void {
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
