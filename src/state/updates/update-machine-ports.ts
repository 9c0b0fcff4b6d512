import type {LocalEvent} from '#state/local-events.ts';
import type {AccountState} from '#state/state.ts';
import type {StateEvent} from '#state/state-event.ts';
import type {Clock} from '#std/clock.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import type {Snapshot} from '#wire/register.ts';

/** What the update machine needs of everything else. The calls reject with `ApiFailure`, or as soon as `signal` aborts. */
export interface UpdateMachinePorts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string, error?: unknown) => void;
  readonly cache: {
    readonly state: AccountState;
    apply(...events: readonly StateEvent[]): unknown;
  };
  serverSettings(signal: AbortSignal): Promise<ServerSettings>;
  /** The level everything sent from now on is written for. */
  setLevel(level: number): void;
  register(level: number, signal: AbortSignal): Promise<Snapshot>;
  stateFromSnapshot(snapshot: Snapshot, settings: ServerSettings): AccountState;
  /** What else belongs to the first picture of this state, fetched beforehand: events to commit together with it. */
  prepare(state: AccountState, signal: AbortSignal): Promise<() => readonly LocalEvent[]>;
  poll(question: PollRequest, signal: AbortSignal): Promise<ResultOf<Endpoints['getEvents']>>;
  deleteQueue(queueId: string, signal: AbortSignal): Promise<unknown>;
  /** Every batch of events, in the turn in which it was applied. */
  onEvents(events: readonly ServerEvent[]): void;
  /** The open sockets may be dead: the next request goes out on a new one. */
  renewSockets(): void;
  /** After the state of a new registration is in: what is open has to be fetched again. */
  onRegistered(isFirst: boolean): void;
}

export interface PollRequest {
  readonly queueId: string;
  readonly lastEventId: number;
  /** Answer at once, with nothing if there is nothing. */
  readonly dontBlock: boolean;
  /** How long the answer may take. */
  readonly timeoutMs: number;
}

/** Why somebody thinks that now is a good moment to try again. `unwelcome`: another request was told to log in. */
export type WakeReason = 'focus' | 'key' | 'resumed' | 'unanswered' | 'unwelcome' | 'manual' | 'signedIn';

/** What stops a request in the air, other than its own failure. */
export type InterruptReason = 'timeout' | 'jump' | 'wake' | 'unwelcome' | 'renew' | 'stop';

export class InterruptedError extends Error {
  override readonly name = 'Interrupted';
  readonly reason: InterruptReason;

  constructor(reason: InterruptReason) {
    super(`Interrupted: ${reason}`);
    this.reason = reason;
  }
}
