import {onTestFinished} from 'vitest';
import {type Api, makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import type {AccountStore} from '#state/account-store.ts';
import {Cache} from '#state/cache.ts';
import {Drafts} from '#state/drafts/drafts.ts';
import {initialState} from '#state/initial-state.ts';
import {Outbox} from '#state/outbox/outbox.ts';
import {PendingChanges, type PendingChangesOptions} from '#state/pending-changes/pending-changes.ts';
import type {SessionContext} from '#state/session-context.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {decodeEventBatch} from '#state/updates/event-batch.ts';
import {Random} from '#std/random.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {thisProcess} from '#storage/process-registry.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import type {TestServer} from '#test/support/server.ts';
import type {ServerEvent} from '#wire/events.ts';

/** A clock on which tests can wait for timers to be set. */
export class WatchedClock extends ManualClock {
  #pending: {ms: number; cancelled: boolean}[] = [];
  #watchers: (() => void)[] = [];

  override after(ms: number, task: () => void): () => void {
    const timer = {ms, cancelled: false};
    const done = () => {
      timer.cancelled = true;
      this.#pending = this.#pending.filter((other) => other !== timer);
    };
    const cancel = super.after(ms, () => {
      done();
      task();
    });
    this.#pending.push(timer);
    for (const watcher of this.#watchers.splice(0)) watcher();
    return () => {
      done();
      cancel();
    };
  }

  /** Waits until a timer of about this length is set. */
  async waitedFor(atLeastMs: number, atMostMs = atLeastMs): Promise<number> {
    for (;;) {
      const timer = this.#pending.find(({ms}) => ms >= atLeastMs && ms <= atMostMs);
      if (timer !== undefined) return timer.ms;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** Waits until a timer of about this length is set, then advances the clock by it. */
  async pass(atLeastMs: number, atMostMs = atLeastMs): Promise<void> {
    this.advance(await this.waitedFor(atLeastMs, atMostMs));
  }
}

export interface ClientOptions {
  readonly store?: AccountStore;
  /** A database file that outlives this client. */
  readonly path?: string;
  /** True: other clients see this process as dead, so that its entries are orphans. */
  readonly isDead?: boolean;
  readonly clock?: WatchedClock;
  readonly askAfterOfflineMinutes?: number;
  readonly wrap?: (parts: {api: Api; store: AccountStore}) => {api: Api; store: AccountStore};
  readonly pendingChanges?: PendingChangesOptions;
  readonly seed?: number;
}

let seeds = 1;

/** One process of one user, without the polling loop: the test decides when it receives what. */
export class TestClient {
  readonly clock: WatchedClock;
  readonly storeClock = new ManualClock();
  readonly cache = new Cache(initialState);
  readonly context: SessionContext;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly pendingChanges: PendingChanges;
  readonly #api: Api;
  readonly #ending = new AbortController();
  #queueId: string | undefined;
  #lastEventId = -1;

  constructor(server: TestServer, person: Person, options: ClientOptions = {}) {
    const seed = options.seed ?? seeds++;
    const random = new Random(seed);
    this.clock = options.clock ?? new WatchedClock();
    const connection = new Connection({
      site: server.url,
      credentials: {email: person.email, apiKey: person.apiKey},
      userAgent: 'ParleyTest/1.0',
    });
    connection.level = server.context.level;
    onTestFinished(() => connection.close());
    this.#api = makeApi(connection);
    const parts = {api: this.#api, store: options.store ?? this.#open(options)};
    const {api, store} = options.wrap?.(parts) ?? parts;
    this.context = {
      api,
      store,
      cache: this.cache,
      clock: this.clock,
      random: () => random.next(),
      log: () => {},
      queueId: () => this.#queueId,
      signal: this.#ending.signal,
      isExploring: false,
    };
    onTestFinished(() => this.kill());
    this.outbox = new Outbox(this.context, {askAfterOfflineMinutes: options.askAfterOfflineMinutes ?? 10});
    this.drafts = new Drafts(this.context);
    this.pendingChanges = new PendingChanges(this.context, options.pendingChanges);
  }

  get state(): AccountState {
    return this.cache.state;
  }

  get store(): AccountStore {
    return this.context.store;
  }

  async register(): Promise<this> {
    const snapshot = await this.#api.register(registerArgs(this.#api.connection.level));
    this.#queueId = snapshot.queue_id ?? undefined;
    this.#lastEventId = snapshot.last_event_id ?? -1;
    const state = stateFromSnapshot(snapshot, {url: this.#api.connection.site, now: this.clock.now()});
    this.cache.apply({type: 'state_replaced', state});
    for (const each of [this.outbox, this.drafts, this.pendingChanges]) each.onRegistered();
    this.goOnline();
    return this;
  }

  /** Applies the pending events, as the update machine does. */
  async pollEvents(): Promise<readonly ServerEvent[]> {
    const {events: raw} = await this.#api.getEvents({
      queue_id: this.#queueId ?? '',
      last_event_id: this.#lastEventId,
      dont_block: true,
    });
    const {events, lastEventId} = decodeEventBatch(raw, this.#lastEventId);
    this.#lastEventId = lastEventId;
    this.cache.apply(...events);
    for (const each of [this.outbox, this.drafts, this.pendingChanges]) each.onEvents(events);
    return events;
  }

  goOnline(): void {
    this.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
    for (const each of [this.outbox, this.drafts, this.pendingChanges]) each.online();
  }

  async goOffline(): Promise<void> {
    const since = this.clock.now();
    const connection = {
      phase: 'offline',
      since,
      retryAt: undefined,
      problem: '',
      savedAt: undefined,
    } as const;
    const notified = new Promise<void>((resolve) => {
      const quit = this.cache.subscribe(['connection'], () => {
        quit();
        resolve();
      });
    });
    this.cache.apply({type: 'connection_changed', connection});
    await notified;
  }

  /** Checks for changes by other processes, as happens twice a minute even if the system reports none. */
  checkExternalChanges(): void {
    this.storeClock.advance(30_000);
  }

  /** Waits until the outbox can do nothing more; the clock is advanced through its pauses. */
  async finishOutbox(): Promise<void> {
    const isIdle = this.outbox.idle().then(() => true);
    for (;;) {
      const isDone = await Promise.race([isIdle, this.clock.waitedFor(250, 10_000).then(() => false)]);
      if (isDone) return;
      this.clock.advance(10_000);
    }
  }

  kill(): void {
    this.#ending.abort(new Error('dead'));
  }

  #open({path = ':memory:', isDead = false}: ClientOptions): AccountStore {
    const identity = {...thisProcess(), ...(isDead && {pid: 2 ** 30})};
    const {store} = openAccountStore({
      path,
      clock: this.storeClock,
      random: Math.random,
      log: (line, error) => console.error(line, error),
      processIdentity: identity,
    });
    onTestFinished(() => store.close());
    return store;
  }
}

/** Makes a server with test hooks fail. */
export async function injectFault(server: TestServer, body: object): Promise<void> {
  await callTestHook(server, 'fault', body);
}

export async function callTestHook(server: TestServer, name: string, body: object = {}): Promise<void> {
  const response = await fetch(`${server.url}/test-hooks/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}
