import type {Api} from '#api/api.ts';
import {type AttachmentList, fetchAttachments} from '#state/fetches/fetch-attachments.ts';
import {fetchSubscribers, fetchTopics} from '#state/fetches/fetch-channel-details.ts';
import {
  fetchEditHistory,
  fetchMessage,
  fetchReadReceipts,
  type MessageEditHistory,
} from '#state/fetches/fetch-messages.ts';
import {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import {PendingChanges, type PendingChangesOptions} from '#state/pending-changes/pending-changes.ts';
import {PresenceReporter, type UserActivity} from '#state/presence/presence-reporter.ts';
import {TypingNotifier} from '#state/presence/typing-notifier.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import {UpdateMachine} from '#state/updates/update-machine.ts';
import type {UpdateMachinePorts, WakeReason} from '#state/updates/update-machine-ports.ts';
import type {Clock} from '#std/clock.ts';
import {deleteQueue, getEvents, register} from '#wire/endpoints/session.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {Snapshot} from '#wire/register.ts';
import {registerArgs} from '#wire/register-args.ts';
import type {AccountStore} from './account-store.ts';
import {Cache} from './cache.ts';
import {Drafts} from './drafts/drafts.ts';
import {fetchRecentMessages} from './fetches/fetch-messages.ts';
import {initialState} from './initial-state.ts';
import type {Message} from './model/message.ts';
import {Outbox, type OutboxOptions} from './outbox/outbox.ts';
import {Persistence} from './persistence/persistence.ts';
import type {SessionContext} from './session-context.ts';
import type {AccountState} from './state.ts';

/** A key after this long without one means that somebody came back. */
const awayMs = 60_000;
/** What was asked for last is asked for again after a new registration; the rest when somebody wants it. */
const maxRememberedFetches = 10;
const stopTimeoutMs = 1000;
/** What the update machine asks itself: it hears of their failures anyway. */
const updateMachineEndpoints: ReadonlySet<string> = new Set([register.id, getEvents.id, deleteQueue.id]);

/** Somebody who goes along with a session. */
export interface SessionListener {
  /** Every batch of events, in the turn in which it was applied. */
  onEvents?(events: readonly ServerEvent[]): void;
  /** After the state of a new registration is in. */
  onRegistered?(isFirst: boolean): void;
  /** Before the end; what takes longer than a moment is not waited for. */
  beforeStop?(): Promise<void> | void;
}

export interface SessionOptions {
  readonly api: Api;
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string, error?: unknown) => void;
  /** Nothing is marked read, no presence and no typing is sent. */
  readonly isExploring?: boolean | undefined;
  /** False: nobody hears that one is typing, whatever the account says. */
  readonly sendsTyping?: boolean | undefined;
  /** False: drafts stay on this machine, whatever the account says. */
  readonly syncsDrafts?: boolean | undefined;
  /** What the disk remembers: `restore(store)`. */
  readonly initial?: AccountState | undefined;
  readonly outbox?: OutboxOptions | undefined;
  readonly pendingChanges?: PendingChangesOptions | undefined;
  readonly listeners?: readonly ((context: SessionContext) => SessionListener)[] | undefined;
}

export function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/** One account, from start to stop: the cache, what keeps it true, and what acts for the user. */
export class Session {
  readonly cache: Cache;
  readonly context: SessionContext;
  readonly timelines: TimelineFetcher;
  readonly typing: TypingNotifier;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly pendingChanges: PendingChanges;
  readonly #machine: UpdateMachine;
  readonly #presence: PresenceReporter;
  readonly #persistence: Persistence;
  readonly #attendants: readonly SessionListener[];
  readonly #ending = new AbortController();
  readonly #topicsAsked = new Set<number>();
  readonly #subscribersAsked = new Set<number>();
  #activeAt: number;
  #stopped: Promise<void> | undefined;

  constructor({initial = initialState, isExploring = false, ...options}: SessionOptions) {
    this.cache = new Cache(initial);
    options.api.connection.onDroppedData = options.log;
    options.api.connection.onLoginRefused = (endpoint) => {
      if (!updateMachineEndpoints.has(endpoint)) this.#machine.wake('unwelcome');
    };
    this.context = {
      ...options,
      isExploring,
      cache: this.cache,
      queueId: () => this.#machine.queueId,
      signal: this.#ending.signal,
    };
    this.#machine = new UpdateMachine(this.#ports());
    this.#activeAt = options.clock.now();
    this.#presence = new PresenceReporter(this.context);
    this.typing = new TypingNotifier(this.context, options.sendsTyping);
    this.timelines = new TimelineFetcher(this.context);
    this.outbox = new Outbox(this.context, options.outbox);
    this.drafts = new Drafts(this.context, options.syncsDrafts);
    this.pendingChanges = new PendingChanges(this.context, options.pendingChanges);
    const others = (options.listeners ?? []).map((attend) => attend(this.context));
    this.#persistence = new Persistence(this.context);
    this.#attendants = [this.outbox, this.drafts, this.pendingChanges, this.#persistence, ...others];
  }

  start(): void {
    this.#machine.start();
  }

  /** Resolves with the first registration; rejects when only the user can help: signed out, refused, stopped. */
  ready(): Promise<void> {
    return this.#machine.ready();
  }

  /** Tries again now, if the server cannot be reached. */
  wake(reason: WakeReason): void {
    this.#machine.wake(reason);
  }

  /** There are new credentials. */
  signIn(): void {
    this.#machine.wake('signedIn');
  }

  /** The user is there. */
  noteActivity(kind: UserActivity): void {
    const now = this.context.clock.now();
    const wasAway = now - this.#activeAt > awayMs;
    this.#activeAt = now;
    this.#presence.noteActivity(kind);
    this.#persistence.noteActivity();
    if (kind === 'focus' || wasAway) this.#machine.wake(kind);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.typing.dispose();
    this.#presence.stop();
    await this.#farewell();
    await this.#machine.stop();
    this.timelines.stop();
    this.#ending.abort(new Error('The session has ended'));
  }

  fetchTopics(channelId: number): Promise<void> {
    rememberFetch(this.#topicsAsked, channelId);
    return fetchTopics(this.context, channelId);
  }

  fetchSubscribers(channelId: number): Promise<void> {
    rememberFetch(this.#subscribersAsked, channelId);
    return fetchSubscribers(this.context, channelId);
  }

  fetchMessage(messageId: number): Promise<Message> {
    return fetchMessage(this.context, messageId);
  }

  /** Oldest first. */
  fetchEditHistory(messageId: number): Promise<MessageEditHistory> {
    return fetchEditHistory(this.context, messageId);
  }

  fetchReadReceipts(messageId: number): Promise<readonly number[]> {
    return fetchReadReceipts(this.context, messageId);
  }

  fetchAttachments(): Promise<AttachmentList> {
    return fetchAttachments(this.context);
  }

  #ports(): UpdateMachinePorts {
    const {api, cache, clock, random, log} = this.context;
    let shown = cache.state;
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
      stateFromSnapshot: (snapshot) => this.#stateFrom(snapshot),
      prepare: async (state, signal) => {
        const more = await this.timelines.prepare(state, signal);
        return () => {
          shown = cache.state;
          return more();
        };
      },
      poll: ({queueId, lastEventId, dontBlock, timeoutMs}, signal) =>
        api.getEvents(
          {queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock},
          {signal, timeoutMs},
        ),
      deleteQueue: (queueId, signal) => api.deleteQueue({queue_id: queueId}, {signal}),
      renewSockets: () => api.connection.resetSockets(),
      onEvents: (events) => this.#tell((attendant) => attendant.onEvents?.(events)),
      onRegistered: (isFirst) => this.#registered(isFirst, shown),
    };
  }

  #stateFrom(snapshot: Snapshot): AccountState {
    const {api, cache, clock} = this.context;
    const {userId} = cache.state.self;
    return stateFromSnapshot(snapshot, {
      url: api.connection.site,
      now: clock.now(),
      ...(userId > 0 && {self: {userId}}),
    });
  }

  #registered(isFirst: boolean, shown: AccountState): void {
    this.#tell((attendant) => attendant.onRegistered?.(isFirst));
    this.#presence.ping();
    const fetches = [
      this.timelines.refetchAll(shown),
      fetchRecentMessages(this.context),
      ...[...this.#topicsAsked].map((id) => fetchTopics(this.context, id)),
      ...[...this.#subscribersAsked].map((id) => fetchSubscribers(this.context, id)),
    ];
    // What fails shows it where it belongs, and is asked for again when somebody looks.
    for (const fetch of fetches) fetch.catch(() => {});
  }

  /** Nobody's mishap, such as a full disk, may end the others' part or the polling. */
  #tell(say: (attendant: SessionListener) => void): void {
    for (const attendant of this.#attendants) {
      try {
        say(attendant);
      } catch (error) {
        this.context.log('Something that follows the events failed', error);
      }
    }
  }

  async #farewell(): Promise<void> {
    const leaving = this.#attendants.map(async (attendant) => attendant.beforeStop?.());
    if (this.cache.state.connection.phase === 'online') leaving.push(this.drafts.flush());
    let cancel = () => {};
    const enough = new Promise<void>((resolve) => {
      cancel = this.context.clock.after(stopTimeoutMs, resolve);
    });
    await Promise.race([Promise.allSettled(leaving), enough]);
    cancel();
  }
}

/** The latest few, in order. */
function rememberFetch(asked: Set<number>, id: number): void {
  asked.delete(id);
  asked.add(id);
  const [oldest] = asked;
  if (asked.size > maxRememberedFetches && oldest !== undefined) asked.delete(oldest);
}
