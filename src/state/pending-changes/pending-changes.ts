import {
  type FlagsAction,
  type MarkOlderReadAction,
  newMarkOlderReadAction,
  type UndoMarkOlderReadAction,
} from '#state/actions/message-flags.ts';
import {
  actionHandlerOf,
  optimisticHandlerOf,
  type PendingAction,
  type ReversibleAction,
} from '#state/actions/reversible-actions.ts';
import {applyEvent} from '#state/apply-event.ts';
import {
  guardBackgroundTask,
  newId,
  type SessionContext,
  watchOtherProcesses,
  watchSlices,
} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {OlderReadMarker, type OlderReadOutcome} from './older-read-marker.ts';
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

/** When a response's event does not arrive for this long, the server had nothing to change. */
const maxEventDelayMs = 10_000;

/** A change that was sent and perhaps confirmed; its events may still be in flight. */
interface SentChange {
  readonly id: number;
  readonly action: PendingAction;
  /** The time of the response, in milliseconds since the epoch. */
  confirmedAt: number | undefined;
  /** The server's state once lacked the change, so that its presence now proves something. */
  wasMissing: boolean;
  isEventSeen: boolean;
}

/**
 * Shows pending changes on top of the server's state until its events contain them. A refused change is
 * removed, and events that arrived meanwhile show through.
 */
export class OptimisticOverlay {
  readonly #context: SessionContext;
  /** Unconfirmed changes, in order. */
  #pending: readonly PendingChange[] = [];
  /** Sent changes in the order of the requests, which is also that of their events. */
  #sent: readonly SentChange[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    context.signal.addEventListener('abort', () => this.#cancelTimer?.(), {once: true});
    context.cache.onBaseChange = (base) => this.#noteEvents(base);
    this.#updateOverlay();
  }

  /** Replaces the pending changes. Those that disappeared were confirmed by another process. */
  setPending(records: readonly PendingChange[]): void {
    const ids = new Set(records.map(({id}) => id));
    const confirmed = this.#pending.filter(({id}) => !ids.has(id));
    if (confirmed.length === 0 && records.length === this.#pending.length) return;
    this.#pending = records;
    this.markSent(confirmed);
    this.#markConfirmed(new Set(confirmed.map(({id}) => id)));
    this.#updateOverlay();
  }

  /** Adds the newest change on top of the state, at the cost of this change alone. */
  add(record: PendingChange): void {
    const {cache, clock, log} = this.#context;
    this.#pending = [...this.#pending, record];
    try {
      cache.applyOnTop(...optimisticHandlerOf(record.action).optimisticEvents(cache.state, record.action, clock.now()));
    } catch (error) {
      log(`An action (${record.action.kind}) could not be shown`, error);
    }
  }

  /** Records changes whose request is about to be sent. */
  markSent(records: readonly PendingChange[]): void {
    const {base} = this.#context.cache;
    const known = new Set(this.#sent.map(({id}) => id));
    const sent = records
      .filter(({id}) => !known.has(id))
      .map(({id, action}): SentChange => {
        const wasMissing = !isInServerState(base, action);
        return {id, action, confirmedAt: undefined, wasMissing, isEventSeen: false};
      });
    this.#sent = [...this.#sent, ...sent];
  }

  done(records: readonly PendingChange[]): void {
    this.markSent(records);
    const ids = new Set(records.map(({id}) => id));
    this.#pending = this.#pending.filter(({id}) => !ids.has(id));
    this.#markConfirmed(ids);
    this.#updateOverlay();
  }

  /** Removes changes that were refused, or undone before they were sent. */
  refused(records: readonly PendingChange[]): void {
    const ids = new Set(records.map(({id}) => id));
    this.#pending = this.#pending.filter(({id}) => !ids.has(id));
    this.#sent = this.#sent.filter(({id}) => !ids.has(id));
    this.#updateOverlay();
  }

  /** Removes confirmed changes after events or a new registration were applied. */
  recheckConfirmed(): void {
    this.#noteEvents(this.#context.cache.base);
    if (this.#dropConfirmed()) this.#updateOverlay();
  }

  /** Runs after each event: a later one of the same batch may take a change back. */
  #noteEvents(base: AccountState): void {
    let isInOrder = true;
    for (const sent of this.#sent) {
      const isInBase = isInServerState(base, sent.action);
      if (!isInBase) sent.wasMissing = true;
      else if (isInOrder && sent.wasMissing) sent.isEventSeen = true;
      // Events arrive in order, so changes after an unconfirmed one cannot be confirmed yet.
      isInOrder &&= isInBase;
    }
  }

  #markConfirmed(ids: ReadonlySet<number>): void {
    const now = this.#context.clock.monotonic();
    for (const sent of this.#sent) if (ids.has(sent.id)) sent.confirmedAt = now;
    this.#dropConfirmed();
    if (this.#sent.some(({confirmedAt}) => confirmedAt !== undefined)) this.#scheduleExpiry(maxEventDelayMs);
  }

  /**
   * Drops confirmed changes up to the first unconfirmed one: a later change may undo that one, and dropping
   * only one of the two would show a wrong state.
   */
  #dropConfirmed(): boolean {
    const {base} = this.#context.cache;
    const isFinished = ({confirmedAt, isEventSeen, action}: SentChange) =>
      confirmedAt !== undefined && (isEventSeen || isInServerState(base, action));
    const first = this.#sent.findIndex((sent) => !isFinished(sent));
    const remaining = first < 0 ? [] : this.#sent.slice(first);
    const hasChanged = remaining.length < this.#sent.length;
    this.#sent = remaining;
    return hasChanged;
  }

  #scheduleExpiry(ms: number): void {
    if (this.#cancelTimer !== undefined) return;
    const expire = guardBackgroundTask(this.#context, () => {
      this.#cancelTimer = undefined;
      this.#dropExpired();
    });
    this.#cancelTimer = this.#context.clock.after(ms, expire);
  }

  /** Drops changes whose events never arrived, such as changes of deleted messages. Offline, nothing is dropped. */
  #dropExpired(): void {
    const {cache, clock} = this.#context;
    const isOnline = cache.state.connection.phase === 'online';
    const isFinished = ({confirmedAt}: SentChange) =>
      isOnline && confirmedAt !== undefined && clock.monotonic() - confirmedAt >= maxEventDelayMs;
    const remaining = this.#sent.filter((sent) => !isFinished(sent));
    if (remaining.length < this.#sent.length) {
      this.#sent = remaining;
      this.#updateOverlay();
    }
    if (remaining.some(({confirmedAt}) => confirmedAt !== undefined)) this.#scheduleExpiry(maxEventDelayMs);
  }

  #updateOverlay(): void {
    this.#context.cache.setOverlay((base) => this.#withPendingChanges(base));
  }

  #withPendingChanges(base: AccountState): AccountState {
    const {clock, log} = this.#context;
    const confirmed = this.#sent.filter(({confirmedAt}) => confirmedAt !== undefined);
    return mergeFlagActions([...confirmed, ...this.#pending].map(({action}) => action)).reduce((state, action) => {
      try {
        return withAction(state, action, clock.now());
      } catch (error) {
        log(`An action (${action.kind}) could not be shown`, error);
        return state;
      }
    }, base);
  }
}

/** Returns the state as it will be once the server has carried out the action. */
function withAction(state: AccountState, action: PendingAction, now: number): AccountState {
  const handler = optimisticHandlerOf(action);
  const effective = handler.effective(state, action);
  return effective === undefined ? state : handler.optimisticEvents(state, effective, now).reduce(applyEvent, state);
}

/** Returns whether the server's state already contains the effect of the action. */
function isInServerState(base: AccountState, action: PendingAction): boolean {
  return optimisticHandlerOf(action).effective(base, action) === undefined;
}

/** Merges adjacent flag actions: a thousand messages read one by one while offline become one step. */
function mergeFlagActions(actions: readonly PendingAction[]): readonly PendingAction[] {
  const steps: PendingAction[] = [];
  let run: FlagsAction[] = [];
  const endRun = () => {
    const [first] = run;
    if (first !== undefined) steps.push(run.length === 1 ? first : mergedRun(first, run));
    run = [];
  };
  for (const action of actions) {
    const [first] = run;
    const isInOrder = action.kind === 'flags' && action.op === first?.op && action.flag === first.flag;
    if (!isInOrder) endRun();
    if (action.kind === 'flags') run.push(action);
    else steps.push(action);
  }
  endRun();
  return steps;
}

function mergedRun(first: FlagsAction, run: readonly FlagsAction[]): FlagsAction {
  const places = run.flatMap((action) => action.places ?? []);
  return {
    ...first,
    ids: [...new Set(run.flatMap(({ids}) => ids))],
    ...(places.length > 0 && {places}),
  };
}
