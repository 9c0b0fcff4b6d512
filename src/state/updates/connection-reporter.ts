import type {ConnectionStatus, ServerBusyResponse} from '#state/model/connection.ts';
import {type ApiFailure, isFromElsewhere} from '#wire/failure.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

/** Outages shorter than this are not shown: most are over before the user could read about them. */
const graceMs = 3000;

interface OutageFailure {
  /** A sentence for the user. */
  readonly problem: string;
  readonly retryAt: number | undefined;
  readonly answered?: ServerBusyResponse | undefined;
}

/**
 * Puts the status of the connection into the state. It follows an outage from the first failure until the server responds
 * again, and decides when to show it.
 */
export class ConnectionReporter {
  readonly #ports: Pick<UpdateMachinePorts, 'cache' | 'clock'>;
  #outageSince: number | undefined;
  #last: OutageFailure = {problem: '', retryAt: undefined};
  #cancelGrace = () => {};

  constructor(ports: Pick<UpdateMachinePorts, 'cache' | 'clock'>) {
    this.#ports = ports;
  }

  get status(): ConnectionStatus {
    return this.#ports.cache.state.connection;
  }

  publish(connection: ConnectionStatus): void {
    this.#ports.cache.apply({type: 'connection_changed', connection});
  }

  /** Publishes a status that is no outage. */
  endOutage(status: ConnectionStatus): void {
    this.#clearOutage();
    this.publish(status);
  }

  /** Ends an outage: the server responded. */
  noteResponse(): void {
    const {status} = this;
    this.#clearOutage();
    if (status.phase !== 'online' || status.silentSince !== undefined) this.publish({phase: 'online'});
  }

  #clearOutage(): void {
    this.#cancelGrace();
    this.#outageSince = undefined;
  }

  /** Publishes since when a request has had no response, where that is worth showing. */
  noteSilence(silentSince: number | undefined): void {
    const {status} = this;
    if (status.phase !== 'online' && status.phase !== 'starting') return;
    if (status.silentSince !== silentSince) this.publish({...status, silentSince});
  }

  /** Records a failure. It is shown at once when the outage is shown already, or when the server never responded. */
  addFailure(failure: OutageFailure): void {
    const {clock} = this.#ports;
    this.#last = failure;
    if (this.#outageSince === undefined) {
      this.#outageSince = clock.now();
      if (this.status.phase === 'online') this.#cancelGrace = clock.after(graceMs, () => this.#showOutage());
    }
    if (this.status.phase !== 'online') this.#showOutage();
  }

  /** Clears the time of the next attempt, because that attempt has begun. */
  retryStarted(): void {
    this.#last = {...this.#last, retryAt: undefined};
    if (this.#outageSince !== undefined && this.status.phase === 'offline') this.#showOutage();
  }

  #showOutage(): void {
    if (this.#outageSince === undefined) return;
    const savedAt = 'savedAt' in this.status ? this.status.savedAt : undefined;
    this.publish({phase: 'offline', since: this.#outageSince, ...this.#last, savedAt});
  }
}

/** Returns how the server, or a proxy before it, responded; undefined when it did not respond at all. */
export function busyResponse(failure: ApiFailure): ServerBusyResponse | undefined {
  if (failure.kind === 'malformed') return 'unreadable';
  if (isFromElsewhere(failure) || (failure.kind === 'retry' && failure.reason === 'webPage')) return 'webPage';
  if (failure.kind !== 'retry' || failure.reason === 'network' || failure.reason === 'timeout') return undefined;
  return failure.retryAfterMs === undefined ? 'busy' : 'wait';
}
