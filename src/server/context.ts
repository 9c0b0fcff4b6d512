import type {Secrets} from '#server/accounts/secrets.ts';
import type {Database} from '#server/db/database.ts';
import type {IdSet, Ids, MessageRow, UserRow} from '#server/db/rows.ts';
import type {Emit, EventQueues} from '#server/event-queues/event-queues.ts';
import type {RegistrationLine} from '#server/event-queues/registration-line.ts';
import type {Mailer} from '#server/mail/mailer.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import type {Clock} from '#std/clock.ts';
import type {LruCache} from '#std/lru-cache.ts';
import type {DeferredMessageWork} from './deferred-message-work.ts';
import type {DerivedFactsCache} from './derived-facts-cache.ts';
import type {Downgrade} from './downgrade.ts';
import type {Renderer} from './renderer.ts';

/** The screen and the verbs over SSH, which a process of its own serves. */
export interface SshService {
  readonly host: string;
  readonly port: number;
  /** Of the host key. */
  readonly fingerprint: string;
  /** The number of the SSH process; undefined while it is started again. */
  readonly pid: number | undefined;
  /** Ends the connections of a key that was removed. */
  endKey(fingerprint: string): void;
  /** Ends the sessions of a person. Resolves when all have saved what they had, and ended. */
  endPerson(userId: number): Promise<void>;
  stop(): void;
}

/** The services and options that every part of one running server shares. */
export interface ServerContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly secrets: Secrets;
  /** See `hashPassword`. */
  readonly passwordCost: number;
  readonly queues: EventQueues;
  readonly files: FileStore;
  readonly limits: ServerLimits;
  /** Small facts derived from the database and cached in memory because every send needs them. */
  readonly derivedFacts: DerivedFactsCache;
  readonly renderer: Renderer;
  readonly deferredWork: DeferredMessageWork;
  /** Recently checked Authorization headers, each valid for one version of the users; see `http/auth.ts`. */
  readonly callerCache: LruCache<string, {readonly version: number; readonly row: UserRow}>;
  /** The running program; undefined if the organization is only opened, not served. */
  readonly program: {readonly version: string; readonly startedAt: number} | undefined;
  /** The users of keys that are valid for one connection over SSH, by key. */
  readonly connectionKeys: Map<string, number>;
  /** Undefined if SSH is not served. */
  ssh: SshService | undefined;
  /** Undefined if this server sends no e-mail. */
  readonly mail: Mailer | undefined;
  /** Sends scheduled messages and reminders when they are due. */
  readonly scheduledDelivery: ScheduledDelivery;
  /** Called with every message after it is sent. Listeners must not throw: the sender would get the error. */
  readonly messageListeners: Set<(sent: SentMessage) => void>;
  /** When SQLite first reported a damaged database, in milliseconds, and its words; undefined if it did not since the start. */
  readonly databaseDamage: {readonly at: number; readonly text: string} | undefined;
  readonly level: number;
  /** Rewrites responses, events and requests for an older feature level; undefined at the current level. */
  readonly downgrade: Downgrade | undefined;
  /** The URL at which clients reach this server, without a trailing slash. */
  readonly url: string;
  /** Whether any client may fetch any user's API key, so that one machine can act as several users. */
  readonly demo: boolean;
  /** Runs while a registration is being made: between its queue and snapshot, and its response. Only tests set it. */
  readonly duringRegistration: ((userId: number) => Promise<unknown>) | undefined;
  /** The user of the login in the browser, and whether it is the only way to log in. Only tests set it. */
  externalLogin: {readonly userId: number; readonly isOnly: boolean} | undefined;
  /** The time after which long work lets other requests run, in milliseconds. */
  readonly sliceMs: number;
  /** Resolves after requests that wait were served, in a turn of the event loop that no other long work has. */
  nextTurn(): Promise<void>;
  readonly registrations: RegistrationLine;
  /** Has another process write a data export; undefined if the organization has no files. */
  readonly writeExport: ExportWriter | undefined;
  /** Runs an action outside a request (timers, bots): one transaction, events after the commit. */
  runAction<T>(body: (act: ActionContext) => T): T;
}

/** Writes what is public, or also what people agreed to, and returns the archive. `remove` deletes it. */
export type ExportWriter = (scope: 'public' | 'consented') => Promise<{readonly archive: string; remove(): void}>;

/** What the options of the server limit. */
interface ServerLimits {
  readonly fileMib: number;
  /** Requests in a minute; null if they are not limited, undefined if none are served. */
  readonly rates: {readonly user: number; readonly address: number; readonly web: number} | null | undefined;
}

export interface ScheduledDelivery {
  /** Sets the timer for the next due item; call it after scheduled messages or reminders changed. */
  reschedule(): void;
  stop(): void;
}

export interface SentMessage {
  readonly row: MessageRow;
  readonly sender: UserRow;
  /** The ids of everyone in the direct conversation; empty for a channel message. */
  readonly members: Ids;
  /** The ids of users mentioned by name. */
  readonly mentioned: IdSet;
}

/**
 * The context of one action: a unit of change that runs in one database transaction. Every function that reads or
 * changes the server's data takes it as its first parameter, called `act`. Emitted events are delivered after the
 * transaction committed; when it fails, none is.
 */
export interface ActionContext {
  readonly server: ServerContext;
  readonly db: Database;
  /** UNIX seconds, the same throughout the action. */
  readonly now: number;
  readonly emit: Emit;
  /** Runs `task` after the commit and after the events are delivered. */
  afterCommit(task: () => void): void;
}

/** The parts of an action's context that code needs which only reads; most of it does not need the time. */
export type ServerAccess = Pick<ActionContext, 'server'>;
export type ReadContext = Pick<ActionContext, 'server' | 'now'>;

/** The context of the action that one request of a signed-in user performs. */
export interface RequestContext extends ActionContext {
  readonly actor: UserRow;
  /** The client's name from the User-Agent header; at most 30 characters. */
  readonly client: string;
}
