import type {LocalDraft} from '#state/model/draft.ts';
import {guardBackgroundTask, type SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';
import type {EventOf} from '#wire/events.ts';
import {isApiFailure, isFromElsewhere, type PermanentFailure} from '#wire/failure.ts';
import type {DraftJournal} from './draft-journal.ts';
import {DraftPusher} from './draft-pusher.ts';
import {DraftReceiver} from './draft-receiver.ts';
import {Lease} from './lease.ts';
import {UnconfirmedWrites} from './unconfirmed-writes.ts';

/**
 * Edits are uploaded after this pause in typing, or after `intervalMs` of typing without one, and never more often than
 * that: together with typing notifications and presence, typing costs at most ten requests a minute.
 */
const pauseMs = 5000;
const intervalMs = 30_000;
/** Draft events often come in groups. */
const eventDelayMs = 50;
const leaseCheckMs = 1000;

/** `again`: there is more to do. `later`: not possible now. */
type SyncOutcome = 'done' | 'again' | 'later';

/** Synchronizes the journal with the server when due, in one process at a time. */
export class DraftSync {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #writes: UnconfirmedWrites;
  readonly #receiver: DraftReceiver;
  readonly #pusher: DraftPusher;
  readonly #lease: Lease;
  readonly #backoff: Backoff;
  readonly #isAllowed: boolean;
  /** The number of times that a merge was requested, and which of these the last merge covered. */
  #mergesRequested = 0;
  #mergesDone = 0;
  /** The time of the oldest edit that is not uploaded. */
  #editedSince: number | undefined;
  /** When edits are uploaded, and when anything else is done. */
  #uploadAt: number | undefined;
  #checkAt: number | undefined;
  #uploadedAt = Number.NEGATIVE_INFINITY;
  #isLoginRefused = false;
  #isRunning = false;
  /** Requested during a run, so that changes made meanwhile are included. */
  #isRequested = false;
  #run: Promise<void> = Promise.resolve();
  #cancelTimer = () => {};

  constructor(context: SessionContext, journal: DraftJournal, isAllowed: boolean) {
    this.#isAllowed = isAllowed;
    this.#context = context;
    this.#journal = journal;
    this.#writes = new UnconfirmedWrites(journal.isSame);
    this.#receiver = new DraftReceiver(context, journal, this.#writes);
    this.#pusher = new DraftPusher(context, journal, this.#writes);
    this.#lease = new Lease(context.store.pendingChanges, 'drafts', () => context.clock.now());
    this.#backoff = new Backoff(context.random);
    context.signal.addEventListener('abort', () => this.#cancelTimer(), {once: true});
  }

  /** Schedules the upload of an edit or removal that was just made. */
  scheduleUpload(): void {
    const now = this.#context.clock.monotonic();
    this.#editedSince ??= now;
    this.#uploadAt = Math.max(Math.min(now + pauseMs, this.#editedSince + intervalMs), this.#uploadedAt + intervalMs);
    this.#setTimer();
  }

  /** Uploads everything as soon as the present task is done. */
  uploadNow(): void {
    this.#uploadAt = this.#context.clock.monotonic();
    this.#setTimer();
  }

  /** Schedules everything but the upload of edits: merging, and deleting the drafts of sent messages. */
  checkIn(ms: number): void {
    const at = this.#context.clock.monotonic() + ms;
    this.#checkAt = Math.min(this.#checkAt ?? at, at);
    this.#setTimer();
  }

  /** Uploads everything, since the user leaves the text. Resolves when everything possible is done. */
  async flush(): Promise<void> {
    this.#uploadAt = this.#context.clock.monotonic();
    await this.#sync();
    this.#uploadedAt = Number.NEGATIVE_INFINITY;
  }

  #setTimer(): void {
    const {clock, signal} = this.#context;
    this.#cancelTimer();
    const times = [this.#uploadAt, this.#checkAt].filter((at) => at !== undefined);
    if (signal.aborted || times.length === 0) return;
    const task = guardBackgroundTask(this.#context, () => void this.#sync());
    this.#cancelTimer = clock.after(Math.max(0, Math.min(...times) - clock.monotonic()), task);
  }

  async #sync(): Promise<void> {
    this.#cancelTimer();
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

  /**
   * Runs when another process changed the store. It uploads its edits itself, after the same pause, unless it ended before:
   * then this process uploads them.
   */
  onExternalChange(): void {
    this.#journal.reload();
    if (this.#hasUploads()) this.scheduleUpload();
  }

  /** Runs when the server is reachable, or accepts the credentials again. */
  onReachable(): void {
    this.#isLoginRefused = false;
    this.#pusher.onReachable();
    this.#backoff.reset();
    this.uploadNow();
  }

  onRegistered(): void {
    // The events of earlier writes do not come.
    this.#writes.clear();
    if (this.#isEnabled()) this.#receiver.addRegisteredDrafts();
    else this.#journal.detachFromServer();
    if (!this.#receiver.isInSync()) this.#mergesRequested++;
    this.onReachable();
  }

  /** Schedules a merge if the event contains a change made elsewhere. */
  onDraftsEvent(event: EventOf<'drafts'>): void {
    if (this.#receiver.onEvent(event)) this.#mergesRequested++;
    this.checkIn(eventDelayMs);
  }

  /** Runs when the account's setting for draft synchronization changed. */
  onSettingChanged(): void {
    if (!this.#isEnabled()) this.#journal.detachFromServer();
    this.#mergesRequested++;
    this.onReachable();
  }

  async #runPasses(): Promise<void> {
    for (;;) {
      let outcome: SyncOutcome;
      this.#isRequested = false;
      this.#checkAt = undefined;
      try {
        outcome = this.#canSync() ? await this.#pass() : 'later';
      } catch (error) {
        outcome = this.#handleFailure(error);
      }
      if (outcome === 'again' || (outcome === 'done' && this.#isRequested)) continue;
      this.#isRunning = false;
      if (outcome === 'done') this.#scheduleRest();
      return;
    }
  }

  /** Schedules what a merge or an edit during the last pass left to upload. */
  #scheduleRest(): void {
    if (this.#uploadAt === undefined && this.#hasUploads()) this.scheduleUpload();
    else this.#setTimer();
  }

  #hasUploads(): boolean {
    return this.#journal.all().some((draft) => this.#pusher.needsPush(draft));
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

  get #mustMerge(): boolean {
    return this.#mergesDone < this.#mergesRequested;
  }

  async #pass(): Promise<SyncOutcome> {
    const {clock} = this.#context;
    const isUploading = this.#uploadAt !== undefined && this.#uploadAt <= clock.monotonic();
    const needsPush = (draft: LocalDraft) =>
      (isUploading || draft.status === 'deleted') && this.#pusher.needsPush(draft);
    const isIdle = !this.#mustMerge && !this.#journal.all().some(needsPush);
    if (!isIdle && !this.#lease.acquire()) {
      this.#retryIn(leaseCheckMs);
      return 'later';
    }
    if (isUploading) {
      this.#uploadAt = undefined;
      this.#editedSince = undefined;
    }
    if (isIdle) return 'done';
    if (isUploading) this.#uploadedAt = clock.monotonic();
    let outcome: SyncOutcome = 'later';
    try {
      outcome = await this.#exchangeDrafts(needsPush);
      return outcome;
    } finally {
      this.#lease.release();
      if (isUploading && outcome !== 'done') this.#uploadAt = clock.monotonic();
    }
  }

  async #exchangeDrafts(needsPush: (draft: LocalDraft) => boolean): Promise<SyncOutcome> {
    this.#journal.reload();
    if (this.#mustMerge || this.#pusher.mustFetchFirst()) await this.#merge();
    this.#backoff.reset();
    let outcome: SyncOutcome = 'done';
    for (const {id} of this.#journal.all()) {
      if (!this.#canSync()) return 'later';
      // Something was heard during the last request: it may be a newer text of the next draft.
      if (this.#mustMerge) return 'again';
      const draft = this.#journal.get(id);
      if (draft === undefined || !needsPush(draft)) continue;
      if ((await this.#pusher.push(draft)) === 'again') outcome = 'again';
    }
    return this.#mustMerge ? 'again' : outcome;
  }

  async #merge(): Promise<void> {
    const requested = this.#mergesRequested;
    try {
      if (await this.#receiver.mergeServerDrafts()) this.#mergesDone = requested;
      else this.#mergesRequested++;
    } catch (error) {
      if (isLastingRefusal(error)) this.#mergesDone = requested;
      throw error;
    }
  }

  #retryIn(ms: number): void {
    const at = this.#context.clock.monotonic() + ms;
    if (this.#uploadAt !== undefined) this.#uploadAt = Math.max(this.#uploadAt, at);
    this.#checkAt = at;
    this.#setTimer();
  }

  #handleFailure(error: unknown): SyncOutcome {
    const {signal, log} = this.#context;
    if (signal.aborted) return 'later';
    if (isApiFailure(error) && error.kind === 'login') {
      this.#isLoginRefused = true;
    } else if (isLastingRefusal(error)) {
      log('Drafts were refused', error);
    } else {
      if (!isApiFailure(error)) log('The drafts could not be synchronized', error);
      const retryAfterMs = isApiFailure(error) && error.kind === 'retry' ? error.retryAfterMs : undefined;
      this.#retryIn(retryAfterMs ?? this.#backoff.next());
    }
    return 'later';
  }
}

/** Returns whether the server itself refused the request, so that repeating it does not help. */
function isLastingRefusal(error: unknown): error is PermanentFailure {
  if (!isApiFailure(error) || error.kind !== 'permanent') return false;
  return error.code !== 'CANNOT_CONNECT' && !isFromElsewhere(error);
}
