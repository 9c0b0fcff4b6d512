import {randomUUID} from 'node:crypto';
import {performance} from 'node:perf_hooks';
import {BackgroundTask, type Log} from '#server/background-task.ts';
import type {Clock} from '#std/clock.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {once} from '#std/once.ts';
import type {OutgoingBody, OutgoingType} from '#wire/events.ts';
import type {ClientCapabilities} from '#wire/register.ts';
import {PollPacer} from './poll-pacer.ts';

/** The choices of a registration that decide which events its queue gets, and in which form. */
export interface QueueOptions {
  readonly eventTypes: ReadonlySet<string> | undefined;
  /** The event types that a server of the simulated older level never sends, even to clients that want all. */
  readonly unknownTypes?: ReadonlySet<string> | undefined;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly allPublicChannels: boolean;
  readonly capabilities: Readonly<ClientCapabilities>;
  /** The narrow of the registration; filters message events only. */
  readonly accepts: ((message: NarrowedMessage) => boolean) | undefined;
  readonly idleTimeoutSeconds: number;
  readonly clientName: string;
}

/** The properties of a message that a registration's narrow can test. */
export interface NarrowedMessage {
  readonly channelName: string | undefined;
  readonly channelId: number | undefined;
  readonly topic: string;
  readonly senderEmail: string;
  readonly senderId: number;
  readonly flags: readonly string[];
  readonly isDirect: boolean;
}

interface QueuedEvent {
  readonly id: number;
  /** The event without its opening brace and id, so that one text serves every queue. */
  readonly tail: string;
}

/** The one request that may wait on a queue. */
interface WaitingPoll {
  /** Sends the response with the events as JSON array text. */
  respond(eventsJson: string): void;
  /** Ends the poll with an error. */
  refuse(error: Error): void;
}

/** The reason why a poll cannot be answered. */
type PollProblem = 'pruned' | 'unknown';

/** The events of one registration, in order, stored until the client acknowledges them. */
export class EventQueue {
  readonly id: string;
  readonly userId: number;
  readonly options: QueueOptions;
  lastSeenAt: number;
  #entries: QueuedEvent[] = [];
  /** Acknowledged events; stored only on servers with test hooks, which can redeliver them. */
  readonly #archive: QueuedEvent[] | undefined;
  /** Archived events that the next response repeats. */
  #redelivered: readonly QueuedEvent[] = [];
  #nextId = 0;
  #prunedUpTo = -1;
  #waiter: WaitingPoll | undefined;
  #flushing = false;
  #answeredAt = Number.NEGATIVE_INFINITY;
  readonly #pacer: PollPacer;

  constructor(
    id: string,
    userId: number,
    options: QueueOptions,
    {now, pacer, keepArchive}: {now: number; pacer: PollPacer; keepArchive: boolean},
  ) {
    this.id = id;
    this.userId = userId;
    this.options = options;
    this.lastSeenAt = now;
    this.#pacer = pacer;
    this.#archive = keepArchive ? [] : undefined;
  }

  get lastEventId(): number {
    return this.#nextId - 1;
  }

  /** The number of events that are not acknowledged yet. */
  get pendingCount(): number {
    return this.#entries.length;
  }

  /** Returns the types of the events that are not acknowledged yet. */
  pendingTypes(): ReadonlySet<string> {
    return new Set(this.#entries.map(({tail}): string => JSON.parse(`{${tail}`).type));
  }

  get isWaiting(): boolean {
    return this.#waiter !== undefined;
  }

  wants(type: string): boolean {
    const {eventTypes, unknownTypes} = this.options;
    return eventTypes === undefined ? unknownTypes?.has(type) !== true : eventTypes.has(type);
  }

  push(tail: string): void {
    this.#entries.push({id: this.#nextId++, tail});
    this.#scheduleResponse();
  }

  #scheduleResponse(): void {
    if (this.#waiter === undefined || this.#flushing) return;
    // Delayed, so that events that arrive together go out in one response.
    this.#flushing = true;
    this.#pacer.schedule(this.#answeredAt, () => {
      this.#flushing = false;
      this.#answeredAt = performance.now();
      this.close();
    });
  }

  /** Drops the events up to `lastEventId`; returns why that id is not valid, if it is not. */
  acknowledge(lastEventId: number): PollProblem | undefined {
    if (lastEventId < this.#prunedUpTo) return 'pruned';
    if (lastEventId > this.lastEventId) return 'unknown';
    let keepFrom = 0;
    for (const entry of this.#entries) {
      if (entry.id > lastEventId) break;
      keepFrom++;
    }
    const acknowledged = keepFrom > 0 ? this.#entries.splice(0, keepFrom) : [];
    this.#archive?.push(...acknowledged);
    this.#prunedUpTo = Math.max(this.#prunedUpTo, lastEventId);
    return undefined;
  }

  /** Sends the last `count` acknowledged events once more, ids and order unchanged, before anything newer. */
  redeliver(count: number): void {
    this.#redelivered = this.#archive?.slice(-count) ?? [];
    if (this.#redelivered.length > 0) this.#scheduleResponse();
  }

  hasEvents(): boolean {
    return this.#entries.length > 0 || this.#redelivered.length > 0;
  }

  eventsJson(): string {
    const sent = this.#redelivered.length === 0 ? this.#entries : [...this.#redelivered, ...this.#entries];
    this.#redelivered = [];
    return `[${sent.map(({id, tail}) => `{"id":${id},${tail}`).join(',')}]`;
  }

  /** Lets a poll wait for events. It replaces a waiting one, which is answered at once with the events so far. */
  wait(waiter: WaitingPoll): void {
    this.close();
    this.#waiter = waiter;
    if (this.hasEvents()) this.#scheduleResponse();
  }

  /**
   * Removes the waiting poll, whose client disconnected. Unacknowledged events are sent again on its next poll. A poll
   * that was answered or replaced no longer watches its connection.
   */
  stopWaiting(): void {
    this.#waiter = undefined;
  }

  /** Answers a waiting poll: with the events so far, or with an error. */
  close(error?: Error): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (error === undefined) waiter?.respond(this.eventsJson());
    else waiter?.refuse(error);
  }
}

/** Returns the JSON of an event without its opening brace, so that an id can be put in front. */
function eventTail(type: string, body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({type, ...body}).slice(1);
}

/** The fields of an event beside `id` and `type`. */
export type EventBody = Readonly<Record<string, unknown>>;

/**
 * One event and its recipients. Actions emit these; `runAction` delivers them after the commit.
 *
 * A body that depends on the recipient is a function of the recipient's queue. It should return the *same object* for
 * recipients who see the same thing: each distinct object is serialized once, which keeps a message to two hundred
 * users cheap.
 */
export interface EmittedEvent {
  readonly type: string;
  readonly to: 'everyone' | Iterable<number>;
  readonly body: BodyFor<EventBody>;
}

type BodyFor<B> = B | ((reader: EventQueue) => B | readonly B[] | undefined);

/** Emits an event; its body must be one that `wire/` describes for the type. */
export type Emit = <T extends OutgoingType>(type: T, to: EmittedEvent['to'], body: BodyFor<OutgoingBody<T>>) => void;

/** Returns a body with one shape for queues with a capability and another for those without; each is cached once. */
export function byCapability<B>(
  capability: keyof ClientCapabilities,
  body: (isSupported: boolean) => B | undefined,
): (reader: EventQueue) => B | undefined {
  const modern = once(() => body(true));
  const legacy = once(() => body(false));
  return (reader) => (reader.options.capabilities[capability] === true ? modern() : legacy());
}

/** Turns an event into the events that a server of the simulated level sends instead; see `testing/levels/`. */
type EventRewrite = (type: string, body: EventBody) => readonly {type: string; body: EventBody}[];

/** A queue with more unacknowledged events is deleted: registering again is cheaper than catching up. */
const maxPending = 10_000;
/** More queues than a user's clients need; a client that registers in a loop loses its own oldest. */
const maxQueuesPerUser = 100;
const sweepMs = 60_000;
const heartbeatSeconds = 45;
const heartbeatSpreadSeconds = 10;

/** All event queues of this server. They are in memory only: clients register again after a restart. */
export class EventQueues {
  readonly #clock: Clock;
  readonly #rewrite: EventRewrite | undefined;
  readonly #keepArchive: boolean;
  /** The events that were put into queues since the start. */
  deliveredCount = 0;
  readonly #byId = new Map<string, EventQueue>();
  readonly #byUser = new Map<number, Set<EventQueue>>();
  readonly #allPublicChannels = new Set<EventQueue>();
  readonly #log: Log;
  readonly #pacer: PollPacer;
  readonly #sweeping: BackgroundTask;

  constructor(
    clock: Clock,
    {
      rewrite,
      keepArchive = false,
      log = () => {},
    }: {rewrite?: EventRewrite | undefined; keepArchive?: boolean; log?: Log} = {},
  ) {
    this.#clock = clock;
    this.#keepArchive = keepArchive;
    this.#rewrite = rewrite;
    this.#log = log;
    this.#pacer = new PollPacer(() => this.#byId.size, log);
    this.#sweeping = new BackgroundTask({clock, log, name: 'Deleting unused event queues'}, () => {
      this.#sweep();
      return sweepMs;
    });
    this.#sweeping.schedule(sweepMs);
  }

  get size(): number {
    return this.#byId.size;
  }

  create(userId: number, options: QueueOptions): EventQueue {
    const queue = new EventQueue(randomUUID(), userId, options, {
      now: this.#clock.monotonic(),
      pacer: this.#pacer,
      keepArchive: this.#keepArchive,
    });
    this.#byId.set(queue.id, queue);
    const own = this.#byUser.get(userId) ?? new Set();
    if (own.size >= maxQueuesPerUser) this.#dropStalest(own);
    own.add(queue);
    if (options.allPublicChannels || options.accepts !== undefined) this.#allPublicChannels.add(queue);
    this.#byUser.set(userId, own);
    return queue;
  }

  /** Returns the queue if it belongs to this user; to others it does not exist. */
  find(id: string, userId: number): EventQueue | undefined {
    const queue = this.#byId.get(id);
    return queue?.userId === userId ? queue : undefined;
  }

  /** Deletes a queue. A waiting poll is answered. */
  delete(queue: EventQueue): void {
    this.#byId.delete(queue.id);
    this.#allPublicChannels.delete(queue);
    const own = this.#byUser.get(queue.userId);
    own?.delete(queue);
    if (own?.size === 0) this.#byUser.delete(queue.userId);
    queue.close();
  }

  /** Deletes every queue (of one user), as a restart would; returns how many. */
  expireAll(userId?: number): number {
    const expired = [...this.#byId.values()].filter((queue) => userId === undefined || queue.userId === userId);
    for (const queue of expired) this.delete(queue);
    return expired.length;
  }

  /** Answers the waiting polls of a user with an error. The queues stay. */
  refusePolls(userId: number, error: Error): void {
    for (const queue of this.#byUser.get(userId) ?? []) queue.close(error);
  }

  isConnected(userId: number): boolean {
    return this.#byUser.has(userId);
  }

  connectedUsers(): Iterable<number> {
    return this.#byUser.keys();
  }

  /**
   * Returns the queues that receive the messages of every public channel, which includes those with a narrow: few, and
   * every send needs them.
   */
  allPublicChannelQueues(): ReadonlySet<EventQueue> {
    return this.#allPublicChannels;
  }

  all(): Iterable<EventQueue> {
    return this.#byId.values();
  }

  deliver(events: readonly EmittedEvent[]): void {
    for (const event of events) this.#deliverOne(event);
  }

  /**
   * Returns the delay before a waiting poll gets a heartbeat; random, so that polls do not all end together. In whole
   * seconds: Node has one list of timers for each delay.
   */
  heartbeatDelay(random: () => number): number {
    return 1000 * (heartbeatSeconds + Math.floor(random() * heartbeatSpreadSeconds));
  }

  stop(): void {
    this.#sweeping.stop();
    this.#pacer.stop();
    for (const queue of this.#byId.values()) queue.close();
  }

  /** Deletes the queue that was polled the longest ago. */
  #dropStalest(own: ReadonlySet<EventQueue>): void {
    let stalest: EventQueue | undefined;
    for (const queue of own) {
      if (!queue.isWaiting && queue.lastSeenAt < (stalest?.lastSeenAt ?? Number.POSITIVE_INFINITY)) {
        stalest = queue;
      }
    }
    const [oldest] = own;
    const dropped = stalest ?? oldest;
    if (dropped !== undefined) this.delete(dropped);
  }

  #deliverOne(emitted: EmittedEvent): void {
    const tailsByBody = new Map<EventBody, readonly string[]>();
    const tails = (body: EventBody) =>
      getOrCreate(tailsByBody, body, () => {
        const sent = this.#rewrite?.(emitted.type, body) ?? [{type: emitted.type, body}];
        return sent.map((event) => eventTail(event.type, event.body));
      });
    for (const queue of this.#recipients(emitted.to)) {
      if (!queue.wants(emitted.type)) continue;
      try {
        const result = typeof emitted.body === 'function' ? emitted.body(queue) : emitted.body;
        if (result === undefined) continue;
        const bodies: readonly EventBody[] = isList(result) ? result : [result];
        for (const body of bodies) {
          for (const tail of tails(body)) {
            queue.push(tail);
            this.deliveredCount += 1;
          }
        }
      } catch (error) {
        // What the event tells is committed already. A client that missed it has to register again.
        this.#log(`An event of the type ${emitted.type} could not be delivered`, error);
        this.delete(queue);
      }
      if (queue.pendingCount > maxPending) this.delete(queue);
    }
  }

  *#recipients(to: EmittedEvent['to']): Iterable<EventQueue> {
    if (to === 'everyone') {
      yield* this.#byId.values();
      return;
    }
    if (to instanceof Set && to.size > this.#byUser.size) {
      for (const [userId, queues] of this.#byUser) if (to.has(userId)) yield* queues;
      return;
    }
    for (const userId of to) yield* this.#byUser.get(userId) ?? [];
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const queue of [...this.#byId.values()]) {
      const idleMs = now - queue.lastSeenAt;
      if (!queue.isWaiting && idleMs >= queue.options.idleTimeoutSeconds * 1000) this.delete(queue);
    }
  }
}

function isList(value: EventBody | readonly EventBody[]): value is readonly EventBody[] {
  return Array.isArray(value);
}
