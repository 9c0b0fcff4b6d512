import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {newId} from '#state/new-id.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ServerEvent} from '#wire/events.ts';
import {OutboxLedger} from './outbox-ledger.ts';
import {OutboxSender} from './outbox-sender.ts';

export interface OutboxOptions {
  /** Messages that waited longer than this for a connection are sent only when the user says so. */
  readonly askAfterOfflineMinutes?: number;
}

export interface OutgoingMessage {
  readonly conversation: Conversation;
  readonly content: string;
  /** The draft it was written in, which goes in the same step. */
  readonly draftId?: string | undefined;
}

/** Not on its way, and not arrived as far as anybody knows. */
const waiting: readonly OutboxStatus[] = ['queued', 'held', 'failed', 'unconfirmed'];

/**
 * Messages on their way to the server. What is shown is on disk; nothing is lost and nothing is sent twice, whatever dies
 * in between. Programs on one account share it. Stops with the context's signal.
 */
export class Outbox {
  readonly #context: SessionContext;
  readonly #ledger: OutboxLedger;
  readonly #sender: OutboxSender;
  #wasOnline = false;

  constructor(context: SessionContext, {askAfterOfflineMinutes = 10}: OutboxOptions = {}) {
    const {cache, store, signal} = context;
    this.#context = context;
    this.#ledger = new OutboxLedger(context);
    this.#sender = new OutboxSender(context, this.#ledger, askAfterOfflineMinutes * 60_000);
    const quit = [
      cache.subscribe(
        ['messages'],
        guardBackgroundTask(context, () => this.#ledger.dropLoadedEntries()),
      ),
      cache.subscribe(
        ['connection'],
        guardBackgroundTask(context, () => this.#connectionChanged()),
      ),
      store.onExternalChange(guardBackgroundTask(context, () => this.#reload())),
      () => this.#ledger.stop(),
    ];
    const quitAll = () => {
      for (const leave of quit) leave();
    };
    signal.addEventListener('abort', quitAll, {once: true});
    this.#ledger.publish();
    this.#connectionChanged();
  }

  /** On disk when it returns. Throws when the disk does not take it. */
  send({conversation, content, draftId}: OutgoingMessage): OutboxEntry {
    const {store, clock, random} = this.#context;
    const createdAt = clock.now();
    const id = newId(clock, random);
    const entry = store.outbox.add({id, conversation, content, createdAt, draftId});
    this.#ledger.publish();
    if (draftId !== undefined) this.#publishDrafts();
    this.#sender.start();
    return entry;
  }

  /** Sends once more what was refused, is in doubt or was held back. False when it is none of these any more. */
  resend(id: string): boolean {
    return this.#requeue(id, ['unconfirmed', 'failed', 'held']);
  }

  /** Sends all that waits for the user's word; gives their number. */
  sendHeld(): number {
    const held = this.#context.store.outbox.all().filter(({status}) => status === 'held');
    return held.filter(({id}) => this.#requeue(id, ['held'])).length;
  }

  /** Gives back what was thrown away; undefined when it is on its way, or gone. */
  discard(id: string): OutboxEntry | undefined {
    const {outbox} = this.#context.store;
    // First out of reach of every sender, so that what is thrown away is not sent at the same moment.
    const entry = outbox.update(id, waiting, {status: 'failed'});
    if (entry !== undefined) outbox.remove(id);
    this.#ledger.publish();
    return entry;
  }

  /** Other words for a message that is not on its way yet. */
  edit(id: string, content: string): boolean {
    const edited = this.#context.store.outbox.update(id, waiting, {content});
    this.#ledger.publish();
    return edited !== undefined;
  }

  /** Back to being written, in one step; undefined when it is on its way, or gone. */
  toDraft(id: string): LocalDraft | undefined {
    const {store, clock, random} = this.#context;
    const entry = store.outbox.all().find((other) => other.id === id);
    if (entry === undefined) return undefined;
    // The draft it was written in waits to be deleted on the server: it lives on instead.
    const origin = store.drafts
      .all()
      .find((draft) => draft.id === entry.draftId && draft.status === 'deleted');
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

  /** Every batch of events, in the turn in which it is applied. */
  onEvents(events: readonly ServerEvent[]): void {
    if (this.#ledger.onEvents(events)) this.#sender.checkForWork();
  }

  /** After the state of a new registration is in. */
  onRegistered(): void {
    this.#ledger.onRegistered();
    this.#ledger.publish();
    this.#sender.recheckUnconfirmed();
  }

  /** The server can be reached. */
  online(): void {
    if (this.#context.cache.state.connection.phase !== 'online') return;
    if (!this.#wasOnline) this.#sender.onReachable();
    this.#wasOnline = true;
    this.#sender.start();
  }

  /** Resolves when nothing can be done for now: all is sent, or waits for the server or for the user. */
  idle(): Promise<void> {
    return this.#sender.idle();
  }

  /** Before the end: what is in the air may land. */
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
