import {isApiFailure} from '#api/failure.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import type {DraftsEvent} from '#wire/events/drafts.ts';
import {DraftExchange} from './draft-exchange.ts';
import type {DraftJournal} from './draft-journal.ts';
import {Lease} from './lease.ts';

/** News seldom come alone. */
const newsMs = 100;
const leaseCheckMs = 1000;

/** `again`: there is more to do. `later`: not now. */
type SyncOutcome = 'done' | 'again' | 'later';

/** Carries the journal to the server and back, when it is time, and in one program at a time. */
export class DraftSync {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #exchange: DraftExchange;
  readonly #lease: Lease;
  readonly #backoff: Backoff;
  readonly #isAllowed: boolean;
  #mustMerge = false;
  #isShut = false;
  #isRunning = false;
  /** Asked for while it runs: what was written meanwhile is meant too. */
  #isWanted = false;
  #run: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;
  #timerAt = 0;

  constructor(context: SessionContext, journal: DraftJournal, isAllowed: boolean) {
    this.#isAllowed = isAllowed;
    this.#context = context;
    this.#journal = journal;
    this.#exchange = new DraftExchange(context, journal);
    this.#lease = new Lease(context.store.pendingChanges, 'drafts', () => context.clock.now());
    this.#backoff = new Backoff(context.random);
    context.signal.addEventListener('abort', () => this.#cancelTimer?.(), {once: true});
  }

  /** In so many milliseconds; the latest call counts. */
  syncIn(ms: number): void {
    const {clock, signal} = this.#context;
    if (signal.aborted) return;
    this.#cancelTimer?.();
    this.#timerAt = clock.now() + ms;
    const task = guardBackgroundTask(this.#context, () => {
      this.#cancelTimer = undefined;
      void this.syncNow();
    });
    this.#cancelTimer = clock.after(ms, task);
  }

  /** Resolves when everything is done that can be done now. */
  async syncNow(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isWanted = true;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#run = this.#passes();
    }
    await this.#run;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#isRunning) await this.#run;
  }

  /** The server can be reached, or knows us again. */
  onReachable(): void {
    this.#isShut = false;
    this.#backoff.reset();
    this.syncIn(0);
  }

  onRegistered(): void {
    this.#exchange.forgetRefusals();
    if (!this.#isWelcome()) this.#exchange.detachFromServer();
    if (!this.#exchange.isInSync()) this.#mustMerge = true;
    this.onReachable();
  }

  /** Does something in it come from elsewhere? Then the server is asked for what it has. */
  onDraftsEvent(event: DraftsEvent): void {
    if (!this.#exchange.isFromElsewhere(event)) return;
    this.#mustMerge = true;
    if (this.#cancelTimer === undefined || this.#timerAt > this.#context.clock.now() + newsMs)
      this.syncIn(newsMs);
  }

  /** Drafts are wanted on the server from now on, or no longer. */
  onSettingChanged(): void {
    if (!this.#isWelcome()) this.#exchange.detachFromServer();
    this.#mustMerge = true;
    this.syncIn(0);
  }

  async #passes(): Promise<void> {
    for (;;) {
      let outcome: SyncOutcome;
      this.#isWanted = false;
      try {
        outcome = this.#canSync() ? await this.#pass() : 'later';
      } catch (error) {
        outcome = this.#failed(error);
      }
      if (outcome === 'again' || (outcome === 'done' && this.#isWanted)) continue;
      this.#isRunning = false;
      return;
    }
  }

  #canSync(): boolean {
    const {cache, signal} = this.#context;
    const {connection, server} = cache.state;
    if (signal.aborted || this.#isShut || connection.phase !== 'online') return false;
    return server.abilities.drafts && this.#isWelcome();
  }

  #isWelcome(): boolean {
    if (!this.#isAllowed) return false;
    return this.#context.cache.state.settings.enableDraftsSynchronization ?? true;
  }

  async #pass(): Promise<SyncOutcome> {
    const isNeeded = ({status}: LocalDraft) => status !== 'clean';
    if (!this.#mustMerge && !this.#journal.all().some(isNeeded)) return 'done';
    if (!this.#lease.acquire()) {
      this.syncIn(leaseCheckMs);
      return 'later';
    }
    try {
      this.#journal.reload();
      if (this.#mustMerge || this.#exchange.mustFetchFirst()) await this.#merge();
      this.#backoff.reset();
      let outcome: SyncOutcome = 'done';
      for (const draft of this.#journal.all()) {
        if (!this.#canSync()) return 'later';
        if ((await this.#exchange.push(draft)) === 'again') outcome = 'again';
      }
      return this.#mustMerge ? 'again' : outcome;
    } finally {
      this.#lease.release();
    }
  }

  async #merge(): Promise<void> {
    this.#mustMerge = false;
    try {
      this.#mustMerge = !(await this.#exchange.mergeServerDrafts());
    } catch (error) {
      this.#mustMerge ||= !isApiFailure(error) || error.kind !== 'permanent';
      throw error;
    }
  }

  #failed(error: unknown): SyncOutcome {
    const {signal, log} = this.#context;
    if (signal.aborted) return 'later';
    if (isApiFailure(error) && error.kind === 'login') {
      this.#isShut = true;
    } else if (isApiFailure(error) && error.kind === 'permanent' && error.code !== 'CANNOT_CONNECT') {
      log('Drafts were refused', error);
    } else {
      if (!isApiFailure(error)) log('The drafts could not be synchronized', error);
      const told = isApiFailure(error) && error.kind === 'retry' ? error.retryAfterMs : undefined;
      this.syncIn(told ?? this.#backoff.next());
    }
    return 'later';
  }
}
