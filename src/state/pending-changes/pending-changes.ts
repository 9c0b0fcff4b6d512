import {
  type FlagsAction,
  type MarkOlderReadAction,
  newMarkOlderReadAction,
  type UndoMarkOlderReadAction,
} from '#state/actions/message-flags.ts';
import {actionHandlerOf, type PendingAction, type ReversibleAction} from '#state/actions/reversible-actions.ts';
import {newId, type SessionContext, watchOtherProcesses, watchSlices} from '#state/session-context.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {OlderReadMarker, type OlderReadOutcome} from './older-read-marker.ts';
import {OptimisticOverlay} from './optimistic-overlay.ts';
import {
  encodePendingChange,
  type PendingChange,
  PendingChangeQueue,
  PendingChangeSender,
  type RefusedChange,
} from './pending-change-sender.ts';

/** A change that was performed and can be undone. */
export interface UndoableChange {
  /** The effective change: for several messages, only those that were not in that state already. */
  readonly action: PendingAction;
  /** Plain data: passed to `perform`, even after a restart, it restores exactly what changed. */
  readonly inverse: ReversibleAction;
  /** Performs the inverse, once. Returns undefined when nothing is left to restore. */
  undo(): UndoableChange | undefined;
}

/** A change to perform. */
export type PlannedChange = Pick<UndoableChange, 'action' | 'inverse'>;

export interface PendingChangesOptions {
  readonly onRefusal?: (refusal: RefusedChange) => void;
}

/**
 * Idempotent changes: shown at once, stored on disk, sent in order when the server is reachable. They are
 * shown on top of the server's state until its events contain them; a refused change is removed, and events
 * that arrived meanwhile show through. Processes on one account share them. Stops with the context's signal.
 */
export class PendingChanges {
  readonly #context: SessionContext;
  readonly #overlay: OptimisticOverlay;
  readonly #queue: PendingChangeQueue;
  readonly #olderReadMarker: OlderReadMarker;
  readonly #sender: PendingChangeSender;

  constructor(context: SessionContext, {onRefusal}: PendingChangesOptions = {}) {
    this.#context = context;
    this.#overlay = new OptimisticOverlay(context);
    this.#queue = new PendingChangeQueue(context);
    this.#olderReadMarker = new OlderReadMarker(context);
    this.#sender = new PendingChangeSender({
      context,
      queue: this.#queue,
      overlay: this.#overlay,
      olderReadMarker: this.#olderReadMarker,
      onRefusal: onRefusal ?? (({problem}) => context.log(`An action was refused: ${problem}`)),
    });
    watchSlices(context, ['connection'], () => this.online());
    watchOtherProcesses(context, () => {
      this.#overlay.setPending(this.#queue.records());
      this.#sender.start();
    });
    this.#overlay.setPending(this.#queue.records());
  }

  /**
   * Performs an action; it is on disk and in the state on return. Returns undefined when it would change
   * nothing. Throws when it cannot be written.
   */
  perform(action: ReversibleAction): UndoableChange | undefined {
    if (action.kind === 'oldUnread') return this.#undoMarkOlderRead(action);
    const plan = this.plan(action);
    return plan && this.performAll([plan])[0];
  }

  /**
   * Returns the effective change and its inverse without performing it. Undefined for the undo of marking
   * older messages, whose extent is known only when it is performed.
   */
  plan(action: ReversibleAction): PlannedChange | undefined {
    if (action.kind === 'oldUnread') return undefined;
    if (action.kind === 'oldRead') return {action, inverse: undoOf(action)};
    const {cache} = this.#context;
    const handler = actionHandlerOf(action);
    const effective = handler.effective(cache.state, action);
    return effective && {action: effective, inverse: handler.inverse(cache.state, effective)};
  }

  /** Performs all changes or none. The key-values are written in the same transaction. */
  performAll(
    plans: readonly PlannedChange[],
    keyValues?: ReadonlyMap<string, string | undefined>,
  ): readonly UndoableChange[] {
    const undone = new Map(plans.map((plan) => [plan, this.#takeBackUnsent(plan)]));
    const rest = plans.filter((plan) => undone.get(plan) === undefined);
    for (const {action} of rest) if (action.kind === 'oldRead') this.#registerMarking(action);
    const {clock, store} = this.#context;
    const bodies = rest.map(({action, inverse}) => encodePendingChange(action, inverse));
    const stored = store.pendingChanges.addAll(bodies, clock.now(), keyValues);
    const changes = plans.flatMap((plan) => {
      const change = stored[rest.indexOf(plan)];
      return undone.get(plan) ?? (change === undefined ? [] : [this.#showChange({...plan, ...change})]);
    });
    this.#sender.start();
    return changes;
  }

  /**
   * Resolves with the result of marking older messages that was started here; never, when it is undone. `onPage` gets the
   * number of marked messages while there are more.
   */
  olderReadOutcome(id: string, onPage: (count: number) => void = () => {}): Promise<OlderReadOutcome> {
    return this.#olderReadMarker.outcome(id, onPage);
  }

  /** Returns the actions that the server has not confirmed, in order. */
  pendingActions(): readonly PendingAction[] {
    const actions = this.#queue.records().map(({action}) => action);
    return actions.filter((action) => action.kind !== 'oldRead' || !action.isTakenBack);
  }

  /** Runs after a batch of events was applied. */
  onEvents(): void {
    this.#overlay.recheckConfirmed();
  }

  /** Runs after the state of a new registration is applied. */
  onRegistered(): void {
    this.#sender.allowSending();
    this.#overlay.recheckConfirmed();
    this.#overlay.setPending(this.#queue.records());
    this.online();
  }

  /** Runs when the server is reachable. */
  online(): void {
    if (this.#context.cache.state.connection.phase !== 'online') return;
    this.#sender.allowSending();
    this.#sender.startNow();
  }

  /** Gives requests in flight time to finish. */
  beforeStop(): Promise<void> {
    return this.idle();
  }

  /** Resolves when nothing can be done for now. Ends the wait for further changes. */
  idle(): Promise<void> {
    return this.#sender.idle();
  }

  #showChange({id, body, action, inverse}: PendingChange): UndoableChange {
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

  /**
   * Removes a mark that waits to be sent, if this one undoes it: sending both would change messages that were marked elsewhere
   * before, which is not known here. Returns undefined when there is none, or it may be on its way.
   */
  #takeBackUnsent({action, inverse}: PlannedChange): UndoableChange | undefined {
    const {store} = this.#context;
    if (action.kind !== 'flags') return undefined;
    const ids = new Set(action.ids);
    // Others of the same messages must be sent in their order.
    const found = this.#queue
      .records()
      .findLast(
        ({action: other}) =>
          other.kind === 'flags' && other.flag === action.flag && other.ids.some((id) => ids.has(id)),
      );
    if (found === undefined || !deepEqual(found.inverse, action) || !store.pendingChanges.removeUnclaimed(found.id))
      return undefined;
    this.#overlay.refused([found]);
    return {action, inverse, undo: () => this.perform(inverse)};
  }

  #registerMarking(action: MarkOlderReadAction): void {
    const pendingIds = this.#queue
      .records()
      .flatMap((record) => (record.action.kind === 'oldRead' ? [record.action.id] : []));
    this.#olderReadMarker.register(action.id, new Set(pendingIds));
  }

  /** Stops the marking, then makes everything it marked unread again, whether or not the events have arrived here. */
  #undoMarkOlderRead({id, redo}: UndoMarkOlderReadAction): UndoableChange | undefined {
    const stopped = this.#stopMarking(id);
    const action = this.#olderReadMarker.inverse(id);
    const marking: FlagsAction = {kind: 'flags', op: 'add', flag: 'read', ids: action.ids};
    const [change] = action.ids.length === 0 ? [] : this.performAll([{action, inverse: marking}]);
    if (stopped !== undefined) this.#overlay.refused([stopped]);
    this.#olderReadMarker.remove(id);
    const {clock, random} = this.#context;
    const inverse = redo === undefined ? marking : newMarkOlderReadAction(newId(clock, random), redo.narrow, redo.upTo);
    return change === undefined ? stopped && {action, inverse, undo: () => undefined} : {...change, inverse};
  }

  /** Stops the marking and returns its record; undefined when nothing was left to do. */
  #stopMarking(id: string): PendingChange | undefined {
    for (;;) {
      const record = this.#queue.records().find(({action}) => action.kind === 'oldRead' && action.id === id);
      if (record?.action.kind !== 'oldRead') return undefined;
      if (record.action.isTakenBack) return record;
      // A failed stop means that it just moved to the next page, perhaps in another process.
      if (this.#olderReadMarker.stop(record, record.action)) return record;
    }
  }
}

function undoOf({id, narrow, upTo}: MarkOlderReadAction): UndoMarkOlderReadAction {
  return {kind: 'oldUnread', id, redo: {narrow, upTo}};
}
