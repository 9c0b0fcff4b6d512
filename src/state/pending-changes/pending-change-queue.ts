import type {PendingAction} from '#state/actions/reversible-actions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {decodePendingChange, mergedAction, type PendingChange} from './pending-change.ts';

/** What goes in one request. */
export interface RequestBatch {
  readonly records: readonly PendingChange[];
  /** All of them in one. */
  readonly action: PendingAction;
}

/** Whether it is another deed's turn: what to send now, or how long to wait and for what. */
export type QueueDecision =
  | {readonly kind: 'send'; readonly batch: RequestBatch}
  /** More marks may come, to go in the same request. */
  | {readonly kind: 'pace'; readonly ms: number}
  /** Another program has the first one in hand. */
  | {readonly kind: 'foreign'; readonly ms: number}
  | {readonly kind: 'nothing'};

const foreignCheckMs = 5000;
/**
 * Reading marks messages key after key: so long after one request, what was done since then goes in one. Servers count
 * requests, and each of their answers has to be taken in between two keys.
 */
const flagsApartMs = 300;

/** What is on disk and not with the server yet, shared by the programs on one account: who sends what, and with what else. */
export class PendingChangeQueue {
  readonly #context: SessionContext;
  readonly #claimed = new Set<number>();
  /** Refused together with others: to be tried alone. */
  readonly #alone = new Set<number>();
  #flagsSentAt = Number.NEGATIVE_INFINITY;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** In order. */
  records(): readonly PendingChange[] {
    return this.#context.store.pendingChanges.all().flatMap((deed) => decodePendingChange(deed) ?? []);
  }

  next(): QueueDecision {
    const [first, ...rest] = inTurn(this.records());
    if (first === undefined) return {kind: 'nothing'};
    const ms = this.#tooSoonMs(first, rest);
    if (ms > 0) return {kind: 'pace', ms};
    if (!this.#claim(first.id)) return {kind: 'foreign', ms: foreignCheckMs};
    const batch = this.#batch(first, rest);
    if (batch.action.kind === 'flags') this.#flagsSentAt = this.#context.clock.now();
    return {kind: 'send', batch};
  }

  /** What waits for more to go with it waits no longer. */
  skipPacing(): void {
    this.#flagsSentAt = Number.NEGATIVE_INFINITY;
  }

  remove({records}: RequestBatch): void {
    for (const {id} of records) {
      this.#context.store.pendingChanges.remove(id);
      this.#claimed.delete(id);
      this.#alone.delete(id);
    }
  }

  /** From now on each of them goes by itself. */
  sendSeparately({records}: RequestBatch): void {
    for (const {id} of records) this.#alone.add(id);
  }

  #batch(first: PendingChange, rest: readonly PendingChange[]): RequestBatch {
    const records = [first];
    let {action} = first;
    for (const next of rest) {
      const both =
        this.#alone.has(next.id) || this.#alone.has(first.id) ? undefined : mergedAction(action, next.action);
      if (both === undefined || !this.#claim(next.id)) break;
      records.push(next);
      action = both;
    }
    return {records, action};
  }

  /** Whatever else waits behind them does not wait for more of them. */
  #tooSoonMs(first: PendingChange, rest: readonly PendingChange[]): number {
    if (first.action.kind !== 'flags') return 0;
    const sinceMs = this.#context.clock.now() - this.#flagsSentAt;
    // Clocks are set back, too.
    if (sinceMs < 0 || sinceMs >= flagsApartMs) return 0;
    return rest.some(({action}) => mergedAction(first.action, action) === undefined)
      ? 0
      : flagsApartMs - sinceMs;
  }

  #claim(id: number): boolean {
    if (this.#claimed.has(id)) return true;
    if (!this.#context.store.pendingChanges.claim(id)) return false;
    this.#claimed.add(id);
    return true;
  }
}

/**
 * What takes many requests lets others go first in between; not what makes messages unread, which it would mark, nor what
 * changes which messages it is about.
 */
function inTurn(records: readonly PendingChange[]): readonly PendingChange[] {
  const [first, ...rest] = records;
  if (first?.action.kind !== 'oldRead') return records;
  const end = rest.findIndex(({action}) => !mayGoFirst(action));
  const quick = end < 0 ? rest : rest.slice(0, end);
  return [...quick, first, ...rest.slice(quick.length)];
}

function mayGoFirst(action: PendingAction): boolean {
  if (action.kind === 'reaction') return true;
  return action.kind === 'flags' && !(action.flag === 'read' && action.op === 'remove');
}
