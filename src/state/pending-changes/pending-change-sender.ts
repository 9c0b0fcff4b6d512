import {type ApiFailure, failureMessage, isApiFailure, isFromElsewhere} from '#api/failure.ts';
import {actionHandlerOf, type PendingAction, type ReversibleAction} from '#state/actions/reversible-actions.ts';
import {yieldToEventLoop} from '#state/persistence/yield-to-event-loop.ts';
import type {SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import type {OlderReadMarker} from './older-read-marker.ts';
import type {OptimisticOverlay} from './optimistic-overlay.ts';
import type {PendingChangeQueue, RequestBatch} from './pending-change-queue.ts';

/** A change that the server refused; the screen no longer shows it. */
export interface RefusedChange {
  readonly action: PendingAction;
  /** The action that would have undone it, by which the undo history finds it. */
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

/** After this many unreadable responses the change counts as sent, and after this many web pages as refused. */
const maxUnreadable = 4;

/**
 * Sends the queued changes, one request after the other, until the server has all of them. Stops with the
 * context's signal.
 */
export class PendingChangeSender {
  readonly #parts: PendingChangeSenderParts;
  readonly #backoff: Backoff;
  #unreadable = 0;
  #isLoginRefused = false;
  #isRunning = false;
  /** The timer is waiting only for further changes to join the request. */
  #isPacing = false;
  #run: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(parts: PendingChangeSenderParts) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts.context.random);
    parts.context.signal.addEventListener('abort', () => this.#cancelTimer?.(), {once: true});
  }

  /** Starts sending, if there is anything to send. */
  start(): void {
    if (this.#isRunning || this.#cancelTimer !== undefined) return;
    this.#isRunning = true;
    this.#run = this.#sendAll();
  }

  /** Allows sending again after a login failure. */
  allowSending(): void {
    this.#isLoginRefused = false;
  }

  /** Starts sending without waiting for the timer. */
  startNow(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isPacing = false;
    this.start();
  }

  /** Resolves when nothing can be done for now. Ends the wait for further changes. */
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

  async #sendAll(): Promise<void> {
    // The key that made the change is painted before the change is claimed and sent.
    await yieldToEventLoop();
    for (;;) {
      let batch: RequestBatch | undefined;
      try {
        batch = this.#next();
        if (batch === undefined) {
          this.#isRunning = false;
          return;
        }
        const isFinished = await this.#sendBatch(batch);
        this.#backoff.reset();
        if (isFinished) this.#finish(batch, 'done');
      } catch (error) {
        if (this.#handleFailureSafely(batch, error) === 'later') {
          this.#isRunning = false;
          return;
        }
      }
    }
  }

  #next(): RequestBatch | undefined {
    const {context, queue} = this.#parts;
    const {cache, signal} = context;
    if (signal.aborted || this.#isLoginRefused || cache.state.connection.phase !== 'online') return undefined;
    const decision = queue.next();
    if (decision.kind === 'send') return decision.batch;
    if (decision.kind === 'pace') this.#isPacing = true;
    if (decision.kind !== 'nothing') this.#startIn(decision.ms);
    return undefined;
  }

  /** Returns false while there is more to do. */
  async #sendBatch({records, action}: RequestBatch): Promise<boolean> {
    const {context, overlay, olderReadMarker} = this.#parts;
    const [first] = records;
    if (action.kind === 'oldRead') return first === undefined || olderReadMarker.markNextPage(first, action);
    overlay.markSent(records);
    await actionHandlerOf(action).request(context.api, action);
    return true;
  }

  /** Removes a batch; returns whether the caller that started it was notified. */
  #finish(batch: RequestBatch, outcome: 'done' | 'refused', problem?: string): boolean {
    const {queue, overlay, olderReadMarker} = this.#parts;
    this.#unreadable = 0;
    queue.remove(batch);
    overlay[outcome](batch.records);
    return batch.action.kind === 'oldRead' && olderReadMarker.finish(batch.action, problem);
  }

  /** Handles a failure. When the disk fails meanwhile, the change is still stored and is retried. */
  #handleFailureSafely(batch: RequestBatch | undefined, error: unknown): 'later' | 'again' {
    try {
      return this.#handleFailure(batch, error);
    } catch (secondError) {
      this.#parts.context.log('A pending change failed', secondError);
      this.#startIn(this.#backoff.next());
      return 'later';
    }
  }

  #handleFailure(batch: RequestBatch | undefined, error: unknown): 'later' | 'again' {
    const {signal, log} = this.#parts.context;
    if (signal.aborted) return 'later';
    if (batch !== undefined && isApiFailure(error)) {
      const isUnclear = isFromElsewhere(error) && ++this.#unreadable < maxUnreadable;
      if (isFinal(error) && !isUnclear) return this.#handleRefusal(batch, failureMessage(error));
      if (error.kind === 'malformed' && ++this.#unreadable >= maxUnreadable) {
        log('The response to a pending change cannot be read', error);
        this.#finish(batch, 'done');
        return 'again';
      }
      if (error.kind === 'login') {
        this.#isLoginRefused = true;
        return 'later';
      }
    } else {
      log('A pending change failed', error);
    }
    const retryAfterMs = isApiFailure(error) && error.kind === 'retry' ? error.retryAfterMs : undefined;
    this.#startIn(retryAfterMs ?? this.#backoff.next());
    return 'later';
  }

  #handleRefusal(batch: RequestBatch, problem: string): 'again' {
    const [first, ...others] = batch.records;
    if (others.length > 0) {
      this.#parts.queue.sendSeparately(batch);
      return 'again';
    }
    const wasNotified = this.#finish(batch, 'refused', problem);
    if (first !== undefined && !wasNotified)
      this.#parts.onRefusal({action: batch.action, inverse: first.inverse, problem});
    return 'again';
  }

  #startIn(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#parts.context.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#isPacing = false;
      this.start();
    });
  }
}

/** Returns whether a retry would fail the same way. */
function isFinal(failure: ApiFailure): boolean {
  return failure.kind === 'permanent' && failure.code !== 'CANNOT_CONNECT' && failure.carriedOut === 'no';
}
