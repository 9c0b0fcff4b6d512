import type {StoredPendingChange} from '#state/account-store.ts';
import {isMarkOlderReadAction} from '#state/actions/message-flags.ts';
import {
  actionHandlerOf,
  optimisticHandlerOf,
  type PendingAction,
  type ReversibleAction,
  reversibleKinds,
} from '#state/actions/reversible-actions.ts';
import {logReadMarks} from '#state/persistence/read-log.ts';
import {type SessionContext, yieldToEventLoop} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {type ApiFailure, failureMessage, isApiFailure, isFromElsewhere} from '#wire/failure.ts';
import type {OlderReadMarker} from './older-read-marker.ts';
import type {OptimisticOverlay} from './optimistic-overlay.ts';

/** An action on its way to the server, with the action that undoes it. */
export interface PendingChange {
  readonly id: number;
  /** The JSON text on disk. */
  readonly body: string;
  readonly action: PendingAction;
  readonly inverse: ReversibleAction;
}

const recordKind = 'action';
/** The maximum number of ids that a server accepts at once. */
const maxIds = 1000;

export function encodePendingChange(action: PendingAction, inverse: ReversibleAction): string {
  return JSON.stringify({kind: recordKind, action, inverse});
}

/**
 * Decodes a stored change; undefined for other records, such as a lease or a change written by a newer
 * version, which are left alone.
 */
function decodePendingChange({id, body}: StoredPendingChange): PendingChange | undefined {
  const record = parsedJson(body);
  if (!isRecord(record) || record.kind !== recordKind) return undefined;
  const {action, inverse} = record;
  return isPendingAction(action) && isReversibleAction(inverse) ? {id, body, action, inverse} : undefined;
}

/** Merges two actions if one request can carry both. */
export function mergedAction(a: PendingAction, b: PendingAction): PendingAction | undefined {
  if (a.kind !== 'flags' || b.kind !== 'flags' || a.op !== b.op || a.flag !== b.flag) return undefined;
  const ids = [...new Set([...a.ids, ...b.ids])];
  return ids.length > maxIds ? undefined : {...a, ids};
}

/**
 * Checks an action from disk. Only Parley writes these files, so the kind decides, and only critical fields
 * are checked.
 */
export function isReversibleAction(value: unknown): value is ReversibleAction {
  if (isRecord(value) && value.kind === 'oldUnread') return typeof value.id === 'string';
  return isPendingAction(value);
}

function isPendingAction(value: unknown): value is PendingAction {
  if (!isRecord(value) || typeof value.kind !== 'string') return false;
  if (value.kind === 'oldRead') return isMarkOlderReadAction(value);
  if (!reversibleKinds.includes(value.kind)) return false;
  return value.kind !== 'flags' || (Array.isArray(value.ids) && value.ids.every((id) => Number.isSafeInteger(id)));
}

/** The pending changes that are sent in one request. */
interface RequestBatch {
  readonly records: readonly PendingChange[];
  /** All of them merged into one action. */
  readonly action: PendingAction;
}

/** The queue's decision: the batch to send now, or how long to wait. */
type QueueDecision =
  | {readonly kind: 'send'; readonly batch: RequestBatch}
  /** Further flag changes may join the same request. */
  | {readonly kind: 'pace'; readonly ms: number}
  /** Another process is sending the first change. */
  | {readonly kind: 'foreign'; readonly ms: number}
  | {readonly kind: 'nothing'};

const foreignCheckMs = 5000;
/**
 * The minimum time between two flag requests. Reading marks messages with every key, and changes made within
 * this time share a request: servers limit requests, and every response has to be handled between two keys.
 */
const minFlagsIntervalMs = 300;

/**
 * The pending changes on disk, shared by the processes on one account. It decides which process sends which
 * changes, and which of them share a request.
 */
export class PendingChangeQueue {
  readonly #context: SessionContext;
  readonly #claimed = new Set<number>();
  /** The records by id as they were last read: each text is decoded once. */
  #decoded = new Map<number, PendingChange>();
  /** Changes that were refused in a batch, to be retried separately. */
  readonly #separateIds = new Set<number>();
  #flagsSentAt = Number.NEGATIVE_INFINITY;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Returns the pending changes in order. */
  records(): readonly PendingChange[] {
    const before = this.#decoded;
    this.#decoded = new Map();
    for (const change of this.#context.store.pendingChanges.all()) {
      const known = before.get(change.id);
      const record = known?.body === change.body ? known : decodePendingChange(change);
      if (record !== undefined) this.#decoded.set(change.id, record);
    }
    return [...this.#decoded.values()];
  }

  next(): QueueDecision {
    const [first, ...rest] = sendingOrder(this.records());
    if (first === undefined) return {kind: 'nothing'};
    const ms = this.#pacingMs(first, rest);
    if (ms > 0) return {kind: 'pace', ms};
    if (!this.#claim(first.id)) return {kind: 'foreign', ms: foreignCheckMs};
    const batch = this.#batch(first, rest);
    if (batch.action.kind === 'flags') this.#flagsSentAt = this.#context.clock.monotonic();
    return {kind: 'send', batch};
  }

  /** Ends the current wait for further flag changes. */
  skipPacing(): void {
    this.#flagsSentAt = Number.NEGATIVE_INFINITY;
  }

  remove({records}: RequestBatch): void {
    for (const {id} of records) {
      this.#context.store.pendingChanges.remove(id);
      this.#claimed.delete(id);
      this.#separateIds.delete(id);
    }
  }

  /** Makes each of these changes go in a request of its own from now on. */
  sendSeparately({records}: RequestBatch): void {
    for (const {id} of records) this.#separateIds.add(id);
  }

  #batch(first: PendingChange, rest: readonly PendingChange[]): RequestBatch {
    const records = [first];
    let {action} = first;
    for (const next of rest) {
      const merged =
        this.#separateIds.has(next.id) || this.#separateIds.has(first.id)
          ? undefined
          : mergedAction(action, next.action);
      if (merged === undefined || !this.#claim(next.id)) break;
      records.push(next);
      action = merged;
    }
    return {records, action};
  }

  /** Returns how long to wait for further flag changes; 0 when other changes are queued behind them. */
  #pacingMs(first: PendingChange, rest: readonly PendingChange[]): number {
    if (first.action.kind !== 'flags') return 0;
    const sinceMs = this.#context.clock.monotonic() - this.#flagsSentAt;
    if (sinceMs >= minFlagsIntervalMs) return 0;
    return rest.some(({action}) => mergedAction(first.action, action) === undefined) ? 0 : minFlagsIntervalMs - sinceMs;
  }

  #claim(id: number): boolean {
    if (this.#claimed.has(id)) return true;
    if (!this.#context.store.pendingChanges.claim(id)) return false;
    this.#claimed.add(id);
    return true;
  }
}

/**
 * Lets quick changes go before a marking that takes many requests, except changes that make messages unread,
 * which the marking would undo, and changes that affect which messages it covers.
 */
function sendingOrder(records: readonly PendingChange[]): readonly PendingChange[] {
  const [first, ...rest] = records;
  if (first?.action.kind !== 'oldRead') return records;
  const end = rest.findIndex(({action}) => !mayOvertake(action));
  const quick = end < 0 ? rest : rest.slice(0, end);
  return [...quick, first, ...rest.slice(quick.length)];
}

function mayOvertake(action: PendingAction): boolean {
  if (action.kind === 'reaction') return true;
  return action.kind === 'flags' && !(action.flag === 'read' && action.op === 'remove');
}

/** A change that the server refused; the screen no longer shows it. */
export interface RefusedChange {
  readonly action: PendingAction;
  /** The action that would have undone it, by which the undo history finds it. */
  readonly inverse: ReversibleAction;
  /** A sentence for the user. */
  readonly problem: string;
}

interface PendingChangeSenderParts {
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
    const {context, queue, overlay, olderReadMarker} = this.#parts;
    this.#unreadable = 0;
    // The mark stays on disk until its event arrives.
    if (outcome === 'done' && batch.action.kind === 'flags') {
      const {cache, clock, store} = context;
      logReadMarks(store, optimisticHandlerOf(batch.action).optimisticEvents(cache.base, batch.action, clock.now()));
    }
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
