import type {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import {defaultEvictionLimits, type EvictionLimits, messageBytes, planEviction} from '#state/messages/plan-eviction.ts';
import type {Message} from '#state/model/message.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {SortedMap} from '#std/sorted-map.ts';

/** Evicts again only when this much was loaded since the last time. */
const slack = 1.2;

/** Keeps the number of loaded messages bounded. Those that it evicts are on disk, where events keep them current. */
export class MessageEvictor {
  readonly #context: SessionContext;
  readonly #timelines: TimelineFetcher;
  readonly #limits: EvictionLimits;
  readonly #pins = new Set<() => Iterable<number>>();
  /** What was kept the last time, if that was more than the limits. */
  #kept = {messages: 0, bytes: 0};

  constructor(context: SessionContext, timelines: TimelineFetcher, limits = defaultEvictionLimits) {
    this.#context = context;
    this.#timelines = timelines;
    this.#limits = limits;
  }

  /** Keeps the messages with these ids loaded until the returned function is called. */
  pin(ids: () => Iterable<number>): () => void {
    this.#pins.add(ids);
    return () => this.#pins.delete(ids);
  }

  /** Evicts what nothing needs, if too much is loaded. `saved` are the messages whose versions are on disk. */
  evict(saved: SortedMap<number, Message>): void {
    const {cache} = this.#context;
    if (!this.#isTooMuch()) return;
    this.#timelines.beforeEviction();
    const event = planEviction(cache.base, {
      views: this.#timelines.viewCenters(),
      pinnedIds: this.#pinnedIds(),
      saved,
      limits: this.#limits,
    });
    if (event !== undefined) cache.apply(event);
    this.#kept = this.#loaded();
  }

  #isTooMuch(): boolean {
    const {messages, bytes} = this.#loaded();
    const {messages: maxMessages, bytes: maxBytes} = this.#limits;
    const isOver = (now: number, max: number, kept: number) => now > slack * Math.max(max, kept);
    return isOver(messages, maxMessages, this.#kept.messages) || isOver(bytes, maxBytes, this.#kept.bytes);
  }

  #loaded(): {messages: number; bytes: number} {
    const {byId} = this.#context.cache.base.messages;
    let bytes = 0;
    for (const message of byId.values()) bytes += messageBytes(message);
    return {messages: byId.size, bytes};
  }

  /** Returns the messages that pending changes, unsent messages, reminders and the screen refer to. */
  *#pinnedIds(): Iterable<number> {
    const {state, base} = this.#context.cache;
    const changedIds: number[] = [];
    state.messages.byId.changesSince(base.messages.byId, (id) => changedIds.push(id));
    yield* changedIds;
    for (const {messageId} of state.outbox) if (messageId !== undefined) yield messageId;
    for (const {reminderTargetMessageId} of state.reminders.values()) yield reminderTargetMessageId;
    for (const pin of this.#pins) yield* pin();
  }
}
