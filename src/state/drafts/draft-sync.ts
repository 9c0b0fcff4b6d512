import {isApiFailure} from '#api/failure.ts';
import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import type {DraftsEvent} from '#wire/events/drafts.ts';
import {DraftExchange} from './draft-exchange.ts';
import type {DraftJournal} from './draft-journal.ts';
import {Lease} from './lease.ts';

/** Draft events often come in groups. */
const eventDelayMs = 100;
const leaseCheckMs = 1000;

/** `again`: there is more to do. `later`: not possible now. */
type SyncOutcome = 'done' | 'again' | 'later';

/** Synchronizes the journal with the server when due, in one process at a time. */
export class DraftSync {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #exchange: DraftExchange;
  readonly #lease: Lease;
  readonly #backoff: Backoff;
  readonly #isAllowed: boolean;
  #mustMerge = false;
  #isLoginRefused = false;
  #isRunning = false;
  /** Requested during a run, so that changes made meanwhile are included. */
  #isRequested = false;
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

  /** Schedules a sync after `ms`; the latest call counts. */
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

  /** Resolves when everything possible is done. */
  async syncNow(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isRequested = true;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#run = this.#runPasses();
    }
    await this.#run;
  }

  /** Resolves when no sync is running. */
  async idle(): Promise<void> {
    while (this.#isRunning) await this.#run;
  }

  /** Runs when the server is reachable, or accepts the credentials again. */
  onReachable(): void {
    this.#isLoginRefused = false;
    this.#backoff.reset();
    this.syncIn(0);
  }

  onRegistered(): void {
    this.#exchange.forgetRefusals();
    if (!this.#isEnabled()) this.#exchange.detachFromServer();
    if (!this.#exchange.isInSync()) this.#mustMerge = true;
    this.onReachable();
  }

  /** Schedules a merge if the event contains a change made elsewhere. */
  onDraftsEvent(event: DraftsEvent): void {
    if (!this.#exchange.isFromElsewhere(event)) return;
    this.#mustMerge = true;
    if (this.#cancelTimer === undefined || this.#timerAt > this.#context.clock.now() + eventDelayMs)
      this.syncIn(eventDelayMs);
  }

  /** Runs when the account's setting for draft synchronization changed. */
  onSettingChanged(): void {
    if (!this.#isEnabled()) this.#exchange.detachFromServer();
    this.#mustMerge = true;
    this.syncIn(0);
  }

  async #runPasses(): Promise<void> {
    for (;;) {
      let outcome: SyncOutcome;
      this.#isRequested = false;
      try {
        outcome = this.#canSync() ? await this.#pass() : 'later';
      } catch (error) {
        outcome = this.#handleFailure(error);
      }
      if (outcome === 'again' || (outcome === 'done' && this.#isRequested)) continue;
      this.#isRunning = false;
      return;
    }
  }

  #canSync(): boolean {
    const {cache, signal} = this.#context;
    const {connection, server} = cache.state;
    if (signal.aborted || this.#isLoginRefused || connection.phase !== 'online') return false;
    return server.abilities.drafts && this.#isEnabled();
  }

  #isEnabled(): boolean {
    if (!this.#isAllowed) return false;
    return this.#context.cache.state.settings.enableDraftsSynchronization ?? true;
  }

  async #pass(): Promise<SyncOutcome> {
    const needsSync = ({status}: LocalDraft) => status !== 'clean';
    if (!this.#mustMerge && !this.#journal.all().some(needsSync)) return 'done';
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

  #handleFailure(error: unknown): SyncOutcome {
    const {signal, log} = this.#context;
    if (signal.aborted) return 'later';
    if (isApiFailure(error) && error.kind === 'login') {
      this.#isLoginRefused = true;
    } else if (isApiFailure(error) && error.kind === 'permanent' && error.code !== 'CANNOT_CONNECT') {
      log('Drafts were refused', error);
    } else {
      if (!isApiFailure(error)) log('The drafts could not be synchronized', error);
      const retryAfterMs = isApiFailure(error) && error.kind === 'retry' ? error.retryAfterMs : undefined;
      this.syncIn(retryAfterMs ?? this.#backoff.next());
    }
    return 'later';
  }
}
