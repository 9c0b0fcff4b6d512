import type {LocalEvent, TimelinePage} from '#state/local-events.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {channelNarrow, conversationNarrow, isCombinedFeed, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {hasOnlySavedMessages, maxSavedMessages} from '#state/timelines/timeline-pages.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {Semaphore} from '#std/semaphore.ts';
import {isApiFailure} from '#wire/failure.ts';
import {fetchNarrowMatches, resolveNarrow} from './fetch-messages.ts';
import {
  cancelFetches,
  combinedFeedRequest,
  fetchOnce,
  fetchPage,
  isFetchCancelled,
  messagesRequest,
  type PageRequest,
  preparePage,
} from './fetch-page.ts';
import {
  adjacentPageArgs,
  type EvictionView,
  firstPageArgs,
  firstPageArgsUnlessLoaded,
  type GetMessagesArgs,
  isAnchorLoaded,
  messagesNearViews,
  type NearbyMessages,
  type OpenTimeline,
  OpenTimelines,
  refetchArgs,
  refreshArgs,
  type TimelineAnchor,
  viewCenters,
} from './open-timelines.ts';
import {EvictedMessages, savedMessagesOf} from './saved-messages.ts';

type Joins = TimelinePage['joins'];

/** Limits concurrent page requests, so that a new registration does not send them all at once. */
const maxConcurrentFetches = 6;
/** The number of timelines that are reloaded after a new registration, besides those in use. */
const maxReloadedTimelines = 8;
/** The delay before retrying after a failure that may be temporary. */
const retryMs = 15_000;

/** Fetches, extends and reloads the open timelines. */
export class TimelineFetcher {
  readonly #context: SessionContext;
  readonly #open = new OpenTimelines();
  readonly #evicted: EvictedMessages;
  readonly #slots = new Semaphore(maxConcurrentFetches);
  readonly #unsubscribe: () => void;
  /** Called when the user looks at another message. */
  onViewChange: (() => void) | undefined;
  #phase: ConnectionStatus['phase'] = 'starting';
  /** Resolves when the server can be asked again: with the next registration, or when the connection is back. */
  #serverBack = Promise.withResolvers<void>();
  #prepared = new Set<OpenTimeline>();
  #cancelRetry: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#evicted = new EvictedMessages(context);
    this.#unsubscribe = context.cache.subscribe(['timelines', 'connection'], () => this.#refetchUncertain());
  }

  /**
   * Opens a timeline. Resolves when its messages are loaded, with the narrow under which the state has them.
   * Rejects when the load fails.
   */
  async open(requested: Narrow, anchor: TimelineAnchor = 'firstUnread', size?: number): Promise<Narrow> {
    // At once, for the next frame.
    const known = this.#open.get(requested);
    if (known !== undefined) this.#isLoaded({...known, anchor});
    const {narrow, near} = await resolveNarrow(this.#context, requested);
    const entry = this.#open.open(narrow, near ?? anchor);
    this.#context.cache.apply({type: 'timeline_opened', narrow});
    for (const surplus of this.#open.surplus()) this.close(surplus.narrow);
    if (this.#isLoaded(entry)) {
      const {state} = this.#context.cache;
      // No event said what happened there since it was loaded.
      if (!isLiveView(state, narrow) && this.#canAsk())
        this.#load(entry, refetchArgs(entry, state.timelines.get(entry.key)));
      return narrow;
    }
    // Without a queue a response would be outdated at once, and before the first registration the server's
    // feature level is unknown.
    const args = firstPageArgs(entry.anchor, size);
    if (!this.#canAsk()) this.#waitForServer(entry);
    else if (!deepEqual(entry.loading, args)) this.#load(entry, args);
    await this.#awaitLoad(entry);
    return narrow;
  }

  /** Returns whether the anchor is loaded. Loads it from disk if it was evicted. */
  #isLoaded(entry: OpenTimeline): boolean {
    if (entry.loading !== undefined || !isAnchorLoaded(this.#context.cache.state, entry.narrow, entry.anchor))
      return false;
    return this.#evicted.loadAnchor(entry) || isAnchorLoaded(this.#context.cache.state, entry.narrow, entry.anchor);
  }

  /** Loads the page before the loaded messages; does nothing at the start, or while it is already loading. */
  loadOlder(narrow: Narrow, size?: number): Promise<void> {
    return this.#extend(narrow, 'older', size);
  }

  loadNewer(narrow: Narrow): Promise<void> {
    return this.#extend(narrow, 'newer');
  }

  /** Fetches the newest messages of an open view that no events keep current. Does nothing while the server is away. */
  async refresh(narrow: Narrow): Promise<void> {
    const entry = this.#open.get(narrow);
    const timeline = this.#context.cache.state.timelines.get(narrowKey(narrow));
    if (entry === undefined || timeline === undefined || !this.#canAsk()) return;
    if (entry.loading !== undefined) return this.#awaitLoad(entry);
    try {
      await this.#fetch(entry, 'refresh', refreshArgs(entry, timeline));
    } catch (error) {
      if (!isFetchCancelled(error)) throw error;
    }
  }

  /** Refreshes the open views that show a conversation. Rejects while the server is away. */
  async refreshViewsOf(conversation: Conversation): Promise<void> {
    if (!this.#canAsk()) throw new Error('The server is away');
    const views = [conversationNarrow(conversation)];
    if (conversation.kind === 'topic') views.push(channelNarrow(conversation.channelId));
    await Promise.all(views.map((narrow) => this.refresh(narrow)));
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
    let isKept = true;
    return () => {
      if (isKept) entry.uses -= 1;
      isKept = false;
    };
  }

  /** Records the message that the user is looking at, so that a reload includes it. */
  setViewedMessage(narrow: Narrow, messageId: number | undefined): void {
    const entry = this.#open.get(narrow);
    if (entry === undefined || entry.viewedMessageId === messageId) return;
    entry.viewedMessageId = messageId;
    if (messageId !== undefined && entry.loading === undefined) this.#evicted.loadAround(narrow, messageId);
    this.onViewChange?.();
  }

  viewCenters(): readonly EvictionView[] {
    return viewCenters(this.#context.cache.base, this.#open.latestFirst());
  }

  /** Prepares the disk for messages that are about to be evicted. */
  beforeEviction(): void {
    this.#evicted.check();
  }

  messagesNearViews(distance: number): readonly NearbyMessages[] {
    return messagesNearViews(this.#context.cache.base, this.#open.latestFirst(), distance);
  }

  /**
   * Fetches the visible timelines for a state that is about to replace the current one, and returns the
   * events to commit together with it. What fails is fetched afterwards like the rest.
   */
  async prepare(state: AccountState, signal: AbortSignal): Promise<() => readonly LocalEvent[]> {
    this.#prepared = new Set();
    const {timelines} = this.#context.cache.state;
    const pages = this.#open.visible().map(async (entry) => {
      const args = refetchArgs(entry, timelines.get(entry.key));
      const request = this.#request(entry, 'replace', args, state);
      const page = {narrow: entry.narrow, selfId: state.self.userId};
      const events = await preparePage(this.#context, page, request, signal);
      return {entry, events};
    });
    const ready = (await Promise.allSettled(pages)).flatMap((page) =>
      page.status === 'fulfilled' && this.#open.has(page.value.entry) ? [page.value] : [],
    );
    return () => {
      this.#prepared = new Set(ready.map(({entry}) => entry));
      return ready.flatMap(({events}) => events());
    };
  }

  /**
   * Reloads the timelines after a new registration; `stateBefore` is the state just before it. Those that were not used
   * for long are closed: opening them again fetches them.
   */
  async refetchAll(stateBefore: Pick<AccountState, 'timelines'>): Promise<void> {
    for (const unused of this.#open.unusedBeyond(maxReloadedTimelines)) this.close(unused.narrow);
    const loads = this.#open.latestFirst().map((entry) => {
      const before = stateBefore.timelines.get(entry.key);
      entry.hasFailed = false;
      if (this.#prepared.has(entry)) {
        entry.isWaiting = false;
        cancelFetches(this.#context, 'timeline', entry.key);
        return this.#awaitLoad(entry);
      }
      this.#context.cache.apply({type: 'timeline_opened', narrow: entry.narrow});
      this.#load(entry, refetchArgs(entry, before));
      return this.#awaitLoad(entry);
    });
    this.#prepared = new Set();
    this.#resolveServerBack();
    await Promise.allSettled(loads);
  }

  stop(): void {
    this.#unsubscribe();
    this.#cancelRetry?.();
    cancelFetches(this.#context, 'timeline');
    this.#serverBack.resolve();
  }

  #canAsk(): boolean {
    return this.#context.queueId() !== undefined && !this.#isOffline();
  }

  #isOffline(): boolean {
    return this.#context.cache.state.connection.phase === 'offline';
  }

  /** Shows saved messages until the server can be asked. Callers that await the timeline keep waiting. */
  #waitForServer(entry: OpenTimeline): void {
    const isNew = !entry.isWaiting;
    entry.isWaiting = true;
    entry.loading = undefined;
    entry.load = this.#serverBack.promise;
    cancelFetches(this.#context, 'timeline', entry.key);
    if (isNew && this.#isOffline()) this.#loadSavedMessages(entry);
  }

  #loadSavedMessages({key, narrow}: OpenTimeline): void {
    const {cache, store} = this.#context;
    const timeline = cache.base.timelines.get(key);
    if (timeline === undefined || !hasOnlySavedMessages(timeline) || timeline.ids.size >= maxSavedMessages) return;
    cache.apply({
      type: 'saved_messages_loaded',
      narrow,
      messages: savedMessagesOf(store, cache.base, narrow),
    });
  }

  #resolveServerBack(): void {
    this.#serverBack.resolve();
    this.#serverBack = Promise.withResolvers();
  }

  /**
   * Reloads the whole timeline; other requests for it are cancelled, because they would extend ends that no
   * longer exist.
   */
  #load(entry: OpenTimeline, args: GetMessagesArgs): void {
    const context = this.#context;
    cancelFetches(context, 'timeline', entry.key);
    // Without its messages, which would stay in memory with the entry.
    const load = this.#fetch(entry, 'replace', args).then(() => {});
    entry.load = load;
    entry.loading = args;
    entry.isWaiting = false;
    const onEnd = (error?: unknown) => {
      if (entry.load !== load) return;
      entry.loading = undefined;
      this.#noteResult(entry, error);
    };
    load.then(() => onEnd(), onEnd);
  }

  /** Waits for the most recent load, however often it was restarted. */
  async #awaitLoad(entry: OpenTimeline): Promise<void> {
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

  #fetch(entry: OpenTimeline, joins: Joins, args: GetMessagesArgs): Promise<unknown> {
    const request = this.#request(entry, joins, args);
    return fetchOnce(this.#context, ['timeline', entry.key, joins], (signal) =>
      this.#slots.run(() => fetchPage(this.#context, request, signal)),
    );
  }

  #request(
    {narrow}: OpenTimeline,
    joins: Joins,
    args: GetMessagesArgs,
    state: AccountState = this.#context.cache.state,
  ): PageRequest {
    const anchor = typeof args.anchor === 'number' ? args.anchor : undefined;
    const send = isCombinedFeed(narrow)
      ? combinedFeedRequest(this.#context, args, state)
      : messagesRequest(this.#context, {...args, narrow: [...narrow]});
    return {send, timeline: {narrow, joins}, anchor};
  }

  async #extend(narrow: Narrow, joins: 'older' | 'newer', size?: number): Promise<void> {
    const entry = this.#open.get(narrow);
    const timeline = this.#context.cache.state.timelines.get(narrowKey(narrow));
    if (entry === undefined || timeline === undefined) return;
    if (entry.loading !== undefined) return this.#awaitLoad(entry);
    if (timeline.loading === undefined && this.#evicted.loadPage(narrow, joins, size)) return;
    const args = adjacentPageArgs(timeline, joins, size);
    if (args === undefined) return;
    try {
      await this.#fetch(entry, joins, args);
    } catch (error) {
      if (!isFetchCancelled(error)) throw error;
    }
  }

  /**
   * Refetches timelines that became uncertain: moved-in messages, live messages that only the server can
   * match, earlier failures. Uses the base state, because the server does not know pending changes yet.
   */
  #refetchUncertain(): void {
    const {phase} = this.#context.cache.state.connection;
    const hasPhaseChanged = phase !== this.#phase;
    this.#phase = phase;
    if (hasPhaseChanged && phase === 'offline') this.#showSavedMessages();
    if (phase !== 'online') return;
    for (const entry of this.#open) {
      const timeline = this.#context.cache.base.timelines.get(entry.key);
      if (timeline === undefined || entry.loading !== undefined) continue;
      if (hasPhaseChanged) entry.hasFailed = false;
      if (entry.hasFailed) continue;
      if (timeline.isStale || timeline.problem !== undefined) this.#load(entry, refetchArgs(entry, timeline));
      else if (entry.isWaiting)
        this.#load(entry, firstPageArgsUnlessLoaded(entry, timeline) ?? refetchArgs(entry, timeline));
      else if (timeline.undecidedIds.size > 0) void this.#fetchMatches(entry, timeline);
    }
    if (hasPhaseChanged) this.#resolveServerBack();
  }

  /** Shows saved messages in visible timelines that have none from the server. */
  #showSavedMessages(): void {
    for (const entry of this.#open.visible()) {
      const timeline = this.#context.cache.base.timelines.get(entry.key);
      if (timeline === undefined || !hasOnlySavedMessages(timeline)) continue;
      entry.isWaiting = false;
      this.#waitForServer(entry);
    }
  }

  async #fetchMatches(entry: OpenTimeline, timeline: Timeline): Promise<void> {
    try {
      await fetchNarrowMatches(this.#context, timeline);
    } catch (error) {
      this.#noteResult(entry, error);
    }
  }

  #noteResult(entry: OpenTimeline, error: unknown): void {
    entry.hasFailed = error !== undefined && !isFetchCancelled(error);
    const isTemporary =
      isApiFailure(error) && (error.kind === 'retry' || (error.kind === 'malformed' && !error.isTooLarge));
    if (isTemporary) this.#cancelRetry ??= this.#context.clock.after(retryMs, () => this.#retry());
  }

  #retry(): void {
    this.#cancelRetry = undefined;
    for (const entry of this.#open) entry.hasFailed = false;
    this.#refetchUncertain();
  }
}
