import type {Secrets} from '#server/accounts/secrets.ts';
import type {Database} from '#server/db/database.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import type {EmittedEvent} from '#server/event-queues/emitted-event.ts';
import type {EventQueues} from '#server/event-queues/event-queues.ts';
import type {Downgrade} from '#server/levels/downgrade.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import type {Clock} from '#std/clock.ts';
import type {LruCache} from '#std/lru-cache.ts';
import type {DeferredMessageWork} from './deferred-message-work.ts';
import type {DerivedFactsCache} from './derived-facts-cache.ts';
import type {Renderer} from './renderer.ts';

/** What every part of one running server shares. */
export interface ServerContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly secrets: Secrets;
  readonly queues: EventQueues;
  readonly files: FileStore;
  /** Small derived facts kept in memory because every send needs them; see `memory.ts`. */
  readonly derivedFacts: DerivedFactsCache;
  readonly renderer: Renderer;
  readonly deferredWork: DeferredMessageWork;
  /** Who signed in lately, as of a version of the table of users; see `http/auth.ts`. */
  readonly callerCache: LruCache<string, {readonly version: number; readonly row: UserRow}>;
  /** Sends scheduled messages and reminders when they are due. */
  readonly scheduledDelivery: ScheduledDelivery;
  /** Told of every message once it has been sent. What they do must not fail: the sender would be told so. */
  readonly messageListeners: Set<(sent: SentMessage) => void>;
  readonly level: number;
  /** How a server of an older level would say it; undefined at the current level. */
  readonly downgrade: Downgrade | undefined;
  /** Where clients reach this server, without a trailing slash. */
  readonly url: string;
  /** The demo world lets anybody fetch anybody's key, so that one machine can play several people. */
  readonly demo: boolean;
  /** Runs writes outside a request (timers, bots): one transaction, events after the commit. */
  runAction<T>(body: (act: ActionContext) => T, owing?: boolean): T;
}

export interface ScheduledDelivery {
  /** Looks again at what is due next; call it after scheduled messages or reminders changed. */
  reschedule(): void;
  stop(): void;
}

export interface SentMessage {
  readonly row: MessageRow;
  readonly sender: UserRow;
  /** Everybody in the direct conversation; nobody when it went to a channel. */
  readonly members: readonly number[];
  /** Who is mentioned by name. */
  readonly mentioned: ReadonlySet<number>;
}

/** A unit of change: everything emitted leaves after the transaction committed, or not at all. */
export interface ActionContext {
  readonly world: ServerContext;
  readonly db: Database;
  /** UNIX seconds, the same throughout the act. */
  readonly now: number;
  emit(event: EmittedEvent): void;
  /** Runs after the commit and after the events left. */
  afterCommit(task: () => void): void;
}

/** One request of a signed-in user. */
export interface RequestContext extends ActionContext {
  readonly actor: UserRow;
  /** From the User-Agent; at most 30 characters. */
  readonly client: string;
}
