import type {Conversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {disposeOnAbort, newId, type SessionContext, watchOtherProcesses, watchSlices} from '#state/session-context.ts';
import type {ServerEvent} from '#wire/events.ts';
import {OutboxLedger, type RefreshViews} from './outbox-ledger.ts';
import {OutboxSender} from './outbox-sender.ts';

export interface OutboxOptions {
  /** Messages that waited longer than this for a connection are sent only when the user agrees. */
  readonly askAfterOfflineMinutes?: number;
}

export interface OutgoingMessage {
  /** The id of the entry; a new one by default. */
  readonly id?: string | undefined;
  readonly conversation: Conversation;
  readonly content: string;
  /** The draft it was written in, which is removed in the same transaction. */
  readonly draftId?: string | undefined;
}

/** The statuses of entries that are neither in flight nor known to be delivered. */
const waiting: readonly OutboxStatus[] = ['queued', 'held', 'failed', 'unconfirmed'];

/**
 * The messages on their way to the server. Every entry shown is on disk; nothing is lost or sent twice,
 * whichever process dies when. Processes on one account share it. Stops with the context's signal.
 */
export class Outbox {
  readonly #context: SessionContext;
  readonly #ledger: OutboxLedger;
  readonly #sender: OutboxSender;
  #wasOnline = false;

  constructor(context: SessionContext, {askAfterOfflineMinutes = 10}: OutboxOptions = {}, refreshViews?: RefreshViews) {
    this.#context = context;
    this.#ledger = new OutboxLedger(context, refreshViews);
    this.#sender = new OutboxSender(context, this.#ledger, askAfterOfflineMinutes * 60_000);
    watchSlices(context, ['messages'], () => this.#ledger.dropLoadedEntries());
    watchSlices(context, ['connection'], () => this.#connectionChanged());
    watchOtherProcesses(context, () => this.#reload());
    disposeOnAbort(context.signal, [() => this.#ledger.stop()]);
    this.#ledger.publish();
    this.#connectionChanged();
  }

  /** Queues a message; on return it survives the end of the process. Throws when it cannot be written. */
  send({id = this.newEntryId(), conversation, content, draftId}: OutgoingMessage): OutboxEntry {
    const {store, clock} = this.#context;
    const createdAt = clock.now();
    const entry = store.outbox.add({id, conversation, content, createdAt, draftId});
    this.#ledger.publish();
    if (draftId !== undefined) this.#publishDrafts();
    this.#sender.start();
    return entry;
  }

  /** Starts no more requests; those in flight go on. */
  stop(): void {
    this.#sender.stop();
  }

  newEntryId(): string {
    return newId(this.#context.clock, this.#context.random);
  }

  /** Returns the message that the entry has become; undefined while it is not delivered, and for old entries. */
  deliveredMessageId(id: string): number | undefined {
    return this.#ledger.deliveredMessageId(id);
  }

  /**
   * Queues a failed, unconfirmed or held message again; an unconfirmed one is looked for first. Returns false when its
   * status is none of these.
   */
  resend(id: string): boolean {
    return this.#requeue(id, ['unconfirmed', 'failed', 'held']);
  }

  /** Queues all held messages and returns their number. */
  sendHeld(): number {
    const held = this.#context.store.outbox.all().filter(({status}) => status === 'held');
    return held.filter(({id}) => this.#requeue(id, ['held'])).length;
  }

  /** Removes an entry and returns it; undefined when it is in flight or gone. */
  discard(id: string): OutboxEntry | undefined {
    const {outbox} = this.#context.store;
    // The entry first leaves the queue of every process, so that none sends it at the same moment.
    const entry = outbox.update(id, waiting, {status: 'failed'});
    if (entry !== undefined) outbox.remove(id);
    this.#ledger.publish();
    return entry;
  }

  /** Changes the content of a message that is not in flight. */
  edit(id: string, content: string): boolean {
    const edited = this.#context.store.outbox.update(id, waiting, {content});
    this.#ledger.publish();
    return edited !== undefined;
  }

  /** Turns an entry back into a draft in one transaction; undefined when it is in flight or gone. */
  toDraft(id: string): LocalDraft | undefined {
    const {store, clock, random} = this.#context;
    const entry = store.outbox.all().find((other) => other.id === id);
    if (entry === undefined) return undefined;
    // The original draft, which waits for deletion on the server, is revived instead.
    const origin = store.drafts.all().find((draft) => draft.id === entry.draftId && draft.status === 'deleted');
    const draft: LocalDraft = {
      id: origin?.id ?? newId(clock, random),
      serverId: origin?.serverId,
      base: origin?.base,
      sent: origin?.sent,
      target: entry.conversation,
      content: entry.content,
      editedAt: clock.now(),
      status: 'dirty',
    };
    const isDone = store.outbox.toDraft(id, waiting, draft);
    this.#ledger.publish();
    if (!isDone) return undefined;
    this.#publishDrafts();
    return draft;
  }

  /** Receives every batch of events, synchronously after it was applied. */
  onEvents(events: readonly ServerEvent[]): void {
    if (this.#ledger.onEvents(events)) this.#sender.checkForWork();
  }

  /** Runs after the state of a new registration is applied. */
  onRegistered(): void {
    this.#ledger.onRegistered();
    this.#ledger.publish();
    this.#sender.recheckUnconfirmed();
  }

  /** Runs when the server is reachable. */
  online(): void {
    if (this.#context.cache.state.connection.phase !== 'online') return;
    if (!this.#wasOnline) this.#sender.onReachable();
    this.#wasOnline = true;
    this.#sender.start();
  }

  /** Resolves when nothing can be done for now: everything is sent, or waits for the server or the user. */
  idle(): Promise<void> {
    return this.#sender.idle();
  }

  /** Gives requests in flight time to finish. */
  beforeStop(): Promise<void> {
    return this.idle();
  }

  #requeue(id: string, from: readonly OutboxStatus[]): boolean {
    const patch = {status: 'queued', createdAt: this.#context.clock.now(), problem: undefined} as const;
    const entry = this.#context.store.outbox.update(id, from, patch);
    this.#ledger.publish();
    this.#sender.start();
    return entry !== undefined;
  }

  #connectionChanged(): void {
    if (this.#context.cache.state.connection.phase === 'online') this.online();
    else this.#wasOnline = false;
  }

  #reload(): void {
    this.#ledger.publish();
    this.#sender.checkForWork();
  }

  #publishDrafts(): void {
    const {cache, store} = this.#context;
    const localDrafts = store.drafts.all().filter(({status}) => status !== 'deleted');
    cache.apply({type: 'local_drafts_changed', localDrafts});
  }
}
