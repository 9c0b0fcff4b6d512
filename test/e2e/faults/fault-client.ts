import {onTestFinished} from 'vitest';
import type {AccountStore} from '#state/account-store.ts';
import type {TimelineAnchor} from '#state/fetches/open-timelines.ts';
import {initialState} from '#state/initial-state.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {type Narrow, type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Session} from '#state/session.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import type {Person} from '#test/support/people.ts';
import type {ServerEvent} from '#wire/events.ts';
import {FastClock, type FastClockOptions} from './fast-clock.ts';
import {type HeadlessClientOptions, openHeadlessClient} from './headless-client.ts';

interface ClientOptions extends Pick<HeadlessClientOptions, 'person' | 'site' | 'directory' | 'seed' | 'isImpatient'> {
  readonly clock?: FastClockOptions;
}

/** Returns whether the entry changes only when the user acts. */
export function isAtRest({status}: OutboxEntry): boolean {
  return status === 'unconfirmed' || status === 'failed' || status === 'held';
}

const allSlices = Object.keys(initialState) as SliceName[];

/** A Parley client on a fast clock, and a record of what was done with it. */
export class FaultClient {
  readonly person: Person;
  readonly session: Session;
  readonly store: AccountStore;
  /** Idempotent. */
  readonly close: () => Promise<void>;
  readonly clock: FastClock;
  readonly logged: string[] = [];
  /** Everything it was asked to send, in order. */
  readonly entries: OutboxEntry[] = [];
  /** Its drafts, as last written. */
  readonly written = new Map<string, string>();
  /** The open views. */
  readonly opened = new Map<NarrowKey, Narrow>();
  /** Events that were applied twice. */
  readonly repeated: string[] = [];
  readonly #eventIds = new Set<string>();
  readonly #seed: number;
  #onLog = () => {};
  #serial = 0;

  constructor(options: ClientOptions) {
    this.person = options.person;
    this.#seed = options.seed;
    this.clock = new FastClock(options.clock);
    const log = (line: string, error?: unknown) => this.#log(`${line} ${error ?? ''}`);
    const {session, store, close} = openHeadlessClient({
      ...options,
      clock: this.clock,
      log,
      received: (events) => this.#recordEvents(events),
    });
    this.session = session;
    this.store = store;
    let isOpen = true;
    this.close = async () => {
      if (isOpen) await close();
      isOpen = false;
    };
    onTestFinished(async ({task}) => {
      if (isOpen && task.result?.state === 'fail') console.error(this.#report());
      await this.close();
    });
  }

  get state(): AccountState {
    return this.session.cache.state;
  }

  /** Resolves with the first registration. */
  async start(): Promise<this> {
    this.session.start();
    await this.session.ready();
    return this;
  }

  async open(requested: Narrow, anchor: TimelineAnchor): Promise<void> {
    const narrow = await this.session.timelines.open(requested, anchor);
    // It may have been closed while it was being fetched.
    if (this.state.timelines.has(narrowKey(narrow))) this.opened.set(narrowKey(narrow), narrow);
  }

  closeView(narrow: Narrow): void {
    this.session.timelines.close(narrow);
    this.opened.delete(narrowKey(narrow));
  }

  send(conversation: Conversation, content: string): OutboxEntry {
    const entry = this.session.outbox.send({conversation, content});
    this.entries.push(entry);
    return entry;
  }

  /** Writes a new draft, or one of its own. */
  write(conversation: Conversation, content: string, id?: string): string {
    const draft = this.session.drafts.edit(id, {target: conversation, content});
    if (draft === undefined) throw new Error('A draft without words');
    this.written.set(draft.id, content);
    return draft.id;
  }

  /** Discards one of its drafts. */
  discard(id: string): void {
    this.session.drafts.remove(id);
    this.written.delete(id);
  }

  sendDraft(id: string): void {
    const draft = this.session.drafts.get(id);
    if (draft === undefined || draft.target.kind === 'none') return;
    const {content, target: conversation} = draft;
    this.entries.push(this.session.outbox.send({conversation, content, draftId: id}));
    this.written.delete(id);
  }

  /** Makes texts unique over all clients of one test. */
  nextSerial(): string {
    return `${this.person.id}.${this.#seed}.${++this.#serial}`;
  }

  /** Waits until the condition is true. */
  until(condition: (state: AccountState) => boolean): Promise<AccountState> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition(this.state)) return;
        unsubscribe();
        resolve(this.state);
      };
      const unsubscribe = this.session.cache.subscribe(allSlices, check);
      check();
    });
  }

  /** Waits until these messages are loaded. */
  waitForMessages(...ids: readonly number[]): Promise<AccountState> {
    return this.until(({messages}) => ids.every((id) => messages.byId.has(id)));
  }

  /** Waits for the event of a message, and returns whether it came in this queue, not after a new registration. */
  async receives(id: number, queueId: string | undefined): Promise<boolean> {
    const isOther = () => this.session.context.queueId() !== queueId;
    await this.until(({arrivals}) => arrivals.newest >= id || isOther());
    return !isOther();
  }

  /** Waits until a line matches in its log. */
  waitForLog(pattern: RegExp): Promise<void> {
    return new Promise((resolve) => {
      this.#onLog = () => {
        if (this.logged.some((line) => pattern.test(line))) resolve();
      };
      this.#onLog();
    });
  }

  online(): Promise<AccountState> {
    return this.until(({connection}) => connection.phase === 'online');
  }

  offline(): Promise<AccountState> {
    return this.until(({connection}) => connection.phase === 'offline');
  }

  /** Returns whether nothing is in flight, and nothing waits except for the user. */
  get isQuiet(): boolean {
    const {outbox, connection} = this.state;
    return (
      connection.phase === 'online' &&
      outbox.every(isAtRest) &&
      // No pending change is on top of the server's state any more.
      this.session.cache.state === this.session.cache.base &&
      this.session.pendingChanges.pendingActions().length === 0 &&
      this.store.drafts.all().every((draft) => draft.status === 'clean' || this.isDraftOfSentMessage(draft))
    );
  }

  /** Returns whether the server's copy stays until its message is delivered. */
  isDraftOfSentMessage({id, status}: LocalDraft): boolean {
    return status === 'deleted' && this.store.outbox.all().some(({draftId}) => draftId === id);
  }

  /** Waits until every view is loaded. */
  waitForViews(): Promise<AccountState> {
    return this.until(({timelines}) =>
      [...timelines.values()].every(
        ({loading, isStale, problem, undecidedIds: unjudged}) =>
          loading === undefined && !isStale && problem === undefined && unjudged.size === 0,
      ),
    );
  }

  /** Resends unconfirmed messages, as a user does after checking that they are missing. */
  resendAll(): void {
    for (const {id} of this.state.outbox) this.session.outbox.resend(id);
  }

  /** Does everything possible now. */
  async runAll(): Promise<void> {
    await this.online();
    this.session.pendingChanges.online();
    await this.session.outbox.idle();
    await this.session.pendingChanges.idle();
    await this.session.drafts.flush();
  }

  #recordEvents(events: readonly ServerEvent[]): void {
    for (const {id, type} of events) {
      const name = `${this.session.context.queueId()} ${id}`;
      if (this.#eventIds.has(name)) this.repeated.push(`${name} ${type}`);
      this.#eventIds.add(name);
    }
  }

  #log(line: string): void {
    this.logged.push(line);
    this.#onLog();
  }

  /** Returns the state of the client for a timeout message. */
  #report(): string {
    const {connection, outbox, timelines, messages} = this.state;
    const views = [...timelines.values()].map(({narrow, ids, loading, isStale, problem, undecidedIds: unjudged}) => ({
      narrow: JSON.stringify(narrow),
      ids: ids.size,
      loading,
      isStale,
      problem,
      unjudged: unjudged.size,
    }));
    const drafts = this.store.drafts.all();
    const parts = {
      connection,
      outbox,
      views,
      newest: messages.byId.lastKey(),
      pendingChanges: this.session.pendingChanges.pendingActions(),
      drafts,
    };
    return [JSON.stringify(parts, null, 1), ...this.logged.slice(-20)].join('\n');
  }
}
