import type {FlagsAction} from '#state/actions/message-flags.ts';
import {optimisticHandlerOf, type PendingAction} from '#state/actions/reversible-actions.ts';
import {applyEvent} from '#state/apply-event.ts';
import {guardBackgroundTask, type SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {PendingChange} from './pending-change-sender.ts';

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
