import type {FlagsAction} from '#state/actions/message-flags.ts';
import {optimisticHandlerOf, type PendingAction} from '#state/actions/reversible-actions.ts';
import {applyEvent} from '#state/apply-event.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {PendingChange} from './pending-change.ts';

/** An answer without its event after so long: the server saw nothing to change. */
const unheardMs = 10_000;

/** Asked for, and perhaps answered already; the events that say so may be on their way. */
interface SentChange {
  readonly id: number;
  readonly action: PendingAction;
  /** When the answer came, in milliseconds since the epoch. */
  landedAt: number | undefined;
  /** The server's word was once without it, so that its being there means something. */
  wasMissing: boolean;
  isHeard: boolean;
}

/**
 * What was done here, on top of what the server says, until its events say the same. What it refuses is taken off again,
 * and whatever it said meanwhile is what shows.
 */
export class OptimisticOverlay {
  readonly #context: SessionContext;
  /** Not answered yet, in order. */
  #waiting: readonly PendingChange[] = [];
  /** In the order of the requests, which is that of their events. */
  #sent: readonly SentChange[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    context.signal.addEventListener('abort', () => this.#cancelTimer?.(), {once: true});
    this.#cover();
  }

  /** All that waits. What is gone without us was settled by another program. */
  setPending(records: readonly PendingChange[]): void {
    const ids = new Set(records.map(({id}) => id));
    const gone = this.#waiting.filter(({id}) => !ids.has(id));
    if (gone.length === 0 && records.length === this.#waiting.length) return;
    this.#waiting = records;
    this.markSent(gone);
    this.#land(new Set(gone.map(({id}) => id)));
    this.#cover();
  }

  /** The newest, on top of what is shown: costs this one alone. */
  add(record: PendingChange): void {
    const {cache, clock, log} = this.#context;
    this.#waiting = [...this.#waiting, record];
    try {
      cache.applyOnTop(
        ...optimisticHandlerOf(record.action).optimisticEvents(cache.state, record.action, clock.now()),
      );
    } catch (error) {
      log(`An action (${record.action.kind}) could not be shown`, error);
    }
  }

  /** The request is about to leave. */
  markSent(records: readonly PendingChange[]): void {
    const {base} = this.#context.cache;
    const known = new Set(this.#sent.map(({id}) => id));
    const sent = records
      .filter(({id}) => !known.has(id))
      .map(({id, action}): SentChange => {
        const wasMissing = !isInServerState(base, action);
        return {id, action, landedAt: undefined, wasMissing, isHeard: false};
      });
    this.#sent = [...this.#sent, ...sent];
  }

  done(records: readonly PendingChange[]): void {
    this.markSent(records);
    const ids = new Set(records.map(({id}) => id));
    this.#waiting = this.#waiting.filter(({id}) => !ids.has(id));
    this.#land(ids);
    this.#cover();
  }

  /** Refused, or taken back before the server had it. */
  refused(records: readonly PendingChange[]): void {
    const ids = new Set(records.map(({id}) => id));
    this.#waiting = this.#waiting.filter(({id}) => !ids.has(id));
    this.#sent = this.#sent.filter(({id}) => !ids.has(id));
    this.#cover();
  }

  /** After events, or a new registration, are in. */
  recheckConfirmed(): void {
    const {base} = this.#context.cache;
    let isNext = true;
    for (const sent of this.#sent) {
      const isThere = isInServerState(base, sent.action);
      if (!isThere) sent.wasMissing = true;
      else if (isNext && sent.wasMissing) sent.isHeard = true;
      // Whatever else makes it look as if later ones had been heard of, they have not.
      isNext &&= isThere;
    }
    if (this.#forget()) this.#cover();
  }

  #land(ids: ReadonlySet<number>): void {
    const now = this.#context.clock.now();
    for (const sent of this.#sent) if (ids.has(sent.id)) sent.landedAt = now;
    this.#forget();
    if (this.#sent.some(({landedAt}) => landedAt !== undefined)) this.#lookIn(unheardMs);
  }

  /**
   * What was heard of, up to the first that was not: what comes after it may have taken it back, and one without the other
   * would be wrong.
   */
  #forget(): boolean {
    const {base} = this.#context.cache;
    const isOver = ({landedAt, isHeard, action}: SentChange) =>
      landedAt !== undefined && (isHeard || isInServerState(base, action));
    const first = this.#sent.findIndex((sent) => !isOver(sent));
    const left = first < 0 ? [] : this.#sent.slice(first);
    const isLess = left.length < this.#sent.length;
    this.#sent = left;
    return isLess;
  }

  #lookIn(ms: number): void {
    if (this.#cancelTimer !== undefined) return;
    const look = guardBackgroundTask(this.#context, () => {
      this.#cancelTimer = undefined;
      this.#giveUp();
    });
    this.#cancelTimer = this.#context.clock.after(ms, look);
  }

  /** What the server never mentioned it did not do: to messages that are gone, say. Without a connection nobody knows. */
  #giveUp(): void {
    const {cache, clock} = this.#context;
    const isOnline = cache.state.connection.phase === 'online';
    const isOver = ({landedAt}: SentChange) =>
      isOnline && landedAt !== undefined && clock.now() - landedAt >= unheardMs;
    const left = this.#sent.filter((sent) => !isOver(sent));
    if (left.length < this.#sent.length) {
      this.#sent = left;
      this.#cover();
    }
    if (left.some(({landedAt}) => landedAt !== undefined)) this.#lookIn(unheardMs);
  }

  #cover(): void {
    this.#context.cache.setOverlay((base) => this.#overlaid(base));
  }

  #overlaid(base: AccountState): AccountState {
    const {clock, log} = this.#context;
    const landed = this.#sent.filter(({landedAt}) => landedAt !== undefined);
    return mergeFlagActions([...landed, ...this.#waiting].map(({action}) => action)).reduce(
      (state, action) => {
        try {
          return withAction(state, action, clock.now());
        } catch (error) {
          log(`An action (${action.kind}) could not be shown`, error);
          return state;
        }
      },
      base,
    );
  }
}

/** The state as it will be once the server has carried this out. */
function withAction(state: AccountState, action: PendingAction, now: number): AccountState {
  const appearance = optimisticHandlerOf(action);
  const effective = appearance.effective(state, action);
  return effective === undefined
    ? state
    : appearance.optimisticEvents(state, effective, now).reduce(applyEvent, state);
}

/** Whether the server's own word already says what the action does. */
function isInServerState(base: AccountState, action: PendingAction): boolean {
  return optimisticHandlerOf(action).effective(base, action) === undefined;
}

/** The same changes in fewer steps: a thousand messages read one by one while offline are one step. */
export function mergeFlagActions(actions: readonly PendingAction[]): readonly PendingAction[] {
  const steps: PendingAction[] = [];
  let run: FlagsAction[] = [];
  const endRun = () => {
    const [first] = run;
    if (first !== undefined) steps.push(run.length === 1 ? first : together(first, run));
    run = [];
  };
  for (const action of actions) {
    const [first] = run;
    const isNext = action.kind === 'flags' && action.op === first?.op && action.flag === first.flag;
    if (!isNext) endRun();
    if (action.kind === 'flags') run.push(action);
    else steps.push(action);
  }
  endRun();
  return steps;
}

function together(first: FlagsAction, run: readonly FlagsAction[]): FlagsAction {
  const places = run.flatMap((action) => action.places ?? []);
  return {
    ...first,
    ids: [...new Set(run.flatMap(({ids}) => ids))],
    ...(places.length > 0 && {places}),
  };
}
