import type {Api} from '#api/api.ts';
import {type AttachmentList, fetchAttachments} from '#state/fetches/fetch-attachments.ts';
import {fetchSubscribers, fetchTopics} from '#state/fetches/fetch-channel-details.ts';
import {
  fetchHistory,
  fetchMessage,
  fetchReadReceipts,
  type MessageHistory,
} from '#state/fetches/fetch-messages.ts';
import {Timelines} from '#state/fetches/timeline-fetcher.ts';
import {Deeds, type DeedsOptions} from '#state/pending-changes/pending-changes.ts';
import {type Activity, PresencePulse} from '#state/presence/presence-reporter.ts';
import {TypingPulse} from '#state/presence/typing-notifier.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import {UpdateMachine} from '#state/updates/update-machine.ts';
import type {MachinePorts, WakeReason} from '#state/updates/update-machine-ports.ts';
import type {Clock} from '#std/clock.ts';
import {deleteQueue, getEvents, register} from '#wire/endpoints/session.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {Snapshot} from '#wire/register.ts';
import {registerArgs} from '#wire/register-args.ts';
import type {AccountStore} from './account-store.ts';
import {Cache} from './cache.ts';
import {Drafts} from './drafts/drafts.ts';
import {fetchRecent} from './fetches/recent.ts';
import {initialState} from './initial-state.ts';
import type {Message} from './model/message.ts';
import {Outbox, type OutboxOptions} from './outbox/outbox.ts';
import {Persistence} from './persistence/persistence.ts';
import type {Context} from './session-context.ts';
import type {AccountState} from './state.ts';

/** A key after this long without one means that somebody came back. */
const awayMs = 60_000;
/** What was asked for last is asked for again after a new registration; the rest when somebody wants it. */
const keptQuestions = 10;
const farewellMs = 1000;
/** What the update machine asks itself: it hears of their failures anyway. */
const machineQuestions: ReadonlySet<string> = new Set([register.id, getEvents.id, deleteQueue.id]);

/** Somebody who goes along with a session. */
export interface Attendant {
  /** Every batch of events, in the turn in which it was applied. */
  heard?(events: readonly ServerEvent[]): void;
  /** After the state of a new registration is in. */
  registered?(isFirst: boolean): void;
  /** Before the end; what takes longer than a moment is not waited for. */
  leave?(): Promise<void> | void;
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
  readonly deeds?: DeedsOptions | undefined;
  readonly attendants?: readonly ((context: Context) => Attendant)[] | undefined;
}

export function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/** One account, from start to stop: the cache, what keeps it true, and what acts for the user. */
export class Session {
  readonly cache: Cache;
  readonly context: Context;
  readonly timelines: Timelines;
  readonly typing: TypingPulse;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly deeds: Deeds;
  readonly #machine: UpdateMachine;
  readonly #presence: PresencePulse;
  readonly #persistence: Persistence;
  readonly #attendants: readonly Attendant[];
  readonly #ending = new AbortController();
  readonly #topicsAsked = new Set<number>();
  readonly #subscribersAsked = new Set<number>();
  #activeAt: number;
  #stopped: Promise<void> | undefined;

  constructor({initial = initialState, isExploring = false, ...options}: SessionOptions) {
    this.cache = new Cache(initial);
    options.api.connection.report = options.log;
    options.api.connection.unwelcome = (endpoint) => {
      if (!machineQuestions.has(endpoint)) this.#machine.wake('unwelcome');
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
    this.#presence = new PresencePulse(this.context);
    this.typing = new TypingPulse(this.context, options.sendsTyping);
    this.timelines = new Timelines(this.context);
    this.outbox = new Outbox(this.context, options.outbox);
    this.drafts = new Drafts(this.context, options.syncsDrafts);
    this.deeds = new Deeds(this.context, options.deeds);
    const others = (options.attendants ?? []).map((attend) => attend(this.context));
    this.#persistence = new Persistence(this.context);
    this.#attendants = [this.outbox, this.drafts, this.deeds, this.#persistence, ...others];
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
  activity(kind: Activity): void {
    const now = this.context.clock.now();
    const wasAway = now - this.#activeAt > awayMs;
    this.#activeAt = now;
    this.#presence.activity(kind);
    this.#persistence.active();
    if (kind === 'focus' || wasAway) this.#machine.wake(kind);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.typing.end();
    this.#presence.stop();
    await this.#farewell();
    await this.#machine.stop();
    this.timelines.stop();
    this.#ending.abort(new Error('The session has ended'));
  }

  fetchTopics(channelId: number): Promise<void> {
    remember(this.#topicsAsked, channelId);
    return fetchTopics(this.context, channelId);
  }

  fetchSubscribers(channelId: number): Promise<void> {
    remember(this.#subscribersAsked, channelId);
    return fetchSubscribers(this.context, channelId);
  }

  fetchMessage(messageId: number): Promise<Message> {
    return fetchMessage(this.context, messageId);
  }

  /** Oldest first. */
  fetchHistory(messageId: number): Promise<MessageHistory> {
    return fetchHistory(this.context, messageId);
  }

  fetchReadReceipts(messageId: number): Promise<readonly number[]> {
    return fetchReadReceipts(this.context, messageId);
  }

  fetchAttachments(): Promise<AttachmentList> {
    return fetchAttachments(this.context);
  }

  #ports(): MachinePorts {
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
      stateFrom: (snapshot) => this.#stateFrom(snapshot),
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
      renewSockets: () => api.connection.renew(),
      heard: (events) => this.#tell((attendant) => attendant.heard?.(events)),
      registered: (isFirst) => this.#registered(isFirst, shown),
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
    this.#tell((attendant) => attendant.registered?.(isFirst));
    this.#presence.beat();
    const fetches = [
      this.timelines.renew(shown),
      fetchRecent(this.context),
      ...[...this.#topicsAsked].map((id) => fetchTopics(this.context, id)),
      ...[...this.#subscribersAsked].map((id) => fetchSubscribers(this.context, id)),
    ];
    // What fails shows it where it belongs, and is asked for again when somebody looks.
    for (const fetch of fetches) fetch.catch(() => {});
  }

  /** Nobody's mishap, such as a full disk, may end the others' part or the polling. */
  #tell(say: (attendant: Attendant) => void): void {
    for (const attendant of this.#attendants) {
      try {
        say(attendant);
      } catch (error) {
        this.context.log('Something that follows the events failed', error);
      }
    }
  }

  async #farewell(): Promise<void> {
    const leaving = this.#attendants.map(async (attendant) => attendant.leave?.());
    if (this.cache.state.connection.phase === 'online') leaving.push(this.drafts.flush());
    let cancel = () => {};
    const enough = new Promise<void>((resolve) => {
      cancel = this.context.clock.after(farewellMs, resolve);
    });
    await Promise.race([Promise.allSettled(leaving), enough]);
    cancel();
  }
}

/** The latest few, in order. */
function remember(asked: Set<number>, id: number): void {
  asked.delete(id);
  asked.add(id);
  const [oldest] = asked;
  if (asked.size > keptQuestions && oldest !== undefined) asked.delete(oldest);
}
