import type {LocalEvent, StateEvent} from '#state/local-events.ts';
import type {AccountState} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import type {Snapshot} from '#wire/register.ts';

/** The functions that the update machine calls. Requests reject with `ApiFailure`, or as soon as `signal` aborts. */
export interface UpdateMachinePorts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string, error?: unknown) => void;
  readonly cache: {
    readonly state: AccountState;
    apply(...events: readonly StateEvent[]): unknown;
  };
  serverSettings(signal: AbortSignal): Promise<ServerSettings>;
  /** Sets the feature level for all requests from now on. */
  setLevel(level: number): void;
  register(level: number, signal: AbortSignal): Promise<Snapshot>;
  stateFromSnapshot(snapshot: Snapshot, settings: ServerSettings | undefined): AccountState;
  /**
   * Fetches the messages that the first frame of this state shows; returns events to commit together with the state.
   */
  prepare(state: AccountState, signal: AbortSignal): Promise<() => readonly LocalEvent[]>;
  poll(question: PollRequest, signal: AbortSignal): Promise<ResultOf<Endpoints['getEvents']>>;
  deleteQueue(queueId: string, signal: AbortSignal): Promise<unknown>;
  /** Receives every batch of events, synchronously after it was applied. */
  onEvents(events: readonly ServerEvent[]): void;
  /** Makes the next request open a new socket, because the open ones may be dead. */
  renewSockets(): void;
  /** Runs after the state of a new registration is applied: open views must be fetched again. */
  onRegistered(isFirst: boolean): void;
}

export interface PollRequest {
  readonly queueId: string;
  readonly lastEventId: number;
  /** True: the server responds at once, even without events. */
  readonly dontBlock: boolean;
  /** The time limit for the response. */
  readonly timeoutMs: number;
}

/** The reason for retrying now. `loginRefused`: another request got a login failure. */
export type WakeReason = 'focus' | 'key' | 'resumed' | 'unanswered' | 'loginRefused' | 'manual' | 'signedIn';

/** The reason why a request in flight was stopped, other than its own failure. */
export type InterruptReason = 'timeout' | 'jump' | 'wake' | 'loginRefused' | 'renew' | 'stop';

export class InterruptedError extends Error {
  override readonly name = 'Interrupted';
  readonly reason: InterruptReason;

  constructor(reason: InterruptReason) {
    super(`Interrupted: ${reason}`);
    this.reason = reason;
  }
}
