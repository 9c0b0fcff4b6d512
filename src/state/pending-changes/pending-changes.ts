import type {OldReadAction, OldUnreadAction} from '#state/actions/mark-older-read.ts';
import type {FlagsAction} from '#state/actions/message-flags.ts';
import {type ReversibleAction, reversalOf, type WaitingAction} from '#state/actions/reversible-actions.ts';
import {guarded} from '#state/guard-background-task.ts';
import type {Context} from '#state/session-context.ts';
import {type OldReadOutcome, OldReads} from './older-read-marker.ts';
import {DeedOverlay} from './optimistic-overlay.ts';
import {type DeedRecord, deedBody} from './pending-change.ts';
import {DeedQueue} from './pending-change-queue.ts';
import {DeedSender, type Refusal} from './pending-change-sender.ts';

/** Something done, which can be taken back. */
export interface Done {
  /** What really changed: of several messages, say, those that were not that way already. */
  readonly action: WaitingAction;
  /** Plain data: given to `do`, also after a restart, it restores exactly what changed. */
  readonly inverse: ReversibleAction;
  /** Does the inverse, once. Undefined when there is nothing to restore any more. */
  undo(): Done | undefined;
}

/** Something to be done. */
export type Plan = Pick<Done, 'action' | 'inverse'>;

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
  readonly #oldReads: OldReads;
  readonly #sender: DeedSender;

  constructor(context: Context, {onRefusal}: DeedsOptions = {}) {
    const {cache, store, signal, log} = context;
    this.#context = context;
    this.#overlay = new DeedOverlay(context);
    this.#queue = new DeedQueue(context);
    this.#oldReads = new OldReads(context);
    this.#sender = new DeedSender({
      context,
      queue: this.#queue,
      overlay: this.#overlay,
      oldReads: this.#oldReads,
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
    if (action.kind === 'oldUnread') return this.#takeBack(action);
    const plan = this.plan(action);
    return plan && this.carryOut([plan])[0];
  }

  /**
   * What would really change, and what would take it back. Nothing is done. There is none for what takes back the marking of
   * what is older: how much that is shows when it is done.
   */
  plan(action: ReversibleAction): Plan | undefined {
    if (action.kind === 'oldUnread') return undefined;
    if (action.kind === 'oldRead') return {action, inverse: {kind: 'oldUnread', id: action.id}};
    const {cache} = this.#context;
    const reversal = reversalOf(action);
    const effective = reversal.effective(cache.state, action);
    return effective && {action: effective, inverse: reversal.inverse(cache.state, effective)};
  }

  /** As `do`, of all of them or none. The notes are on disk in the same step, so that neither is there without the other. */
  carryOut(plans: readonly Plan[], notes?: ReadonlyMap<string, string | undefined>): readonly Done[] {
    for (const {action} of plans) if (action.kind === 'oldRead') this.#enlist(action);
    const {clock, store} = this.#context;
    const bodies = plans.map(({action, inverse}) => deedBody(action, inverse));
    const deeds = store.deeds.addAll(bodies, clock.now(), notes);
    const done = plans.flatMap((plan, at) => {
      const deed = deeds[at];
      return deed === undefined ? [] : [this.#show({...plan, ...deed})];
    });
    this.#sender.poke();
    return done;
  }

  /** How marking what is older went, of one that was begun here. Never settles when it is taken back. */
  outcome(id: string): Promise<OldReadOutcome> {
    return this.#oldReads.outcome(id);
  }

  /** What the server does not have yet, in order. */
  pending(): readonly WaitingAction[] {
    const actions = this.#queue.records().map(({action}) => action);
    return actions.filter((action) => action.kind !== 'oldRead' || !action.isTakenBack);
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

  #show({id, body, action, inverse}: DeedRecord): Done {
    this.#overlay.add({id, body, action, inverse});
    let isUndone = false;
    return {
      action,
      inverse,
      undo: () => {
        if (isUndone) return undefined;
        isUndone = true;
        return this.do(inverse);
      },
    };
  }

  #enlist(action: OldReadAction): void {
    const waiting = this.#queue
      .records()
      .flatMap((one) => (one.action.kind === 'oldRead' ? [one.action.id] : []));
    this.#oldReads.enlist(action.id, new Set(waiting));
  }

  /**
   * First no more is marked, then what was marked is unread again: all of it, whatever is known of it here, where its events
   * may not have come yet.
   */
  #takeBack({id}: OldUnreadAction): Done | undefined {
    const stopped = this.#stopped(id);
    const action = this.#oldReads.inverse(id);
    const inverse: FlagsAction = {kind: 'flags', op: 'add', flag: 'read', ids: action.ids};
    const [done] = action.ids.length === 0 ? [] : this.carryOut([{action, inverse}]);
    if (stopped !== undefined) this.#overlay.refused([stopped]);
    this.#oldReads.forget(id);
    return done ?? (stopped && {action, inverse, undo: () => undefined});
  }

  /** Nothing more of it is done; undefined when nothing was left to do. */
  #stopped(id: string): DeedRecord | undefined {
    for (;;) {
      const record = this.#queue.records().find(({action}) => action.kind === 'oldRead' && action.id === id);
      if (record?.action.kind !== 'oldRead') return undefined;
      if (record.action.isTakenBack) return record;
      // Otherwise it has just gone on to the next page, perhaps in another program.
      if (this.#oldReads.stop(record, record.action)) return record;
    }
  }
}
