import {type ApiFailure, failureMessage, isApiFailure} from '#api/failure.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {SessionContext} from '#state/session-context.ts';
import {findDelivered} from './find-delivered.ts';
import type {OutboxLedger} from './outbox-ledger.ts';
import {RetryTimer} from './retry-timer.ts';

/** How long to wait before each look for a message whose answer got lost. */
const looksMs = [0, 1000, 3000, 8000];
/** Another program that takes longer than this to send one message no longer holds up the others. */
const foreignPatienceMs = 120_000;
/** How often to see whether the program that sends is still there. */
const foreignCheckMs = 5000;

export const unconfirmedProblem =
  'The answer to this message got lost, and the message is not among those that arrived. Look whether it is there before you send it again.';

type SenderJob = {readonly kind: 'send' | 'settle' | 'recheck'; readonly entry: OutboxEntry};

/**
 * Sends what is queued, one at a time and in order, while the server can be reached.
 *
 * Whatever may have been carried out stays `sending` until it is settled, so that nothing overtakes it and nothing is sent
 * twice; if this program dies, the next one finds it that way.
 */
export class OutboxSender {
  readonly #context: SessionContext;
  readonly #ledger: OutboxLedger;
  readonly #askAfterMs: number;
  readonly #rest: RetryTimer;
  /** Claimed or adopted by this program. */
  readonly #mine = new Set<string>();
  /** How often it was looked for, and when to look next. */
  readonly #looks = new Map<string, {readonly made: number; readonly dueAt: number}>();
  /** Unconfirmed ones worth one more look. */
  readonly #rechecks = new Set<string>();
  #mayHaveOrphans = true;
  #isRunning = false;
  #isShut = false;
  #run: Promise<void> = Promise.resolve();
  #cancelCheck: (() => void) | undefined;

  constructor(context: SessionContext, ledger: OutboxLedger, askAfterMs: number) {
    this.#context = context;
    this.#ledger = ledger;
    this.#askAfterMs = askAfterMs;
    this.#rest = new RetryTimer(context, (lateMs) => {
      // From a timer: a full disk must not end the program.
      if (lateMs > askAfterMs) guardBackgroundTask(context, () => this.#hold())();
    });
    context.signal.addEventListener('abort', () => this.#cancelCheck?.(), {once: true});
  }

  start(): void {
    if (this.#isRunning || this.#context.signal.aborted) return;
    this.#isRunning = true;
    this.#run = this.#work();
  }

  /** Resolves when nothing can be done for now. */
  async idle(): Promise<void> {
    while (this.#isRunning) await this.#run;
  }

  /** Another program may have died or changed something, or a message of ours was heard. */
  checkForWork(): void {
    this.#mayHaveOrphans = true;
    this.#rest.wake();
    this.start();
  }

  /** The server can be reached again, or knows us again. */
  onReachable(): void {
    this.#isShut = false;
    this.#hold();
    this.#rest.resetAndWake();
    this.checkForWork();
  }

  /** Events may have been missed: what is unconfirmed may be there. */
  recheckUnconfirmed(): void {
    this.#isShut = false;
    for (const {id, status} of this.#context.store.outbox.all()) {
      if (status === 'unconfirmed') this.#rechecks.add(id);
    }
    this.checkForWork();
  }

  async #work(): Promise<void> {
    for (;;) {
      try {
        const job = this.#next();
        if (job === undefined) {
          this.#isRunning = false;
          return;
        }
        await this.#carryOut(job);
      } catch (error) {
        this.#context.log('The outbox met with an error', error);
        if (this.#context.signal.aborted) {
          this.#isRunning = false;
          return;
        }
        await this.#rest.waitAfterFailure(undefined);
      }
    }
  }

  #next(): SenderJob | undefined {
    const {store, cache, clock, signal} = this.#context;
    if (signal.aborted || this.#isShut || cache.state.connection.phase !== 'online') return undefined;
    if (this.#mayHaveOrphans) {
      for (const {id} of store.outbox.adoptOrphans()) this.#mine.add(id);
      this.#mayHaveOrphans = false;
    }
    const entries = store.outbox.all();
    for (const entry of entries) {
      if (entry.status === 'queued') return {kind: 'send', entry};
      if (entry.status !== 'sending') continue;
      if (this.#mine.has(entry.id)) return {kind: 'settle', entry};
      if ((entry.sentAt ?? 0) > clock.now() - foreignPatienceMs) {
        this.#cancelCheck ??= clock.after(foreignCheckMs, () => {
          this.#cancelCheck = undefined;
          this.checkForWork();
        });
        return undefined;
      }
    }
    const entry = entries.find(({id, status}) => status === 'unconfirmed' && this.#rechecks.has(id));
    return entry && {kind: 'recheck', entry};
  }

  #carryOut({kind, entry}: SenderJob): Promise<void> {
    if (kind === 'send') return this.#send(entry);
    return kind === 'settle' ? this.#settle(entry) : this.#lookOnceMore(entry);
  }

  async #send(queued: OutboxEntry): Promise<void> {
    const {api, store, clock, signal} = this.#context;
    const claim = {sentAt: clock.now(), afterMessageId: this.#ledger.newestKnownMessageId()};
    const entry = store.outbox.claim(queued.id, claim);
    if (entry !== undefined) this.#mine.add(entry.id);
    this.#ledger.publish();
    if (entry === undefined) return;
    let messageId: number;
    try {
      const answer = await api.sendMessage(this.#request(entry), {signal});
      messageId = answer.id;
    } catch (error) {
      return this.#failed(entry, error);
    }
    this.#rest.reset();
    this.#arrived(entry, messageId);
  }

  #request({id, conversation, content}: OutboxEntry) {
    const {cache, queueId} = this.#context;
    const queue = queueId();
    const common = {
      content,
      read_by_sender: true,
      ...(queue !== undefined && {queue_id: queue, local_id: id}),
    };
    if (conversation.kind === 'topic') {
      const {channelId, topic} = conversation;
      return {type: 'stream' as const, to: channelId, topic, ...common};
    }
    const {userIds} = conversation;
    const to = userIds.length === 0 ? [cache.state.self.userId] : [...userIds];
    return {type: 'private' as const, to, ...common};
  }

  async #failed(entry: OutboxEntry, error: unknown): Promise<void> {
    // What became of it is found out at the next start.
    if (this.#context.signal.aborted) return;
    if (!isApiFailure(error)) {
      this.#context.log('A message could not be sent', error);
      return;
    }
    if (error.carriedOut === 'maybe') return;
    if (isFinal(error)) return this.#release(entry, {status: 'failed', problem: failureMessage(error)});
    if (error.kind === 'login') this.#isShut = true;
    this.#release(entry, {status: 'queued'});
    if (!this.#isShut) await this.#rest.waitAfterFailure(error);
  }

  async #settle(entry: OutboxEntry): Promise<void> {
    const {clock, signal} = this.#context;
    const {made, dueAt} = this.#looks.get(entry.id) ?? {made: 0, dueAt: clock.now()};
    if (made === looksMs.length) {
      this.#release(entry, {status: 'unconfirmed', problem: unconfirmedProblem});
      return;
    }
    this.#looks.set(entry.id, {made, dueAt});
    if (dueAt > clock.now()) await this.#rest.wait(dueAt - clock.now());
    // Woken early, it may be over; if not, the wait goes on.
    if (signal.aborted || dueAt > clock.now() || !this.#isStill(entry, 'sending')) return;
    const messageId = await this.#find(entry);
    if (messageId === 'later') return;
    this.#looks.set(entry.id, {made: made + 1, dueAt: clock.now() + (looksMs[made + 1] ?? 0)});
    if (messageId !== undefined) this.#arrived(entry, messageId);
  }

  async #lookOnceMore(entry: OutboxEntry): Promise<void> {
    const messageId = await this.#find(entry);
    if (messageId === 'later') return;
    this.#rechecks.delete(entry.id);
    if (messageId !== undefined && this.#isStill(entry, 'unconfirmed')) this.#arrived(entry, messageId);
  }

  /** `later`: the server could not be asked now. */
  async #find(entry: OutboxEntry): Promise<number | 'later' | undefined> {
    const known = this.#ledger.deliveredMessageId(entry.id);
    if (known !== undefined) return known;
    try {
      const isTaken = (id: number) => this.#ledger.isOtherEntrys(id, entry.id);
      return await findDelivered(this.#context, entry, isTaken);
    } catch (error) {
      if (this.#context.signal.aborted) return 'later';
      if (!isApiFailure(error)) throw error;
      if (error.kind === 'permanent' && isFinal(error)) return undefined;
      if (error.kind === 'login') this.#isShut = true;
      else await this.#rest.waitAfterFailure(error);
      return 'later';
    }
  }

  #arrived(entry: OutboxEntry, messageId: number): void {
    this.#ledger.markDelivered(entry, messageId);
    this.#forget(entry);
  }

  #release(entry: OutboxEntry, patch: {status: 'queued' | 'failed' | 'unconfirmed'; problem?: string}): void {
    this.#context.store.outbox.update(entry.id, ['sending'], patch);
    this.#forget(entry);
    this.#ledger.publish();
  }

  #forget({id}: OutboxEntry): void {
    this.#mine.delete(id);
    this.#looks.delete(id);
    this.#rechecks.delete(id);
  }

  #isStill({id}: OutboxEntry, status: OutboxEntry['status']): boolean {
    return this.#context.store.outbox.all().some((entry) => entry.id === id && entry.status === status);
  }

  /** What waited too long for a connection is not sent without asking: the moment for it may be over. */
  #hold(): void {
    const {store, clock} = this.#context;
    const before = clock.now() - this.#askAfterMs;
    const old = store.outbox.all().filter(({status, createdAt}) => status === 'queued' && createdAt < before);
    for (const {id} of old) store.outbox.update(id, ['queued'], {status: 'held'});
    if (old.length > 0) this.#ledger.publish();
  }
}

/** The server will not take it, now or later. Not being let through to it is another matter. */
function isFinal(failure: ApiFailure): boolean {
  return failure.kind === 'malformed' || (failure.kind === 'permanent' && failure.code !== 'CANNOT_CONNECT');
}
