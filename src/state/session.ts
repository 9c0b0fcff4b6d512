import type {Api} from '#api/api.ts';
import {Drafts} from '#state/drafts/drafts.ts';
import {FactKeeper} from '#state/facts/fact-keeper.ts';
import {
  fetchMessage,
  fetchRecentMessages,
  fetchSubscribers,
  refetchDirects,
  requestRecentMessages,
} from '#state/fetches/fetch-messages.ts';
import {KeptQueries} from '#state/fetches/kept-queries.ts';
import {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import {isKept, rememberFetch, TopicFetcher} from '#state/fetches/topic-fetcher.ts';
import {apiWithLookUps, endingApi} from '#state/lost-responses/api-with-look-ups.ts';
import type {ChangeContext} from '#state/lost-responses/find-change.ts';
import type {Message} from '#state/model/message.ts';
import {Outbox, type OutboxOptions} from '#state/outbox/outbox.ts';
import {PendingChanges, type PendingChangesOptions} from '#state/pending-changes/pending-changes.ts';
import {type EvictionLimits, MessageEvictor} from '#state/persistence/message-evictor.ts';
import {Persistence} from '#state/persistence/persistence.ts';
import {PresenceReporter, type UserActivity} from '#state/presence/presence-reporter.ts';
import {TypingNotifier} from '#state/presence/typing-notifier.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {QueueStatus} from '#state/updates/event-queue.ts';
import {registrationReason} from '#state/updates/registration.ts';
import {UpdateMachine} from '#state/updates/update-machine.ts';
import type {UpdateMachinePorts, WakeReason} from '#state/updates/update-machine-ports.ts';
import type {Clock} from '#std/clock.ts';
import {deleteQueue, getEvents, register} from '#wire/endpoints/session.ts';
import type {ServerEvent} from '#wire/events.ts';
import {extraEmojiType, type ServerSettings} from '#wire/objects/server-settings.ts';
import type {Snapshot} from '#wire/register.ts';
import type {AccountStore} from './account-store.ts';
import {Cache} from './cache.ts';
import {initialState} from './initial-state.ts';
import type {SessionContext} from './session-context.ts';
import type {AccountState} from './state.ts';

/** Activity after this long without any means that the user has returned. */
const awayMs = 60_000;
const stopTimeoutMs = 1000;
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
  readonly onUnknown?: ChangeContext['onUnknown'];
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
  readonly topics: TopicFetcher;
  readonly queries: KeptQueries;
  readonly typing: TypingNotifier;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly pendingChanges: PendingChanges;
  readonly #machine: UpdateMachine;
  readonly #presence: PresenceReporter;
  readonly #evictor: MessageEvictor;
  readonly #listeners: readonly SessionListener[];
  readonly #stopController = new AbortController();
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
    this.topics = new TopicFetcher(this.context);
    this.queries = new KeptQueries(this.context);
    this.outbox = new Outbox(this.context, options.outbox, (conversation) =>
      this.timelines.refreshViewsOf(conversation),
    );
    // These repeat their requests themselves.
    const repeating = {...context, api: endingApi(context)};
    this.drafts = new Drafts(repeating, options.syncsDrafts);
    this.pendingChanges = new PendingChanges(repeating, options.pendingChanges);
    const others = (options.listeners ?? []).map((createListener) => createListener(this.context));
    this.#evictor = new MessageEvictor(this.context, this.timelines, options.eviction);
    const persistence = new Persistence(this.context, (saved) => this.#evictor.evict(saved));
    const facts = new FactKeeper(this.context, this.timelines, options.linkPreviews);
    const own = [this.outbox, this.drafts, this.pendingChanges, persistence, this.topics, this.queries, facts];
    this.#listeners = [...own, ...others];
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
  fetchTopics(channelId: number): Promise<void> {
    return this.topics.fetch(channelId);
  }

  /** Fetches the subscribers of a channel, unless all are known. */
  async fetchSubscribers(channelId: number): Promise<void> {
    const {state} = this.cache;
    rememberFetch(this.#fetchedSubscriberIds, channelId);
    const isKnown = isKept(state, state.subscribers.get(channelId), channelId);
    if (!isKnown) await fetchSubscribers(this.context, channelId);
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
        refetchDirects(this.context, events);
        const reason = registrationReason(events, cache.state);
        if (reason !== undefined) this.#machine.registerAgain(reason);
      },
      onRegistered: (isFirst) => {
        this.#afterRegistration(isFirst, before, requestedRecent);
        before = noTimelines;
        requestedRecent = undefined;
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
    const fetches = [
      this.timelines.refetchAll(stateBefore),
      ...[...this.#fetchedSubscriberIds].map((id) => fetchSubscribers(this.context, id)),
    ];
    // A failed fetch reports itself in its slice and is repeated when a view needs it.
    for (const fetch of fetches) fetch.catch(() => {});
  }

  #loadEmojiLater(): void {
    const {clock, log, signal} = this.context;
    const runAfter = (ms: number, task: (emoji: typeof import('#state/fetches/server-emoji.ts')) => unknown) => {
      this.#cancelEmoji();
      this.#cancelEmoji = clock.after(ms, () => {
        import('#state/fetches/server-emoji.ts').then(task).catch((error: unknown) => {
          if (!signal.aborted) log('The emoji of the server could not be loaded', error);
        });
      });
    };
    runAfter(emojiDelayMs.read, ({loadSavedEmoji, downloadEmoji}) => {
      if (!loadSavedEmoji(this.context)) runAfter(emojiDelayMs.download, () => downloadEmoji(this.context));
    });
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
