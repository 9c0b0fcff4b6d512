import type {ClientCapabilities} from '#wire/register.ts';
import type {PollPacer} from './poll-pacer.ts';

export interface QueueOptions {
  readonly eventTypes: ReadonlySet<string> | undefined;
  /** What a server of an older level never sends, even to those who want everything. */
  readonly unknownTypes?: ReadonlySet<string> | undefined;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  readonly allPublicChannels: boolean;
  readonly includeSubscribers: boolean;
  readonly capabilities: Readonly<ClientCapabilities>;
  /** Narrow of the registration: filters message events only. */
  readonly accepts: ((message: NarrowedMessage) => boolean) | undefined;
  readonly idleTimeoutSeconds: number;
  readonly clientName: string;
}

/** What a registration's narrow may look at. */
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
export interface WaitingPoll {
  /** Answers with the events as JSON array text. */
  respond(eventsJson: string): void;
}

/** Why a poll cannot be served. */
export type PollProblem = 'pruned' | 'unknown';

/** One registration's events, in order, until acknowledged. */
export class EventQueue {
  readonly id: string;
  readonly userId: number;
  readonly options: QueueOptions;
  lastSeenAt: number;
  #entries: QueuedEvent[] = [];
  /** Acknowledged events, kept only where tests may ask for them again. */
  readonly #archive: QueuedEvent[] | undefined;
  /** Archived events that go out once more with the next answer. */
  #again: readonly QueuedEvent[] = [];
  #nextId = 0;
  #prunedUpTo = -1;
  #waiter: WaitingPoll | undefined;
  #flushing = false;
  readonly #pace: PollPacer;

  constructor(
    id: string,
    userId: number,
    options: QueueOptions,
    {now, pace, keepArchive}: {now: number; pace: PollPacer; keepArchive: boolean},
  ) {
    this.id = id;
    this.userId = userId;
    this.options = options;
    this.lastSeenAt = now;
    this.#pace = pace;
    this.#archive = keepArchive ? [] : undefined;
  }

  get lastEventId(): number {
    return this.#nextId - 1;
  }

  /** How many events nobody has acknowledged yet. */
  get pendingCount(): number {
    return this.#entries.length;
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
    this.#answerSoon();
  }

  #answerSoon(): void {
    if (this.#waiter === undefined || this.#flushing) return;
    // Not at once: what arrives together leaves together.
    this.#flushing = true;
    this.#pace.schedule(() => {
      this.#flushing = false;
      this.#answerWaiter();
    });
  }

  acknowledge(lastEventId: number): PollProblem | undefined {
    if (lastEventId < this.#prunedUpTo) return 'pruned';
    if (lastEventId > this.lastEventId) return 'unknown';
    let keepFrom = 0;
    for (const entry of this.#entries) {
      if (entry.id > lastEventId) break;
      keepFrom++;
    }
    const gone = keepFrom > 0 ? this.#entries.splice(0, keepFrom) : [];
    this.#archive?.push(...gone);
    this.#prunedUpTo = Math.max(this.#prunedUpTo, lastEventId);
    return undefined;
  }

  /** Sends the last `count` acknowledged events once more, ids and order unchanged, before anything newer. */
  redeliver(count: number): void {
    this.#again = this.#archive?.slice(-count) ?? [];
    if (this.#again.length > 0) this.#answerSoon();
  }

  hasEvents(): boolean {
    return this.#entries.length > 0 || this.#again.length > 0;
  }

  eventsJson(): string {
    const sent = this.#again.length === 0 ? this.#entries : [...this.#again, ...this.#entries];
    this.#again = [];
    return `[${sent.map(({id, tail}) => `{"id":${id},${tail}`).join(',')}]`;
  }

  /** A second poller takes the place of the first, which is answered at once with what there is. */
  wait(waiter: WaitingPoll): void {
    this.#answerWaiter();
    this.#waiter = waiter;
    if (this.hasEvents()) this.#answerSoon();
  }

  /** The waiting client went away: nothing is lost, everything unacknowledged is sent again on its next poll. */
  stopWaiting(waiter: WaitingPoll): void {
    if (this.#waiter === waiter) this.#waiter = undefined;
  }

  close(): void {
    this.#answerWaiter();
  }

  #answerWaiter(): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.respond(this.eventsJson());
  }
}

/** `{"type":…,…}` without its opening brace. */
export function eventTail(type: string, body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({type, ...body}).slice(1);
}
