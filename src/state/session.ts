import type {Api} from '#api/api.ts';
import {isApiFailure} from '#api/failure.ts';
import {fetchAttachments, fetchSubscribers, fetchTopics, type UploadSpace} from '#state/fetches/fetch-lists.ts';
import {
  fetchEditHistory,
  fetchMessage,
  fetchNewestDirect,
  fetchReadReceipts,
  type MessageEditHistory,
  newestDirectKey,
} from '#state/fetches/fetch-messages.ts';
import {cancelFetches} from '#state/fetches/fetch-once.ts';
import {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import {TopicCollector} from '#state/fetches/topic-collector.ts';
import {PendingChanges, type PendingChangesOptions} from '#state/pending-changes/pending-changes.ts';
import {PresenceReporter, type UserActivity} from '#state/presence/presence-reporter.ts';
import {TypingNotifier} from '#state/presence/typing-notifier.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {QueueStatus} from '#state/updates/event-queue.ts';
import {registrationReason} from '#state/updates/registration-reason.ts';
import {UpdateMachine} from '#state/updates/update-machine.ts';
import type {UpdateMachinePorts, WakeReason} from '#state/updates/update-machine-ports.ts';
import type {Clock} from '#std/clock.ts';
import {deleteQueue, getEvents, register} from '#wire/endpoints/session.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {extraEmojiType} from '#wire/objects/version.ts';
import type {Snapshot} from '#wire/register.ts';
import {registerArgs} from '#wire/register-args.ts';
import type {AccountStore} from './account-store.ts';
import {Cache} from './cache.ts';
import {Drafts} from './drafts/drafts.ts';
import {FactKeeper} from './facts/fact-keeper.ts';
import {fetchRecentMessages, requestRecentMessages} from './fetches/fetch-messages.ts';
import {initialState} from './initial-state.ts';
import {apiWithLookUps} from './lost-responses.ts';
import type {EvictionLimits} from './messages/plan-eviction.ts';
import type {Message} from './model/message.ts';
import {Outbox, type OutboxOptions} from './outbox/outbox.ts';
import {MessageEvictor} from './persistence/message-evictor.ts';
import {Persistence} from './persistence/persistence.ts';
import type {SessionContext} from './session-context.ts';
import type {AccountState} from './state.ts';

/** Activity after this long without any means that the user has returned. */
const awayMs = 60_000;
/** After a new registration only the most recent fetches are repeated; the rest on demand. */
const maxRememberedFetches = 3;
const stopTimeoutMs = 1000;
/** The delay before topics are requested again that could not be fetched. */
const topicRetryMs = 15_000;
/** The server's names of emoji are not needed at start: they are read from disk, or downloaded, this much later. */
const emojiDelayMs = {read: 1000, download: 10_000} as const;
/** The endpoints that the update machine calls: it handles their failures itself. */
const updateMachineEndpoints: ReadonlySet<string> = new Set([register.id, getEvents.id, deleteQueue.id]);

/** An object that follows a session's events and its start and end. */
export interface SessionListener {
  /** Receives every batch of events, synchronously after it was applied. */
  onEvents?(events: readonly ServerEvent[]): void;
  /** Runs after the state of a new registration is applied. */
  onRegistered?(isFirst: boolean): void;
  /** Runs when the user is active. */
  noteActivity?(): void;
  /** Runs before the session ends, for at most a second. */
  beforeStop?(): Promise<void> | void;
}

export interface SessionOptions {
  readonly api: Api;
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string, error?: unknown) => void;
  /** True: nothing is marked read, and neither presence nor typing is sent. */
  readonly isExploring?: boolean | undefined;
  /** False: typing is never sent, whatever the account's setting. */
  readonly sendsTyping?: boolean | undefined;
  /** False: drafts stay on this machine, whatever the account's setting. */
  readonly syncsDrafts?: boolean | undefined;
  /** False: previews of linked pages are not fetched. */
  readonly linkPreviews?: boolean | undefined;
  /** The state saved on disk, from `restoreState(store)`. */
  readonly initial?: AccountState | undefined;
  readonly outbox?: OutboxOptions | undefined;
  readonly pendingChanges?: PendingChangesOptions | undefined;
  /** How much stays in memory. */
  readonly eviction?: EvictionLimits | undefined;
  readonly listeners?: readonly ((context: SessionContext) => SessionListener)[] | undefined;
}

export function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/**
 * One account from start to stop: its cache, the update machine that keeps it current, and the parts that act
 * for the user.
 */
export class Session {
  readonly cache: Cache;
  readonly context: SessionContext;
  readonly timelines: TimelineFetcher;
  readonly topics: TopicCollector;
  readonly typing: TypingNotifier;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly pendingChanges: PendingChanges;
  readonly #machine: UpdateMachine;
  readonly #presence: PresenceReporter;
  readonly #evictor: MessageEvictor;
  readonly #listeners: readonly SessionListener[];
  readonly #stopController = new AbortController();
  readonly #fetchedTopicIds = new Set<number>();
  readonly #fetchedSubscriberIds = new Set<number>();
  #recentMessages: Promise<void> = Promise.resolve();
  #activeAt: number;
  #cancelEmoji = () => {};
  #stopped: Promise<void> | undefined;

  constructor({initial = initialState, isExploring = false, ...options}: SessionOptions) {
    this.cache = new Cache(initial);
    options.api.connection.onDroppedData = options.log;
    options.api.connection.onLoginRefused = (endpoint) => {
      if (!updateMachineEndpoints.has(endpoint)) this.#machine.wake('loginRefused');
    };
    options.api.connection.onSilence = (since) => this.#machine.noteSilence(since);
    const context: SessionContext = {
      ...options,
      isExploring,
      cache: this.cache,
      queueId: () => this.#machine.queueId,
      signal: this.#stopController.signal,
    };
    this.context = {...context, api: apiWithLookUps(context)};
    this.#machine = new UpdateMachine(this.#ports());
    this.#activeAt = options.clock.now();
    this.#presence = new PresenceReporter(this.context);
    this.typing = new TypingNotifier(this.context, options.sendsTyping);
    this.timelines = new TimelineFetcher(this.context);
    this.topics = new TopicCollector(this.context);
    this.outbox = new Outbox(this.context, options.outbox, (conversation) =>
      this.timelines.refreshViewsOf(conversation),
    );
    this.drafts = new Drafts(this.context, options.syncsDrafts);
    this.pendingChanges = new PendingChanges(this.context, options.pendingChanges);
    const others = (options.listeners ?? []).map((createListener) => createListener(this.context));
    this.#evictor = new MessageEvictor(this.context, this.timelines, options.eviction);
    const persistence = new Persistence(this.context, (saved) => this.#evictor.evict(saved));
    const facts = new FactKeeper(this.context, this.timelines, options.linkPreviews);
    this.#listeners = [this.outbox, this.drafts, this.pendingChanges, persistence, this.topics, facts, ...others];
  }

  start(): void {
    this.#machine.start();
    this.#loadEmojiLater();
  }

  /** Resolves with the first registration; rejects when only the user can help: signed out, refused, stopped. */
  ready(): Promise<void> {
    return this.#machine.ready();
  }

  /** Retries at once if the server is unreachable. */
  wake(reason: WakeReason): void {
    this.#machine.wake(reason);
  }

  get queueStatus(): QueueStatus {
    return this.#machine.queueStatus;
  }

  /** Replaces the event queue and loads the account again. */
  registerAgain(): void {
    this.#machine.registerAgain('the user asked for it');
  }

  /** Retries with the new credentials. */
  signIn(): void {
    this.#machine.wake('signedIn');
  }

  /** Records that the user is active. */
  noteActivity(kind: UserActivity): void {
    const now = this.context.clock.now();
    // By the wall clock, because the monotonic clock stands still while the machine sleeps.
    const wasAway = Math.abs(now - this.#activeAt) > awayMs;
    this.#activeAt = now;
    this.#presence.noteActivity(kind);
    this.#notifyListeners((listener) => listener.noteActivity?.());
    if (kind === 'focus' || wasAway) this.#machine.wake(kind);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.typing.dispose();
    this.#presence.stop();
    this.#cancelEmoji();
    await this.#runBeforeStop();
    this.timelines.stop();
    // Before the queue is deleted: fetches in flight are repeated when it changes.
    this.#stopController.abort(new Error('The session has ended'));
    await this.#machine.stop();
  }

  /** Fetches the topics of a channel, unless all are known. */
  async fetchTopics(channelId: number): Promise<void> {
    rememberFetch(this.#fetchedTopicIds, channelId);
    if (!this.#isKept(this.cache.state.topics, channelId)) await fetchTopics(this.context, channelId);
  }

  /** Fetches the subscribers of a channel, unless all are known. */
  async fetchSubscribers(channelId: number): Promise<void> {
    rememberFetch(this.#fetchedSubscriberIds, channelId);
    if (!this.#isKept(this.cache.state.subscribers, channelId)) await fetchSubscribers(this.context, channelId);
  }

  /** Whether a list is complete and events keep it so: channels without a subscription send none. */
  #isKept(lists: {get(channelId: number): {readonly complete: boolean} | undefined}, channelId: number): boolean {
    return lists.get(channelId)?.complete === true && isSubscribed(this.cache.state, channelId);
  }

  /** Resolves when the newest messages, fetched after each registration, have arrived or failed. */
  recentMessages(): Promise<void> {
    return this.#recentMessages;
  }

  /** Keeps these messages in memory, if they are loaded, until the returned function is called. */
  pinMessages(ids: () => Iterable<number>): () => void {
    return this.#evictor.pin(ids);
  }

  fetchMessage(messageId: number): Promise<Message> {
    return fetchMessage(this.context, messageId);
  }

  /** Returns the versions oldest first. */
  fetchEditHistory(messageId: number): Promise<MessageEditHistory> {
    return fetchEditHistory(this.context, messageId);
  }

  fetchReadReceipts(messageId: number): Promise<readonly number[]> {
    return fetchReadReceipts(this.context, messageId);
  }

  fetchAttachments(): Promise<UploadSpace> {
    return fetchAttachments(this.context);
  }

  #ports(): UpdateMachinePorts {
    const {api, cache, clock, random, log} = this.context;
    const noTimelines = {timelines: initialState.timelines};
    // Only for as long as it is needed: an earlier state is as large as the present one.
    let before: Pick<AccountState, 'timelines'> = noTimelines;
    let requestedRecent: ReturnType<typeof requestRecentMessages> | undefined;
    return {
      clock,
      random,
      log,
      cache,
      serverSettings: (signal) => api.getServerSettings({}, {signal}),
      setLevel: (level) => {
        api.connection.level = level;
      },
      register: (level, signal) => api.register(registerArgs(level), {signal}),
      stateFromSnapshot: (snapshot, settings) => this.#stateFrom(snapshot, settings),
      prepare: async (state, signal) => {
        requestedRecent = requestRecentMessages(this.context);
        const commit = await this.timelines.prepare(state, signal);
        return () => {
          before = {timelines: cache.state.timelines};
          return commit();
        };
      },
      poll: ({queueId, lastEventId, dontBlock, timeoutMs}, signal) =>
        api.getEvents(
          {queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock},
          {signal, timeoutMs, isSlow: !dontBlock},
        ),
      deleteQueue: (queueId, signal) => api.deleteQueue({queue_id: queueId}, {signal}),
      renewSockets: () => api.connection.resetSockets(),
      onEvents: (events) => {
        this.#notifyListeners((listener) => listener.onEvents?.(events));
        this.#refetchTopics(events);
        this.#refetchDirects(events);
        const reason = registrationReason(events, cache.state.self.userId);
        if (reason !== undefined) this.#machine.registerAgain(reason);
      },
      onRegistered: (isFirst) => {
        this.#afterRegistration(isFirst, before, requestedRecent);
        [before, requestedRecent] = [noTimelines, undefined];
      },
    };
  }

  #stateFrom(snapshot: Snapshot, settings: ServerSettings | undefined): AccountState {
    const {api, cache, clock} = this.context;
    const {userId} = cache.state.self;
    return stateFromSnapshot(snapshot, {
      url: api.connection.site,
      now: clock.now(),
      knownUsers: cache.base.users,
      extraEmojiType: settings === undefined ? cache.state.server.extraEmojiType : extraEmojiType(settings),
      ...(userId > 0 && {self: {userId}}),
    });
  }

  #afterRegistration(
    isFirst: boolean,
    stateBefore: Pick<AccountState, 'timelines'>,
    requestedRecent: ReturnType<typeof requestRecentMessages> | undefined,
  ): void {
    this.#notifyListeners((listener) => listener.onRegistered?.(isFirst));
    this.#presence.ping();
    this.#loadEmojiLater();
    this.#recentMessages = fetchRecentMessages(this.context, requestedRecent).catch(() => {});
    for (const id of this.#fetchedTopicIds) this.#refetchTopicsOf(id);
    const fetches = [
      this.timelines.refetchAll(stateBefore),
      ...[...this.#fetchedSubscriberIds].map((id) => fetchSubscribers(this.context, id)),
    ];
    // A failed fetch reports itself in its slice and is repeated when a view needs it.
    for (const fetch of fetches) fetch.catch(() => {});
  }

  #loadEmojiLater(): void {
    const {clock, log, signal} = this.context;
    const runAfter = (ms: number, task: (emoji: typeof import('./fetches/server-emoji.ts')) => unknown) => {
      this.#cancelEmoji();
      this.#cancelEmoji = clock.after(ms, async () => {
        try {
          await task(await import('./fetches/server-emoji.ts'));
        } catch (error) {
          if (!signal.aborted) log('The emoji of the server could not be loaded', error);
        }
      });
    };
    runAfter(emojiDelayMs.read, ({loadSavedEmoji, downloadEmoji}) => {
      if (!loadSavedEmoji(this.context)) runAfter(emojiDelayMs.download, () => downloadEmoji(this.context));
    });
  }

  /** Fetches lists of topics again that were shown last, if events do not tell enough of them. */
  #refetchTopics(events: readonly ServerEvent[]): void {
    const channelIds = new Set(events.flatMap((event) => this.#channelsWithUncertainTopics(event)));
    for (const id of channelIds.intersection(this.#fetchedTopicIds)) this.#refetchTopicsOf(id);
  }

  /** Fetches the newest message of direct conversations whose newest one was deleted. */
  #refetchDirects(events: readonly ServerEvent[]): void {
    if (!events.some((event) => event.type === 'delete_message' && event.message_type === 'private')) return;
    // Their responses may be from before this deletion.
    cancelFetches(this.context, newestDirectKey);
    for (const {userIds, isGuess} of this.cache.base.directs.values()) {
      // After a failure, the next registration tells it.
      if (isGuess) fetchNewestDirect(this.context, {kind: 'direct', userIds}).catch(() => {});
    }
  }

  /** Fetches the topics of a channel; after a failure once more, as long as the list is among those shown last. */
  #refetchTopicsOf(channelId: number): void {
    const {clock, signal} = this.context;
    fetchTopics(this.context, channelId).catch((error: unknown) => {
      if (signal.aborted || !isApiFailure(error) || error.kind === 'permanent') return;
      const cancel = clock.after(topicRetryMs, () => {
        signal.removeEventListener('abort', cancel);
        const isMissing = this.cache.state.topics.get(channelId)?.complete !== true;
        if (isMissing && this.#fetchedTopicIds.has(channelId)) this.#refetchTopicsOf(channelId);
      });
      signal.addEventListener('abort', cancel, {once: true});
    });
  }

  /**
   * Returns channels whose topics were not followed, or will not be, for lack of a subscription, and those of messages
   * that left a topic which may be empty now.
   */
  #channelsWithUncertainTopics(event: ServerEvent): readonly number[] {
    if (event.type === 'subscription' && (event.op === 'add' || event.op === 'remove')) {
      return event.subscriptions.map(({stream_id}) => stream_id);
    }
    if (event.type !== 'delete_message' && event.type !== 'update_message') return [];
    const {stream_id} = event;
    return stream_id !== undefined && this.cache.state.topics.get(stream_id)?.complete === false ? [stream_id] : [];
  }

  /** Calls every listener; one listener's failure, such as a full disk, must not stop the others or the polling. */
  #notifyListeners(call: (listener: SessionListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        call(listener);
      } catch (error) {
        this.context.log('A session listener failed', error);
      }
    }
  }

  async #runBeforeStop(): Promise<void> {
    const tasks = this.#listeners.map(async (listener) => listener.beforeStop?.());
    if (this.cache.state.connection.phase === 'online') tasks.push(this.drafts.flush());
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = this.context.clock.after(stopTimeoutMs, resolve);
    });
    await Promise.race([Promise.allSettled(tasks), timeout]);
    cancel();
  }
}

/** Keeps the most recent ids, in order of use. */
function rememberFetch(recent: Set<number>, id: number): void {
  recent.delete(id);
  recent.add(id);
  const [oldest] = recent;
  if (recent.size > maxRememberedFetches && oldest !== undefined) recent.delete(oldest);
}
