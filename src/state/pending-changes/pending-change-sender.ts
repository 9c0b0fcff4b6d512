import {type ApiFailure, failureMessage, isApiFailure} from '#api/failure.ts';
import {
  actionHandlerOf,
  type PendingAction,
  type ReversibleAction,
} from '#state/actions/reversible-actions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import type {OlderReadMarker} from './older-read-marker.ts';
import type {OptimisticOverlay} from './optimistic-overlay.ts';
import type {PendingChangeQueue, RequestBatch} from './pending-change-queue.ts';

/** The server did not do it; the screen no longer shows it. */
export interface RefusedChange {
  readonly action: PendingAction;
  /** What would have taken it back: by this one it is known to whoever keeps that. */
  readonly inverse: ReversibleAction;
  /** A sentence for the user. */
  readonly problem: string;
}

export interface PendingChangeSenderParts {
  readonly context: SessionContext;
  readonly queue: PendingChangeQueue;
  readonly overlay: OptimisticOverlay;
  readonly olderReadMarker: OlderReadMarker;
  readonly onRefusal: (refusal: RefusedChange) => void;
}

/** Answers that nobody can read: the server did it, or will never. */
const mostUnreadable = 4;

/** Sends what is in the queue, one request after the other, until the server has all of it. Stops with the context's signal. */
export class PendingChangeSender {
  readonly #parts: PendingChangeSenderParts;
  readonly #backoff: Backoff;
  #unreadable = 0;
  #isShut = false;
  #isRunning = false;
  /** Whether what waits for the timer waits only for more to go with it. */
  #isPacing = false;
  #run: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(parts: PendingChangeSenderParts) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts.context.random);
    parts.context.signal.addEventListener('abort', () => this.#cancelTimer?.(), {once: true});
  }

  /** There may be something to send. */
  start(): void {
    if (this.#isRunning || this.#cancelTimer !== undefined) return;
    this.#isRunning = true;
    this.#run = this.#work();
  }

  /** Whoever we are, the server may take it now. */
  allowSending(): void {
    this.#isShut = false;
  }

  /** Waits for nothing. */
  startNow(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isPacing = false;
    this.start();
  }

  /** Resolves when nothing can be done for now. What waits for more to go with it waits no longer. */
  async idle(): Promise<void> {
    for (;;) {
      if (this.#isPacing) {
        this.#parts.queue.skipPacing();
        this.startNow();
      }
      if (!this.#isRunning) return;
      await this.#run;
    }
  }

  async #work(): Promise<void> {
    for (;;) {
      let batch: RequestBatch | undefined;
      try {
        batch = this.#next();
        if (batch === undefined) {
          this.#isRunning = false;
          return;
        }
        const isOver = await this.#carryOut(batch);
        this.#backoff.reset();
        if (isOver) this.#finish(batch, 'done');
      } catch (error) {
        if (this.#afterwards(batch, error) === 'later') {
          this.#isRunning = false;
          return;
        }
      }
    }
  }

  #next(): RequestBatch | undefined {
    const {context, queue} = this.#parts;
    const {cache, signal} = context;
    if (signal.aborted || this.#isShut || cache.state.connection.phase !== 'online') return undefined;
    const turn = queue.next();
    if (turn.kind === 'send') return turn.batch;
    if (turn.kind === 'pace') this.#isPacing = true;
    if (turn.kind !== 'nothing') this.#pokeIn(turn.ms);
    return undefined;
  }

  /** False while there is more to do. */
  async #carryOut({records, action}: RequestBatch): Promise<boolean> {
    const {context, overlay, olderReadMarker: oldReads} = this.#parts;
    const [first] = records;
    if (action.kind === 'oldRead') return first === undefined || oldReads.markNextPage(first, action);
    overlay.markSent(records);
    await actionHandlerOf(action).request(context.api, action, context.signal);
    return true;
  }

  /** True when whoever began it was told how it went. */
  #finish(batch: RequestBatch, outcome: 'done' | 'refused', problem?: string): boolean {
    const {queue, overlay, olderReadMarker: oldReads} = this.#parts;
    this.#unreadable = 0;
    queue.remove(batch);
    overlay[outcome](batch.records);
    return batch.action.kind === 'oldRead' && oldReads.finish(batch.action, problem);
  }

  /** The disk may fail while a failure is dealt with; the record is still there then, and is tried again. */
  #afterwards(batch: RequestBatch | undefined, error: unknown): 'later' | 'again' {
    try {
      return this.#failed(batch, error);
    } catch (worse) {
      this.#parts.context.log('An action met with an error', worse);
      this.#pokeIn(this.#backoff.next());
      return 'later';
    }
  }

  #failed(batch: RequestBatch | undefined, error: unknown): 'later' | 'again' {
    const {signal, log} = this.#parts.context;
    if (signal.aborted) return 'later';
    if (batch !== undefined && isApiFailure(error)) {
      if (isFinal(error)) return this.#refused(batch, failureMessage(error));
      if (error.kind === 'malformed' && ++this.#unreadable >= mostUnreadable) {
        log('An answer to an action cannot be read', error);
        this.#finish(batch, 'done');
        return 'again';
      }
      if (error.kind === 'login') {
        this.#isShut = true;
        return 'later';
      }
    } else {
      log('An action met with an error', error);
    }
    const told = isApiFailure(error) && error.kind === 'retry' ? error.retryAfterMs : undefined;
    this.#pokeIn(told ?? this.#backoff.next());
    return 'later';
  }

  #refused(batch: RequestBatch, problem: string): 'again' {
    const [first, ...others] = batch.records;
    if (others.length > 0) {
      this.#parts.queue.sendSeparately(batch);
      return 'again';
    }
    const isTold = this.#finish(batch, 'refused', problem);
    if (first !== undefined && !isTold)
      this.#parts.onRefusal({action: batch.action, inverse: first.inverse, problem});
    return 'again';
  }

  #pokeIn(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#parts.context.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#isPacing = false;
      this.start();
    });
  }
}

/** Asking again would be answered the same. */
function isFinal(failure: ApiFailure): boolean {
  return failure.kind === 'permanent' && failure.code !== 'CANNOT_CONNECT' && failure.carriedOut === 'no';
}
