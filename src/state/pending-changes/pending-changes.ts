import type {MarkOlderReadAction, UndoMarkOlderReadAction} from '#state/actions/mark-older-read.ts';
import type {FlagsAction} from '#state/actions/message-flags.ts';
import {
  actionHandlerOf,
  type PendingAction,
  type ReversibleAction,
} from '#state/actions/reversible-actions.ts';
import {disposeOnAbort, guardBackgroundTask} from '#state/guard-background-task.ts';
import type {SessionContext} from '#state/session-context.ts';
import {OlderReadMarker, type OlderReadOutcome} from './older-read-marker.ts';
import {OptimisticOverlay} from './optimistic-overlay.ts';
import {encodePendingChange, type PendingChange} from './pending-change.ts';
import {PendingChangeQueue} from './pending-change-queue.ts';
import {PendingChangeSender, type RefusedChange} from './pending-change-sender.ts';

/** Something done, which can be taken back. */
export interface UndoableChange {
  /** What really changed: of several messages, say, those that were not that way already. */
  readonly action: PendingAction;
  /** Plain data: given to `do`, also after a restart, it restores exactly what changed. */
  readonly inverse: ReversibleAction;
  /** Does the inverse, once. Undefined when there is nothing to restore any more. */
  undo(): UndoableChange | undefined;
}

/** Something to be done. */
export type PlannedChange = Pick<UndoableChange, 'action' | 'inverse'>;

export interface PendingChangesOptions {
  readonly onRefusal?: (refusal: RefusedChange) => void;
}

/**
 * Changes that may be repeated without harm: shown at once, kept on disk, sent in order when the server can be reached.
 * They lie on top of whatever the server says until it says the same; what it refuses is taken off again, and what it
 * said meanwhile is what shows. Programs on one account share them. Stops with the context's signal.
 */
export class PendingChanges {
  readonly #context: SessionContext;
  readonly #overlay: OptimisticOverlay;
  readonly #queue: PendingChangeQueue;
  readonly #oldReads: OlderReadMarker;
  readonly #sender: PendingChangeSender;

  constructor(context: SessionContext, {onRefusal}: PendingChangesOptions = {}) {
    const {cache, store, signal, log} = context;
    this.#context = context;
    this.#overlay = new OptimisticOverlay(context);
    this.#queue = new PendingChangeQueue(context);
    this.#oldReads = new OlderReadMarker(context);
    this.#sender = new PendingChangeSender({
      context,
      queue: this.#queue,
      overlay: this.#overlay,
      olderReadMarker: this.#oldReads,
      onRefusal: onRefusal ?? (({problem}) => log(`An action was refused: ${problem}`)),
    });
    disposeOnAbort(signal, [
      cache.subscribe(
        ['connection'],
        guardBackgroundTask(context, () => this.online()),
      ),
      store.onExternalChange(
        guardBackgroundTask(context, () => {
          this.#overlay.setPending(this.#queue.records());
          this.#sender.start();
        }),
      ),
    ]);
    this.#overlay.setPending(this.#queue.records());
  }

  /** On disk and on screen when it returns; undefined when it would change nothing. Throws when the disk does not take it. */
  perform(action: ReversibleAction): UndoableChange | undefined {
    if (action.kind === 'oldUnread') return this.#takeBack(action);
    const plan = this.plan(action);
    return plan && this.performAll([plan])[0];
  }

  /**
   * What would really change, and what would take it back. Nothing is done. There is none for what takes back the marking of
   * what is older: how much that is shows when it is done.
   */
  plan(action: ReversibleAction): PlannedChange | undefined {
    if (action.kind === 'oldUnread') return undefined;
    if (action.kind === 'oldRead') return {action, inverse: {kind: 'oldUnread', id: action.id}};
    const {cache} = this.#context;
    const reversal = actionHandlerOf(action);
    const effective = reversal.effective(cache.state, action);
    return effective && {action: effective, inverse: reversal.inverse(cache.state, effective)};
  }

  /** As `do`, of all of them or none. The notes are on disk in the same step, so that neither is there without the other. */
  performAll(
    plans: readonly PlannedChange[],
    notes?: ReadonlyMap<string, string | undefined>,
  ): readonly UndoableChange[] {
    for (const {action} of plans) if (action.kind === 'oldRead') this.#enlist(action);
    const {clock, store} = this.#context;
    const bodies = plans.map(({action, inverse}) => encodePendingChange(action, inverse));
    const deeds = store.pendingChanges.addAll(bodies, clock.now(), notes);
    const done = plans.flatMap((plan, at) => {
      const deed = deeds[at];
      return deed === undefined ? [] : [this.#show({...plan, ...deed})];
    });
    this.#sender.start();
    return done;
  }

  /** How marking what is older went, of one that was begun here. Never settles when it is taken back. */
  olderReadOutcome(id: string): Promise<OlderReadOutcome> {
    return this.#oldReads.outcome(id);
  }

  /** What the server does not have yet, in order. */
  pendingActions(): readonly PendingAction[] {
    const actions = this.#queue.records().map(({action}) => action);
    return actions.filter((action) => action.kind !== 'oldRead' || !action.isTakenBack);
  }

  /** After a batch of events is in. */
  onEvents(): void {
    this.#overlay.recheckConfirmed();
  }

  /** After the state of a new registration is in. */
  onRegistered(): void {
    this.#sender.allowSending();
    this.#overlay.recheckConfirmed();
    this.#overlay.setPending(this.#queue.records());
    this.online();
  }

  /** The server can be reached. */
  online(): void {
    if (this.#context.cache.state.connection.phase !== 'online') return;
    this.#sender.allowSending();
    this.#sender.startNow();
  }

  /** Before the end: what is in the air may land. */
  beforeStop(): Promise<void> {
    return this.idle();
  }

  /** Resolves when nothing can be done for now. What waits for more to go with it waits no longer. */
  idle(): Promise<void> {
    return this.#sender.idle();
  }

  #show({id, body, action, inverse}: PendingChange): UndoableChange {
    this.#overlay.add({id, body, action, inverse});
    let isUndone = false;
    return {
      action,
      inverse,
      undo: () => {
        if (isUndone) return undefined;
        isUndone = true;
        return this.perform(inverse);
      },
    };
  }

  #enlist(action: MarkOlderReadAction): void {
    const waiting = this.#queue
      .records()
      .flatMap((one) => (one.action.kind === 'oldRead' ? [one.action.id] : []));
    this.#oldReads.register(action.id, new Set(waiting));
  }

  /**
   * First no more is marked, then what was marked is unread again: all of it, whatever is known of it here, where its events
   * may not have come yet.
   */
  #takeBack({id}: UndoMarkOlderReadAction): UndoableChange | undefined {
    const stopped = this.#stopped(id);
    const action = this.#oldReads.inverse(id);
    const inverse: FlagsAction = {kind: 'flags', op: 'add', flag: 'read', ids: action.ids};
    const [done] = action.ids.length === 0 ? [] : this.performAll([{action, inverse}]);
    if (stopped !== undefined) this.#overlay.refused([stopped]);
    this.#oldReads.forget(id);
    return done ?? (stopped && {action, inverse, undo: () => undefined});
  }

  /** Nothing more of it is done; undefined when nothing was left to do. */
  #stopped(id: string): PendingChange | undefined {
    for (;;) {
      const record = this.#queue.records().find(({action}) => action.kind === 'oldRead' && action.id === id);
      if (record?.action.kind !== 'oldRead') return undefined;
      if (record.action.isTakenBack) return record;
      // Otherwise it has just gone on to the next page, perhaps in another program.
      if (this.#oldReads.stop(record, record.action)) return record;
    }
  }
}
