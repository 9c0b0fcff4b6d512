import type {Secrets} from '#server/accounts/secrets.ts';
import type {Database} from '#server/db/database.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import type {Emit} from '#server/event-queues/emitted-event.ts';
import type {Queues} from '#server/event-queues/event-queues.ts';
import type {Downgrade} from '#server/levels/downgrade.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import type {Clock} from '#std/clock.ts';
import type {Lru} from '#std/lru-cache.ts';
import type {Arrivals} from './deferred-message-work.ts';
import type {Memory} from './derived-facts-cache.ts';
import type {Renderer} from './renderer.ts';

/** What every part of one running server shares. */
export interface World {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly secrets: Secrets;
  readonly queues: Queues;
  readonly files: FileStore;
  /** Small derived facts kept in memory because every send needs them; see `memory.ts`. */
  readonly memory: Memory;
  readonly rendering: Renderer;
  readonly arrivals: Arrivals;
  /** Who signed in lately, as of a version of the table of users; see `http/auth.ts`. */
  readonly callers: Lru<string, {readonly version: number; readonly row: UserRow}>;
  /** Sends scheduled messages and reminders when they are due. */
  readonly delivery: Delivery;
  /** Told of every message once it has been sent. What they do must not fail: the sender would be told so. */
  readonly listeners: Set<(sent: SentMessage) => void>;
  readonly level: number;
  /** How a server of an older level would say it; undefined at the current level. */
  readonly past: Downgrade | undefined;
  /** Where clients reach this server, without a trailing slash. */
  readonly url: string;
  /** The demo world lets anybody fetch anybody's key, so that one machine can play several people. */
  readonly demo: boolean;
  /** Runs writes outside a request (timers, bots): one transaction, events after the commit. */
  act<T>(body: (act: Act) => T, owing?: boolean): T;
}

export interface Delivery {
  /** Looks again at what is due next; call it after scheduled messages or reminders changed. */
  poke(): void;
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
export interface Act {
  readonly world: World;
  readonly db: Database;
  /** UNIX seconds, the same throughout the act. */
  readonly now: number;
  emit(event: Emit): void;
  /** Runs after the commit and after the events left. */
  afterwards(task: () => void): void;
}

/** One request of a signed-in user. */
export interface Call extends Act {
  readonly actor: UserRow;
  /** From the User-Agent; at most 30 characters. */
  readonly client: string;
}
