import {type ReversibleAction, reversalOf} from '#state/actions/reversible.ts';
import type {Context} from '#state/context.ts';
import {guarded} from '#state/guarded.ts';
import {DeedOverlay} from './overlay.ts';
import {DeedQueue} from './queue.ts';
import {deedBody} from './record.ts';
import {DeedSender, type Refusal} from './sender.ts';

/** Something done, which can be taken back. */
export interface Done {
  /** What really changed: of several messages, say, those that were not that way already. */
  readonly action: ReversibleAction;
  /** Plain data: given to `do`, also after a restart, it restores exactly what changed. */
  readonly inverse: ReversibleAction;
  /** Does the inverse, once. Undefined when there is nothing to restore any more. */
  undo(): Done | undefined;
}

export interface DeedsOptions {
  readonly onRefusal?: (refusal: Refusal) => void;
}

/**
 * Changes that may be repeated without harm: shown at once, kept on disk, sent in order when the server can be reached.
 * They lie on top of whatever the server says until it says the same; what it refuses is taken off again, and what it
 * said meanwhile is what shows. Programs on one account share them. Stops with the context's signal.
 */
export class Deeds {
  readonly #context: Context;
  readonly #overlay: DeedOverlay;
  readonly #queue: DeedQueue;
  readonly #sender: DeedSender;

  constructor(context: Context, {onRefusal}: DeedsOptions = {}) {
    const {cache, store, signal, log} = context;
    this.#context = context;
    this.#overlay = new DeedOverlay(context);
    this.#queue = new DeedQueue(context);
    this.#sender = new DeedSender({
      context,
      queue: this.#queue,
      overlay: this.#overlay,
      onRefusal: onRefusal ?? (({problem}) => log(`An action was refused: ${problem}`)),
    });
    const quit = [
      cache.subscribe(
        ['connection'],
        guarded(context, () => this.online()),
      ),
      store.onForeignChange(
        guarded(context, () => {
          this.#overlay.wait(this.#queue.records());
          this.#sender.poke();
        }),
      ),
    ];
    const quitAll = () => {
      for (const leave of quit) leave();
    };
    signal.addEventListener('abort', quitAll, {once: true});
    this.#overlay.wait(this.#queue.records());
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
    this.#sender.poke();
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
    return this.#queue.records().map(({action}) => action);
  }

  /** After a batch of events is in. */
  heard(): void {
    this.#overlay.heard();
  }

  /** After the state of a new registration is in. */
  registered(): void {
    this.#sender.open();
    this.#overlay.heard();
    this.#overlay.wait(this.#queue.records());
    this.online();
  }

  /** The server can be reached. */
  online(): void {
    if (this.#context.cache.state.connection.phase !== 'online') return;
    this.#sender.open();
    this.#sender.pokeNow();
  }

  /** Before the end: what is in the air may land. */
  leave(): Promise<void> {
    return this.idle();
  }

  /** Resolves when nothing can be done for now. What waits for more to go with it waits no longer. */
  idle(): Promise<void> {
    return this.#sender.idle();
  }
}
