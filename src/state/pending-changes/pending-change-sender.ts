import {type ApiFailure, isApiFailure, sentence} from '#api/failure.ts';
import {type ReversibleAction, reversalOf, type WaitingAction} from '#state/actions/reversible-actions.ts';
import type {Context} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import type {OldReads} from './older-read-marker.ts';
import type {DeedOverlay} from './optimistic-overlay.ts';
import type {Batch, DeedQueue} from './pending-change-queue.ts';

/** The server did not do it; the screen no longer shows it. */
export interface Refusal {
  readonly action: WaitingAction;
  /** What would have taken it back: by this one it is known to whoever keeps that. */
  readonly inverse: ReversibleAction;
  /** A sentence for the user. */
  readonly problem: string;
}

export interface SenderParts {
  readonly context: Context;
  readonly queue: DeedQueue;
  readonly overlay: DeedOverlay;
  readonly oldReads: OldReads;
  readonly onRefusal: (refusal: Refusal) => void;
}

/** Answers that nobody can read: the server did it, or will never. */
const mostUnreadable = 4;

/** Sends what is in the queue, one request after the other, until the server has all of it. Stops with the context's signal. */
export class DeedSender {
  readonly #parts: SenderParts;
  readonly #backoff: Backoff;
  #unreadable = 0;
  #isShut = false;
  #isRunning = false;
  /** Whether what waits for the timer waits only for more to go with it. */
  #isPacing = false;
  #run: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts.context.random);
    parts.context.signal.addEventListener('abort', () => this.#cancelTimer?.(), {once: true});
  }

  /** There may be something to send. */
  poke(): void {
    if (this.#isRunning || this.#cancelTimer !== undefined) return;
    this.#isRunning = true;
    this.#run = this.#work();
  }

  /** Whoever we are, the server may take it now. */
  open(): void {
    this.#isShut = false;
  }

  /** Waits for nothing. */
  pokeNow(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isPacing = false;
    this.poke();
  }

  /** Resolves when nothing can be done for now. What waits for more to go with it waits no longer. */
  async idle(): Promise<void> {
    for (;;) {
      if (this.#isPacing) {
        this.#parts.queue.hurry();
        this.pokeNow();
      }
      if (!this.#isRunning) return;
      await this.#run;
    }
  }

  async #work(): Promise<void> {
    for (;;) {
      let batch: Batch | undefined;
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

  #next(): Batch | undefined {
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
  async #carryOut({records, action}: Batch): Promise<boolean> {
    const {context, overlay, oldReads} = this.#parts;
    const [first] = records;
    if (action.kind === 'oldRead') return first === undefined || oldReads.step(first, action);
    overlay.takeOff(records);
    await reversalOf(action).request(context.api, action, context.signal);
    return true;
  }

  /** True when whoever began it was told how it went. */
  #finish(batch: Batch, outcome: 'done' | 'refused', problem?: string): boolean {
    const {queue, overlay, oldReads} = this.#parts;
    this.#unreadable = 0;
    queue.remove(batch);
    overlay[outcome](batch.records);
    return batch.action.kind === 'oldRead' && oldReads.ended(batch.action, problem);
  }

  /** The disk may fail while a failure is dealt with; the record is still there then, and is tried again. */
  #afterwards(batch: Batch | undefined, error: unknown): 'later' | 'again' {
    try {
      return this.#failed(batch, error);
    } catch (worse) {
      this.#parts.context.log('An action met with an error', worse);
      this.#pokeIn(this.#backoff.next());
      return 'later';
    }
  }

  #failed(batch: Batch | undefined, error: unknown): 'later' | 'again' {
    const {signal, log} = this.#parts.context;
    if (signal.aborted) return 'later';
    if (batch !== undefined && isApiFailure(error)) {
      if (isFinal(error)) return this.#refused(batch, sentence(error));
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

  #refused(batch: Batch, problem: string): 'again' {
    const [first, ...others] = batch.records;
    if (others.length > 0) {
      this.#parts.queue.separate(batch);
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
      this.poke();
    });
  }
}

/** Asking again would be answered the same. */
function isFinal(failure: ApiFailure): boolean {
  return failure.kind === 'permanent' && failure.code !== 'CANNOT_CONNECT' && failure.carriedOut === 'no';
}
