import {randomUUID} from 'node:crypto';
import type {Clock} from '#std/clock.ts';
import type {EmittedEvent, EventBody} from './emitted-event.ts';
import {EventQueue, eventTail, type QueueOptions} from './event-queue.ts';
import {PollPacer} from './poll-pacer.ts';

/** Turns an event into what a server of the simulated level sends in its place; see `levels/`. */
export type EventRewrite = (type: string, body: EventBody) => readonly {type: string; body: EventBody}[];

/** Somebody who has not looked for this long registers again: cheaper for both than catching up. */
const mostPending = 10_000;
/** More sessions than anybody has; a client that registers in a loop loses its own oldest. */
const mostPerUser = 100;
const sweepMs = 60_000;
const heartbeatMs = 45_000;
const heartbeatSpreadMs = 10_000;

/** All registrations of this server. In memory: clients register again after a restart. */
export class EventQueues {
  readonly #clock: Clock;
  readonly #rewrite: EventRewrite | undefined;
  readonly #keepArchive: boolean;
  readonly #byId = new Map<string, EventQueue>();
  readonly #byUser = new Map<number, Set<EventQueue>>();
  readonly #overhearing = new Set<EventQueue>();
  readonly #pace = new PollPacer();
  #stopSweep = () => {};

  constructor(clock: Clock, options: {rewrite?: EventRewrite | undefined; keepArchive?: boolean} = {}) {
    this.#clock = clock;
    this.#keepArchive = options.keepArchive ?? false;
    this.#rewrite = options.rewrite;
    this.#scheduleSweep();
  }

  get size(): number {
    return this.#byId.size;
  }

  create(userId: number, options: QueueOptions): EventQueue {
    const queue = new EventQueue(randomUUID(), userId, options, {
      now: this.#clock.now(),
      pace: this.#pace,
      keepArchive: this.#keepArchive,
    });
    this.#byId.set(queue.id, queue);
    const own = this.#byUser.get(userId) ?? new Set();
    if (own.size >= mostPerUser) this.#dropStalest(own);
    own.add(queue);
    if (options.allPublicChannels) this.#overhearing.add(queue);
    this.#byUser.set(userId, own);
    return queue;
  }

  /** A queue of this user; another's queue does not exist as far as they can tell. */
  find(id: string, userId: number): EventQueue | undefined {
    const queue = this.#byId.get(id);
    return queue?.userId === userId ? queue : undefined;
  }

  delete(queue: EventQueue): void {
    this.#byId.delete(queue.id);
    this.#overhearing.delete(queue);
    const own = this.#byUser.get(queue.userId);
    own?.delete(queue);
    if (own?.size === 0) this.#byUser.delete(queue.userId);
    queue.close();
  }

  /** Forgets every queue, as after a restart that lost them. */
  expireAll(userId?: number): number {
    const doomed = [...this.#byId.values()].filter(
      (queue) => userId === undefined || queue.userId === userId,
    );
    for (const queue of doomed) this.delete(queue);
    return doomed.length;
  }

  isConnected(userId: number): boolean {
    return this.#byUser.has(userId);
  }

  connectedUsers(): Iterable<number> {
    return this.#byUser.keys();
  }

  /** Those that asked for the messages of every public channel: few, and every send asks for them. */
  allPublicChannelQueues(): Iterable<EventQueue> {
    return this.#overhearing;
  }

  all(): Iterable<EventQueue> {
    return this.#byId.values();
  }

  deliver(emits: readonly EmittedEvent[]): void {
    for (const emit of emits) this.#deliverOne(emit);
  }

  /** The delay before a waiting poll gets a heartbeat; spread so that clients do not beat together. */
  heartbeatDelay(random: () => number): number {
    return heartbeatMs + Math.floor(random() * heartbeatSpreadMs);
  }

  stop(): void {
    this.#stopSweep();
    this.#pace.stop();
    for (const queue of this.#byId.values()) queue.close();
  }

  /** Of one user's queues, that which was polled the longest ago. */
  #dropStalest(own: ReadonlySet<EventQueue>): void {
    let stalest: EventQueue | undefined;
    for (const queue of own) {
      if (!queue.isWaiting && queue.lastSeenAt < (stalest?.lastSeenAt ?? Number.POSITIVE_INFINITY)) {
        stalest = queue;
      }
    }
    const [oldest] = own;
    const doomed = stalest ?? oldest;
    if (doomed !== undefined) this.delete(doomed);
  }

  #deliverOne(emit: EmittedEvent): void {
    const texts = new Map<EventBody, readonly string[]>();
    const tails = (body: EventBody): readonly string[] => {
      let known = texts.get(body);
      if (known === undefined) {
        const sent = this.#rewrite?.(emit.type, body) ?? [{type: emit.type, body}];
        known = sent.map((event) => eventTail(event.type, event.body));
        texts.set(body, known);
      }
      return known;
    };
    for (const queue of this.#readers(emit.to)) {
      if (!queue.wants(emit.type)) continue;
      const made = typeof emit.body === 'function' ? emit.body(queue) : emit.body;
      if (made === undefined) continue;
      const bodies: readonly EventBody[] = isList(made) ? made : [made];
      for (const body of bodies) for (const tail of tails(body)) queue.push(tail);
      if (queue.pendingCount > mostPending) this.delete(queue);
    }
  }

  *#readers(to: EmittedEvent['to']): Iterable<EventQueue> {
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

  #scheduleSweep(): void {
    this.#stopSweep = this.#clock.after(sweepMs, () => {
      this.#sweep();
      this.#scheduleSweep();
    });
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const queue of [...this.#byId.values()]) {
      const idleMs = now - queue.lastSeenAt;
      if (!queue.isWaiting && idleMs >= queue.options.idleTimeoutSeconds * 1000) this.delete(queue);
    }
  }
}

function isList(made: EventBody | readonly EventBody[]): made is readonly EventBody[] {
  return Array.isArray(made);
}
