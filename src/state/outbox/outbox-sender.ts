import type {OutboxEntry} from '#state/model/outbox.ts';
import {guardBackgroundTask, type SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import {type ApiFailure, failureMessage, isApiFailure, isFromElsewhere} from '#wire/failure.ts';
import type {OutboxLedger} from './outbox-ledger.ts';

/** The delay before each lookup of a message whose response was lost. */
const lookupDelaysMs = [0, 1000, 3000, 8000];
/** After this many web pages the message is refused: a filter before the server may dislike its content. */
const maxWebPages = 5;
/** An entry that another process has been sending for longer than this no longer blocks the queue. */
const maxForeignSendMs = 120_000;
/** How often to check whether the sending process still runs. */
const foreignCheckMs = 5000;

const lostText = 'The connection was lost while sending.';
const unconfirmedText =
  'The message was not found on the server, but it may have been sent. Check the conversation before you send it again.';

type SenderJob = {readonly kind: 'send' | 'verify' | 'recheck'; readonly entry: OutboxEntry};

/**
 * Sends the queued entries one at a time, in order, while the server is reachable.
 *
 * An entry that may have been delivered stays `sending` until that is known, so that nothing overtakes it and
 * nothing is sent twice; if this process dies, the next one continues from there.
 */
export class OutboxSender {
  readonly #context: SessionContext;
  readonly #ledger: OutboxLedger;
  readonly #askAfterMs: number;
  readonly #retryTimer: RetryTimer;
  /** The entries that this process claimed or adopted. */
  readonly #ownIds = new Set<string>();
  /** The number of lookups of an entry, when the next one is due, by the monotonic clock, and why it is looked up. */
  readonly #lookups = new Map<string, {readonly count: number; readonly dueAt: number; readonly reason?: string}>();
  /** Unconfirmed entries to look up once more. */
  readonly #rechecks = new Set<string>();
  #mayHaveOrphans = true;
  #isRunning = false;
  #isLoginRefused = false;
  /** The number of web pages in a row that were received instead of responses. */
  #webPages = 0;
  #run: Promise<void> = Promise.resolve();
  #cancelCheck: (() => void) | undefined;
  /** The entry that is claimed, and not requested yet because the claim is not on disk. */
  #waitsForDisk: OutboxEntry | undefined;
  #isStopped = false;

  constructor(context: SessionContext, ledger: OutboxLedger, askAfterMs: number) {
    this.#context = context;
    this.#ledger = ledger;
    this.#askAfterMs = askAfterMs;
    this.#retryTimer = new RetryTimer(context, (lateMs) => {
      // A timer calls this: a full disk must not end the process.
      if (lateMs > askAfterMs) guardBackgroundTask(context, () => this.#holdOldEntries())();
    });
    context.signal.addEventListener('abort', () => this.stop(), {once: true});
  }

  start(): void {
    if (this.#isRunning || this.#context.signal.aborted) return;
    this.#isRunning = true;
    this.#run = this.#processJobs();
  }

  /** Resolves when nothing can be done for now. */
  async idle(): Promise<void> {
    while (this.#isRunning) await this.#run;
  }

  /** Continues because another process died or changed something, or a message of ours arrived. */
  checkForWork(): void {
    this.#mayHaveOrphans = true;
    this.#retryTimer.wake();
    this.start();
  }

  /** Runs when the server is reachable, or accepts the credentials again. */
  onReachable(): void {
    this.#holdOldEntries();
    this.#retryTimer.resetAndWake();
    this.recheckUnconfirmed();
  }

  /** Looks up unconfirmed messages again: they may have arrived late, or events may have been missed. */
  recheckUnconfirmed(): void {
    this.#isLoginRefused = false;
    for (const {id, status} of this.#context.store.outbox.all()) {
      if (status === 'unconfirmed') this.#rechecks.add(id);
    }
    this.checkForWork();
  }

  /** Starts no more requests. A claim without a request is released: another process would look for its message in vain. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelCheck?.();
    const entry = this.#waitsForDisk;
    this.#waitsForDisk = undefined;
    if (entry !== undefined) guardBackgroundTask(this.#context, () => this.#release(entry, {status: 'queued'}))();
  }

  async #processJobs(): Promise<void> {
    for (;;) {
      try {
        const job = this.#next();
        if (job === undefined) {
          this.#isRunning = false;
          return;
        }
        await this.#runJob(job);
      } catch (error) {
        this.#context.log('The outbox failed', error);
        if (this.#context.signal.aborted) {
          this.#isRunning = false;
          return;
        }
        await this.#retryTimer.waitAfterFailure(undefined);
      }
    }
  }

  #next(): SenderJob | undefined {
    const {store, cache, clock} = this.#context;
    if (this.#isStopped || this.#isLoginRefused || cache.state.connection.phase !== 'online') return undefined;
    if (this.#mayHaveOrphans) {
      for (const {id} of store.outbox.adoptOrphans()) this.#ownIds.add(id);
      this.#mayHaveOrphans = false;
    }
    const entries = store.outbox.all();
    for (const entry of entries) {
      if (entry.status === 'queued') return {kind: 'send', entry};
      if (entry.status !== 'sending') continue;
      if (this.#ownIds.has(entry.id)) return {kind: 'verify', entry};
      // Absolute: a clock that was set back must not prolong the wait.
      if (Math.abs(clock.now() - (entry.sentAt ?? 0)) < maxForeignSendMs) {
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

  #runJob({kind, entry}: SenderJob): Promise<void> {
    if (kind === 'send') return this.#send(entry);
    return kind === 'verify' ? this.#verify(entry) : this.#recheck(entry);
  }

  async #send(queued: OutboxEntry): Promise<void> {
    const {api, store, clock, signal} = this.#context;
    const {afterMessageId = this.#ledger.newestKnownMessageId()} = queued;
    if (queued.afterMessageId !== undefined && (await this.#isDeliveredOrUnknown(queued))) return;
    const claim = {sentAt: clock.now(), afterMessageId};
    const entry = store.outbox.claim(queued.id, claim);
    if (entry !== undefined) this.#ownIds.add(entry.id);
    this.#ledger.publish();
    if (entry === undefined || !(await this.#isOnDisk(entry))) return;
    let messageId: number;
    try {
      const response = await api.sendMessage(this.#request(entry), {signal});
      messageId = response.id;
    } catch (error) {
      return this.#handleFailure(entry, error);
    }
    this.#retryTimer.reset();
    this.#webPages = 0;
    this.#markDelivered(entry, messageId);
  }

  /**
   * Waits until the claim is on disk: after a power cut the message must be neither gone nor sent again. Returns false, and
   * releases the entry, when it must not be sent now.
   */
  async #isOnDisk(entry: OutboxEntry): Promise<boolean> {
    const {store, log} = this.#context;
    this.#waitsForDisk = entry;
    const problem = await store.synced().catch((error: unknown) => error ?? 'unknown');
    // Otherwise it was released meanwhile.
    if (this.#waitsForDisk !== entry) return false;
    this.#waitsForDisk = undefined;
    if (problem === undefined) return true;
    this.#release(entry, {status: 'queued'});
    log('A message could not be written to the disk', problem);
    await this.#retryTimer.waitAfterFailure(undefined);
    return false;
  }

  /** Looks for an entry that was unconfirmed before the user queued it again. */
  async #isDeliveredOrUnknown(entry: OutboxEntry): Promise<boolean> {
    const messageId = await this.#find(entry);
    if (messageId !== undefined && messageId !== 'later' && this.#isStill(entry, 'queued'))
      this.#markDelivered(entry, messageId);
    return messageId !== undefined;
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

  async #handleFailure(entry: OutboxEntry, error: unknown): Promise<void> {
    // The next start finds out whether it was delivered.
    if (this.#context.signal.aborted) return;
    if (!isApiFailure(error)) {
      this.#context.log('A message could not be sent', error);
      return;
    }
    if (error.carriedOut === 'maybe') {
      this.#lookups.set(entry.id, {count: 0, dueAt: this.#context.clock.monotonic(), reason: failureMessage(error)});
      return;
    }
    const isUnclear = isFromElsewhere(error) && ++this.#webPages < maxWebPages;
    if (isFinal(error) && !isUnclear) {
      this.#webPages = 0;
      return this.#release(entry, {status: 'failed', problem: failureMessage(error)});
    }
    if (error.kind === 'login') this.#isLoginRefused = true;
    this.#release(entry, {status: 'queued'});
    if (!this.#isLoginRefused) await this.#retryTimer.waitAfterFailure(error);
  }

  async #verify(entry: OutboxEntry): Promise<void> {
    const {clock, signal} = this.#context;
    const lookup = this.#lookups.get(entry.id) ?? {count: 0, dueAt: clock.monotonic()};
    const {count, dueAt, reason = lostText} = lookup;
    if (count === lookupDelaysMs.length) {
      this.#release(entry, {status: 'unconfirmed', problem: `${reason} ${unconfirmedText}`});
      return;
    }
    this.#lookups.set(entry.id, lookup);
    if (dueAt > clock.monotonic()) await this.#retryTimer.wait(dueAt - clock.monotonic());
    // After an early wake-up the entry may be finished; if not, the wait continues.
    if (signal.aborted || dueAt > clock.monotonic() || !this.#isStill(entry, 'sending')) return;
    const messageId = await this.#find(entry);
    if (messageId === 'later') return;
    const nextAt = clock.monotonic() + (lookupDelaysMs[count + 1] ?? 0);
    this.#lookups.set(entry.id, {...lookup, count: count + 1, dueAt: nextAt});
    if (messageId !== undefined) this.#markDelivered(entry, messageId);
  }

  async #recheck(entry: OutboxEntry): Promise<void> {
    const messageId = await this.#find(entry);
    if (messageId === 'later') return;
    this.#rechecks.delete(entry.id);
    if (messageId !== undefined && this.#isStill(entry, 'unconfirmed')) this.#markDelivered(entry, messageId);
  }

  /** Returns `later` when the server could not be asked. */
  async #find(entry: OutboxEntry): Promise<number | 'later' | undefined> {
    try {
      return await this.#ledger.findDelivered(entry);
    } catch (error) {
      if (this.#context.signal.aborted) return 'later';
      if (!isApiFailure(error)) throw error;
      if (error.kind === 'permanent' && isFinal(error)) return undefined;
      if (error.kind === 'login') this.#isLoginRefused = true;
      else await this.#retryTimer.waitAfterFailure(error);
      return 'later';
    }
  }

  #markDelivered(entry: OutboxEntry, messageId: number): void {
    this.#ledger.markDelivered(entry, messageId);
    this.#forget(entry);
  }

  #release(entry: OutboxEntry, patch: {status: 'queued' | 'failed' | 'unconfirmed'; problem?: string}): void {
    const isUndelivered = patch.status !== 'unconfirmed';
    const changes = {...patch, ...(isUndelivered && {afterMessageId: undefined})};
    this.#context.store.outbox.update(entry.id, ['sending'], changes);
    this.#forget(entry);
    this.#ledger.publish();
  }

  #forget({id}: OutboxEntry): void {
    this.#ownIds.delete(id);
    this.#lookups.delete(id);
    this.#rechecks.delete(id);
  }

  #isStill({id}: OutboxEntry, status: OutboxEntry['status']): boolean {
    return this.#context.store.outbox.all().some((entry) => entry.id === id && entry.status === status);
  }

  /** Holds entries that waited too long for a connection: the user decides whether they are still wanted. */
  #holdOldEntries(): void {
    const {store, clock} = this.#context;
    const oldestAllowed = clock.now() - this.#askAfterMs;
    const old = store.outbox.all().filter(({status, createdAt}) => status === 'queued' && createdAt < oldestAllowed);
    for (const {id} of old) store.outbox.update(id, ['queued'], {status: 'held'});
    if (old.length > 0) this.#ledger.publish();
  }
}

/** Returns whether the server will never accept the message; being blocked on the way to it is not final. */
function isFinal(failure: ApiFailure): boolean {
  return failure.kind === 'malformed' || (failure.kind === 'permanent' && failure.code !== 'CANNOT_CONNECT');
}

/** The sender's pauses, which end early when something may have changed the situation. */
export class RetryTimer {
  readonly #context: Pick<SessionContext, 'clock' | 'signal'>;
  readonly #backoff: Backoff;
  /** Receives how late a pause ended: the machine may have slept for hours. */
  readonly #onOversleep: (lateMs: number) => void;
  #wake = () => {};
  /** The server named the time to wait. */
  #isServerDelay = false;

  constructor(context: Pick<SessionContext, 'clock' | 'signal' | 'random'>, onOversleep: (lateMs: number) => void) {
    this.#context = context;
    this.#backoff = new Backoff(context.random);
    this.#onOversleep = onOversleep;
    context.signal.addEventListener('abort', () => this.#wake(), {once: true});
  }

  wait(ms: number): Promise<void> {
    const {clock, signal} = this.#context;
    if (signal.aborted) return Promise.resolve();
    // By the wall clock, because the monotonic clock stands still while the machine sleeps.
    const due = clock.now() + ms;
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#wake = () => {};
        this.#onOversleep(clock.now() - due);
        resolve();
      };
      const cancel = clock.after(ms, wake);
      this.#wake = wake;
    });
  }

  /** Waits as long as the server asked, or with growing delays. */
  async waitAfterFailure(failure: ApiFailure | undefined): Promise<void> {
    const retryAfterMs = failure?.kind === 'retry' ? failure.retryAfterMs : undefined;
    this.#isServerDelay = retryAfterMs !== undefined;
    await this.wait(retryAfterMs ?? this.#backoff.next());
    this.#isServerDelay = false;
  }

  /** Ends the pause, unless the server asked for it. */
  wake(): void {
    if (!this.#isServerDelay) this.#wake();
  }

  /** Ends any pause and resets the delays, because the server is reachable again. */
  resetAndWake(): void {
    this.#backoff.reset();
    this.#wake();
  }

  /** Resets the delays to the shortest. */
  reset(): void {
    this.#backoff.reset();
  }
}
