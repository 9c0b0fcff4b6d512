import type {PendingAction} from '#state/actions/reversible-actions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {decodePendingChange, mergedAction, type PendingChange} from './pending-change.ts';

/** The pending changes that are sent in one request. */
export interface RequestBatch {
  readonly records: readonly PendingChange[];
  /** All of them merged into one action. */
  readonly action: PendingAction;
}

/** The queue's decision: the batch to send now, or how long to wait. */
export type QueueDecision =
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
