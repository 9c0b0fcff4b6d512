import {isApiFailure} from '#api/failure.ts';
import type {LocalEvent, TimelinePage} from '#state/local-events.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import {isCombinedFeed, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {hasOnlySavedMessages, maxSavedMessages} from '#state/timelines/timeline-from-loaded.ts';
import {Semaphore} from '#std/semaphore.ts';
import {combinedFeedRequest} from './combined-feed-request.ts';
import {fetchNarrowMatches} from './fetch-narrow-matches.ts';
import {cancelFetches, fetchOnce, isFetchCancelled} from './fetch-once.ts';
import {fetchPage, messagesRequest, type PageRequest, preparePage} from './fetch-page.ts';
import {type OpenTimeline, OpenTimelines} from './open-timelines.ts';
import {
  adjacentPageArgs,
  firstPageArgs,
  firstPageArgsUnlessLoaded,
  type GetMessagesArgs,
  isAnchorLoaded,
  refetchArgs,
  type TimelineAnchor,
} from './page-args.ts';
import {resolveNarrow} from './resolve-narrow.ts';
import {savedMessagesOf} from './saved-messages.ts';

type Joins = TimelinePage['joins'];

/** Pages in the air at once, so that a new registration does not ask for everything in one breath. */
const fetchesAtOnce = 6;
/** After what may have been a passing failure. */
const retryMs = 15_000;

/** What fetches the open timelines, extends and renews them. */
export class TimelineFetcher {
  readonly #context: SessionContext;
  readonly #open = new OpenTimelines();
  readonly #slots = new Semaphore(fetchesAtOnce);
  readonly #stopTending: () => void;
  #phase: ConnectionStatus['phase'] = 'starting';
  /** Settles when the server can be asked again: with the next registration, or when it is back. */
  #return = Promise.withResolvers<void>();
  #prepared = new Set<OpenTimeline>();
  #cancelRetry: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#stopTending = context.cache.subscribe(['timelines', 'connection'], () => this.#tend());
  }

  /** Resolves when its messages are there, with the narrow under which they are. Rejects with what went wrong. */
  async open(given: Narrow, anchor: TimelineAnchor = 'firstUnread'): Promise<Narrow> {
    const {narrow, near} = await resolveNarrow(this.#context, given);
    const entry = this.#open.open(narrow, near ?? anchor);
    this.#context.cache.apply({type: 'timeline_opened', narrow});
    for (const surplus of this.#open.surplus()) this.close(surplus.narrow);
    if (entry.loading === undefined && isAnchorLoaded(this.#context.cache.state, narrow, entry.anchor))
      return narrow;
    // Without a queue an answer would be out of date at once, and before the first one the server's words are unknown.
    if (this.#context.queueId() === undefined || this.#isOffline()) this.#wait(entry);
    else this.#load(entry, firstPageArgs(entry.anchor));
    await this.#loaded(entry);
    return narrow;
  }

  /** A page before what is there; nothing when there is none, or when it is being fetched already. */
  loadOlder(narrow: Narrow): Promise<void> {
    return this.#extend(narrow, 'older');
  }

  loadNewer(narrow: Narrow): Promise<void> {
    return this.#extend(narrow, 'newer');
  }

  close(narrow: Narrow): void {
    const entry = this.#open.get(narrow);
    if (entry === undefined) return;
    this.#open.close(entry);
    cancelFetches(this.#context, 'timeline', entry.key);
    this.#context.cache.apply({type: 'timeline_closed', narrow: entry.narrow});
  }

  /** Keeps a timeline open until the returned function is called. */
  keepOpen(narrow: Narrow): () => void {
    const entry = this.#open.get(narrow);
    if (entry === undefined) return () => {};
    entry.uses += 1;
    let isHeld = true;
    return () => {
      if (isHeld) entry.uses -= 1;
      isHeld = false;
    };
  }

  /** What somebody looks at, so that it is there again when everything has to be fetched anew. */
  setViewedMessage(narrow: Narrow, messageId: number | undefined): void {
    const entry = this.#open.get(narrow);
    if (entry !== undefined) entry.viewedMessageId = messageId;
  }

  /**
   * For a state that is about to replace all that is known: what is looked at of it, as events to commit together with it.
   * Whatever cannot be had is fetched afterwards like the rest.
   */
  async prepare(state: AccountState, signal: AbortSignal): Promise<() => readonly LocalEvent[]> {
    this.#prepared = new Set();
    const {timelines} = this.#context.cache.state;
    const pages = this.#open.visible().map(async (entry) => {
      const question = refetchArgs(entry, timelines.get(entry.key));
      const request = this.#request(entry, 'replace', question, state);
      const place = {narrow: entry.narrow, selfId: state.self.userId};
      const events = await preparePage(this.#context, place, request, signal);
      return {entry, events};
    });
    const had = (await Promise.allSettled(pages)).flatMap((page) =>
      page.status === 'fulfilled' && this.#open.has(page.value.entry) ? [page.value] : [],
    );
    return () => {
      this.#prepared = new Set(had.map(({entry}) => entry));
      return had.flatMap(({events}) => events());
    };
  }

  /** After a new registration, of which `shown` is what was known just before it. */
  async refetchAll(shown: Pick<AccountState, 'timelines'>): Promise<void> {
    const loads = this.#open.latestFirst().map((entry) => {
      const before = shown.timelines.get(entry.key);
      entry.hasFailed = false;
      if (this.#prepared.has(entry)) {
        entry.isWaiting = false;
        cancelFetches(this.#context, 'timeline', entry.key);
        return this.#loaded(entry);
      }
      this.#context.cache.apply({type: 'timeline_opened', narrow: entry.narrow});
      this.#load(entry, refetchArgs(entry, before));
      return this.#loaded(entry);
    });
    this.#prepared = new Set();
    this.#settleReturn();
    await Promise.allSettled(loads);
  }

  stop(): void {
    this.#stopTending();
    this.#cancelRetry?.();
    cancelFetches(this.#context, 'timeline');
    this.#return.resolve();
  }

  #isOffline(): boolean {
    return this.#context.cache.state.connection.phase === 'offline';
  }

  /** Until the server can be asked: with what this machine has of it. Whoever waits for the timeline waits on. */
  #wait(entry: OpenTimeline): void {
    const isNew = !entry.isWaiting;
    entry.isWaiting = true;
    entry.loading = undefined;
    entry.load = this.#return.promise;
    cancelFetches(this.#context, 'timeline', entry.key);
    if (isNew && this.#isOffline()) this.#recall(entry);
  }

  #recall({key, narrow}: OpenTimeline): void {
    const {cache, store} = this.#context;
    const timeline = cache.base.timelines.get(key);
    if (timeline === undefined || !hasOnlySavedMessages(timeline) || timeline.ids.size >= maxSavedMessages)
      return;
    cache.apply({
      type: 'saved_messages_loaded',
      narrow,
      messages: savedMessagesOf(store, cache.base, narrow),
    });
  }

  #settleReturn(): void {
    this.#return.resolve();
    this.#return = Promise.withResolvers();
  }

  /** Begins the whole anew; whatever else is under way for it would join at ends that are no longer there. */
  #load(entry: OpenTimeline, question: GetMessagesArgs): void {
    const context = this.#context;
    cancelFetches(context, 'timeline', entry.key);
    const load = this.#fetch(entry, 'replace', question);
    entry.load = load;
    entry.loading = question;
    entry.isWaiting = false;
    const done = (error?: unknown) => {
      if (entry.load !== load) return;
      entry.loading = undefined;
      this.#settle(entry, error);
    };
    load.then(() => done(), done);
  }

  /** Waits for the last load there is, however often it was begun anew. */
  async #loaded(entry: OpenTimeline): Promise<void> {
    for (;;) {
      const {load} = entry;
      try {
        await load;
      } catch (error) {
        if (entry.load === load && !isFetchCancelled(error)) throw error;
      }
      if (entry.load === load) return;
    }
  }

  #fetch(entry: OpenTimeline, joins: Joins, question: GetMessagesArgs): Promise<unknown> {
    const request = this.#request(entry, joins, question);
    return fetchOnce(this.#context, ['timeline', entry.key, joins], (signal) =>
      this.#slots.run(() => fetchPage(this.#context, request, signal)),
    );
  }

  #request(
    {narrow}: OpenTimeline,
    joins: Joins,
    question: GetMessagesArgs,
    state: AccountState = this.#context.cache.state,
  ): PageRequest {
    const anchor = typeof question.anchor === 'number' ? question.anchor : undefined;
    const ask = isCombinedFeed(narrow)
      ? combinedFeedRequest(this.#context, question, state)
      : messagesRequest(this.#context, {...question, narrow: [...narrow]});
    return {send: ask, timeline: {narrow, joins}, anchor};
  }

  async #extend(narrow: Narrow, joins: 'older' | 'newer'): Promise<void> {
    const entry = this.#open.get(narrow);
    const timeline = this.#context.cache.state.timelines.get(narrowKey(narrow));
    if (entry === undefined || timeline === undefined) return;
    if (entry.loading !== undefined) return this.#loaded(entry);
    const question = adjacentPageArgs(timeline, joins);
    if (question === undefined) return;
    try {
      await this.#fetch(entry, joins, question);
    } catch (error) {
      if (!isFetchCancelled(error)) throw error;
    }
  }

  /**
   * Fetches what became doubtful: messages that were moved here, live ones only the server can judge, old failures. What
   * was only done here is no doubt: the server does not know of it yet.
   */
  #tend(): void {
    const {phase} = this.#context.cache.state.connection;
    const isNews = phase !== this.#phase;
    this.#phase = phase;
    if (isNews && phase === 'offline') this.#fallBack();
    if (phase !== 'online') return;
    for (const entry of this.#open) {
      const timeline = this.#context.cache.base.timelines.get(entry.key);
      if (timeline === undefined || entry.loading !== undefined) continue;
      if (isNews) entry.hasFailed = false;
      if (entry.hasFailed) continue;
      if (timeline.isStale || timeline.problem !== undefined) this.#load(entry, refetchArgs(entry, timeline));
      else if (entry.isWaiting)
        this.#load(entry, firstPageArgsUnlessLoaded(entry, timeline) ?? refetchArgs(entry, timeline));
      else if (timeline.undecidedIds.size > 0) void this.#judge(entry, timeline);
    }
    if (isNews) this.#settleReturn();
  }

  /** What is in sight and has nothing of the server yet shows what this machine has. */
  #fallBack(): void {
    for (const entry of this.#open.visible()) {
      const timeline = this.#context.cache.base.timelines.get(entry.key);
      if (timeline === undefined || !hasOnlySavedMessages(timeline)) continue;
      entry.isWaiting = false;
      this.#wait(entry);
    }
  }

  async #judge(entry: OpenTimeline, timeline: Timeline): Promise<void> {
    try {
      await fetchNarrowMatches(this.#context, timeline);
    } catch (error) {
      this.#settle(entry, error);
    }
  }

  #settle(entry: OpenTimeline, error: unknown): void {
    entry.hasFailed = error !== undefined && !isFetchCancelled(error);
    const mayPass = isApiFailure(error) && (error.kind === 'retry' || error.kind === 'malformed');
    if (mayPass) this.#cancelRetry ??= this.#context.clock.after(retryMs, () => this.#retry());
  }

  #retry(): void {
    this.#cancelRetry = undefined;
    for (const entry of this.#open) entry.hasFailed = false;
    this.#tend();
  }
}
