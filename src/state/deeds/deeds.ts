import {type ApiFailure, isApiFailure, sentence} from '#api/failure.ts';
import {type ReversibleAction, reversalOf} from '#state/actions/reversible.ts';
import type {Context} from '#state/context.ts';
import {guarded} from '#state/guarded.ts';
import {Backoff} from '#std/backoff.ts';
import {DeedOverlay} from './overlay.ts';
import {type DeedRecord, deedBody, deedRecord, joined} from './record.ts';

/** Something done, which can be taken back. */
export interface Done {
  /** What really changed: of several messages, say, those that were not that way already. */
  readonly action: ReversibleAction;
  /** Plain data: given to `do`, also after a restart, it restores exactly what changed. */
  readonly inverse: ReversibleAction;
  /** Does the inverse, once. Undefined when there is nothing to restore any more. */
  undo(): Done | undefined;
}

/** The server did not do it; the screen no longer shows it. */
export interface Refusal {
  readonly action: ReversibleAction;
  /** A sentence for the user. */
  readonly problem: string;
}

export interface DeedsOptions {
  readonly onRefusal?: (refusal: Refusal) => void;
}

const foreignCheckMs = 5000;
/**
 * Reading marks messages key after key: so long after one request, what was done since then goes in one. Servers count
 * requests, and each of their answers has to be taken in between two keys.
 */
const flagsApartMs = 300;
/** Answers that nobody can read: the server did it, or will never. */
const mostUnreadable = 4;

/**
 * Changes that may be repeated without harm: shown at once, kept on disk, sent in order when the server can be reached.
 * They lie on top of whatever the server says until it says the same; what it refuses is taken off again, and what it
 * said meanwhile is what shows. Programs on one account share them. Stops with the context's signal.
 */
export class Deeds {
  readonly #context: Context;
  readonly #onRefusal: (refusal: Refusal) => void;
  readonly #backoff: Backoff;
  readonly #overlay: DeedOverlay;
  readonly #claimed = new Set<number>();
  /** Refused together with others: to be tried alone. */
  readonly #alone = new Set<number>();
  #unreadable = 0;
  #isShut = false;
  #isRunning = false;
  /** When flags were last sent, and whether somebody waits for the next to be. */
  #flagsSentAt = Number.NEGATIVE_INFINITY;
  #isPacing = false;
  #run: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(context: Context, {onRefusal}: DeedsOptions = {}) {
    const {cache, store, signal} = context;
    this.#context = context;
    this.#onRefusal = onRefusal ?? (({problem}) => context.log(`An action was refused: ${problem}`));
    this.#backoff = new Backoff(context.random);
    this.#overlay = new DeedOverlay(context);
    const quit = [
      cache.subscribe(
        ['connection'],
        guarded(context, () => this.online()),
      ),
      store.onForeignChange(
        guarded(context, () => {
          this.#overlay.wait(this.#records());
          this.#poke();
        }),
      ),
      () => this.#cancelTimer?.(),
    ];
    const quitAll = () => {
      for (const leave of quit) leave();
    };
    signal.addEventListener('abort', quitAll, {once: true});
    this.#overlay.wait(this.#records());
  }

  /** On disk and on screen when it returns; undefined when it would change nothing. Throws when the disk does not take it. */
  do(action: ReversibleAction): Done | undefined {
    const {cache, clock, store} = this.#context;
    const reversal = reversalOf(action);
    const effective = reversal.effective(cache.state, action);
    if (effective === undefined) return undefined;
    const inverse = reversal.inverse(cache.state, effective);
    const {id} = store.deeds.add(deedBody(effective, inverse), clock.now());
    this.#overlay.add({id, action: effective, inverse});
    this.#poke();
    let isUndone = false;
    return {
      action: effective,
      inverse,
      undo: () => {
        if (isUndone) return undefined;
        isUndone = true;
        return this.do(inverse);
      },
    };
  }

  /** What the server does not have yet, in order. */
  pending(): readonly ReversibleAction[] {
    return this.#records().map(({action}) => action);
  }

  /** After a batch of events is in. */
  heard(): void {
    this.#overlay.heard();
  }

  /** After the state of a new registration is in. */
  registered(): void {
    this.#isShut = false;
    this.#overlay.heard();
    this.#overlay.wait(this.#records());
    this.online();
  }

  /** The server can be reached. */
  online(): void {
    if (this.#context.cache.state.connection.phase !== 'online') return;
    this.#isShut = false;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isPacing = false;
    this.#poke();
  }

  /** Before the end: what is in the air may land. */
  leave(): Promise<void> {
    return this.idle();
  }

  /** Resolves when nothing can be done for now. What waits for more to go with it waits no longer. */
  async idle(): Promise<void> {
    for (;;) {
      if (this.#isPacing) this.#hurry();
      if (!this.#isRunning) return;
      await this.#run;
    }
  }

  #hurry(): void {
    this.#flagsSentAt = Number.NEGATIVE_INFINITY;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isPacing = false;
    this.#poke();
  }

  #records(): readonly DeedRecord[] {
    return this.#context.store.deeds.all().flatMap((deed) => deedRecord(deed) ?? []);
  }

  #poke(): void {
    if (this.#isRunning || this.#cancelTimer !== undefined) return;
    this.#isRunning = true;
    this.#run = this.#work();
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
        this.#overlay.takeOff(batch.records);
        await reversalOf(batch.action).request(this.#context.api, batch.action, this.#context.signal);
        this.#backoff.reset();
        this.#finish(batch, 'done');
      } catch (error) {
        if (this.#afterwards(batch, error) === 'later') {
          this.#isRunning = false;
          return;
        }
      }
    }
  }

  #next(): Batch | undefined {
    const {cache, signal} = this.#context;
    if (signal.aborted || this.#isShut || cache.state.connection.phase !== 'online') return undefined;
    const [first, ...rest] = this.#records();
    if (first === undefined) return undefined;
    if (this.#isTooSoon(first, rest)) return undefined;
    if (!this.#claim(first.id)) {
      this.#pokeIn(foreignCheckMs);
      return undefined;
    }
    const records = [first];
    let {action} = first;
    for (const next of rest) {
      const both =
        this.#alone.has(next.id) || this.#alone.has(first.id) ? undefined : joined(action, next.action);
      if (both === undefined || !this.#claim(next.id)) break;
      records.push(next);
      action = both;
    }
    if (action.kind === 'flags') this.#flagsSentAt = this.#context.clock.now();
    return {records, action};
  }

  /** Whatever else waits behind them does not wait for more of them. */
  #isTooSoon(first: DeedRecord, rest: readonly DeedRecord[]): boolean {
    if (first.action.kind !== 'flags') return false;
    const sinceMs = this.#context.clock.now() - this.#flagsSentAt;
    // Clocks are set back, too.
    if (sinceMs < 0 || sinceMs >= flagsApartMs) return false;
    if (rest.some(({action}) => joined(first.action, action) === undefined)) return false;
    this.#isPacing = true;
    this.#pokeIn(flagsApartMs - sinceMs);
    return true;
  }

  #claim(id: number): boolean {
    if (this.#claimed.has(id)) return true;
    if (!this.#context.store.deeds.claim(id)) return false;
    this.#claimed.add(id);
    return true;
  }

  #finish({records}: Batch, outcome: 'done' | 'refused'): void {
    this.#unreadable = 0;
    for (const {id} of records) {
      this.#context.store.deeds.remove(id);
      this.#claimed.delete(id);
      this.#alone.delete(id);
    }
    this.#overlay[outcome](records);
  }

  /** The disk may fail while a failure is dealt with; the record is still there then, and is tried again. */
  #afterwards(batch: Batch | undefined, error: unknown): 'later' | 'again' {
    try {
      return this.#failed(batch, error);
    } catch (worse) {
      this.#context.log('An action met with an error', worse);
      this.#pokeIn(this.#backoff.next());
      return 'later';
    }
  }

  #failed(batch: Batch | undefined, error: unknown): 'later' | 'again' {
    const {signal, log} = this.#context;
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
    const {records, action} = batch;
    if (records.length > 1) {
      for (const {id} of records) this.#alone.add(id);
      return 'again';
    }
    this.#finish(batch, 'refused');
    this.#onRefusal({action, problem});
    return 'again';
  }

  #pokeIn(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#context.clock.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#isPacing = false;
      this.#poke();
    });
  }
}

interface Batch {
  readonly records: readonly DeedRecord[];
  /** All of them in one. */
  readonly action: ReversibleAction;
}

/** Asking again would be answered the same. */
function isFinal(failure: ApiFailure): boolean {
  return failure.kind === 'permanent' && failure.code !== 'CANNOT_CONNECT' && failure.carriedOut === 'no';
}
