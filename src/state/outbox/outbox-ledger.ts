import {guardBackgroundTask} from '#state/guard-background-task.ts';
import {
  channelNarrow,
  combinedFeedNarrow,
  conversationNarrow,
  everythingNarrow,
  narrowKey,
} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {SessionContext} from '#state/session-context.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import type {MessageEvent} from '#wire/events/message.ts';
import type {ServerEvent} from '#wire/events.ts';
import {DeliveryRecords} from './delivery-records.ts';
import {isDeliveryOf} from './find-delivered.ts';

/** Longer than a message event takes; a message to a channel one does not subscribe to may have none. */
const longestWaitMs = 15_000;

/**
 * Which entries there are, on disk and on screen.
 *
 * An entry leaves the disk as soon as the server is known to have its message. The screen keeps showing it, as `sent`,
 * until the message itself is there: neither twice nor not at all.
 */
export class OutboxLedger {
  readonly #context: SessionContext;
  readonly #arrivals: DeliveryRecords;
  /** Off the disk, but still to be shown. */
  #sent = new Map<string, OutboxEntry>();
  /** Being sent by another program, while the message is here already. */
  #doubles = new Set<string>();
  #stored: readonly OutboxEntry[] = [];
  /** No events come for messages up to here: the registration knew them. */
  #registeredMax: number;
  #cancelTimer: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#arrivals = new DeliveryRecords(context.store.keyValues);
    this.#registeredMax = context.cache.state.maxMessageId;
  }

  /** Nothing the server has from us so far has a higher id, as far as any program here knows. */
  newestKnownMessageId(): number {
    return Math.max(this.#context.cache.state.maxMessageId, this.#arrivals.newestMessageId());
  }

  /** The message this entry is already known to have become. */
  deliveredMessageId(entryId: string): number | undefined {
    return this.#arrivals.messageIdOf(entryId);
  }

  isOtherEntrys(messageId: number, entryId: string): boolean {
    const owner = this.#arrivals.entryIdOf(messageId);
    return owner !== undefined && owner !== entryId;
  }

  /** The server has it. On disk before anything else is done. */
  markDelivered(entry: OutboxEntry, messageId: number): void {
    this.#arrivals.add(messageId, entry.id);
    this.#context.store.outbox.remove(entry.id);
    this.#keepShowing(entry, messageId);
    this.publish();
  }

  /** What the disk holds, and the screen with it. */
  publish(): readonly OutboxEntry[] {
    const {store, cache} = this.#context;
    const before = this.#stored;
    this.#stored = store.outbox.all();
    const stored = new Map(this.#stored.map((entry) => [entry.id, entry]));
    for (const entry of before) {
      const messageId = stored.has(entry.id) ? undefined : this.#arrivals.messageIdOf(entry.id);
      if (messageId !== undefined && !this.#sent.has(entry.id)) this.#keepShowing(entry, messageId);
    }
    for (const id of this.#doubles) if (stored.get(id)?.status !== 'sending') this.#doubles.delete(id);
    const shown = this.#stored.filter(({id}) => !this.#doubles.has(id) && !this.#sent.has(id));
    const outbox = [...shown, ...this.#sent.values()].sort((a, b) => a.order - b.order);
    if (!sameEntries(outbox, cache.state.outbox)) cache.apply({type: 'outbox_changed', outbox});
    return this.#stored;
  }

  /** To be called in the turn in which these events are applied. True when one of ours was among them. */
  onEvents(events: readonly ServerEvent[]): boolean {
    if (this.#stored.length === 0 && this.#sent.size === 0) return false;
    let hasChanged = false;
    for (const event of events) if (event.type === 'message') hasChanged = this.#hear(event) || hasChanged;
    if (hasChanged) this.publish();
    return hasChanged;
  }

  /** A new registration: what it knows will not come as an event. */
  onRegistered(): void {
    const {cache} = this.#context;
    this.#registeredMax = cache.state.maxMessageId;
    for (const [id, {messageId, conversation}] of this.#sent) {
      if (this.#isSeen(messageId) || !this.#isAwaited(messageId, conversation)) this.#sent.delete(id);
    }
  }

  /** Drops from the screen what is there as a message by now. */
  dropLoadedEntries(): void {
    let hasChanged = false;
    for (const [id, {messageId}] of this.#sent) {
      if (this.#isSeen(messageId)) hasChanged = this.#sent.delete(id) || hasChanged;
    }
    if (hasChanged) this.publish();
  }

  stop(): void {
    this.#cancelTimer?.();
  }

  #hear({message, local_message_id: localId}: MessageEvent): boolean {
    const entry = this.#stored.find(({id}) => id === localId);
    if (entry !== undefined) {
      this.#arrivals.add(message.id, entry.id);
      this.#context.store.outbox.remove(entry.id);
      this.#stored = this.#stored.filter(({id}) => id !== entry.id);
      return true;
    }
    for (const [id, sent] of this.#sent) if (sent.messageId === message.id) return this.#sent.delete(id);
    if (localId !== undefined || message.sender_id !== this.#context.cache.state.self.userId) return false;
    const double = this.#stored.find(
      (other) =>
        other.status === 'sending' &&
        !this.#doubles.has(other.id) &&
        !this.isOtherEntrys(message.id, other.id) &&
        isDeliveryOf(other, message, this.#context.cache.state),
    );
    if (double === undefined) return false;
    this.#doubles.add(double.id);
    return true;
  }

  #keepShowing(entry: OutboxEntry, messageId: number): void {
    if (this.#isSeen(messageId) || !this.#isAwaited(messageId, entry.conversation)) return;
    if (this.#doubles.has(entry.id)) return;
    this.#sent.set(entry.id, {...entry, status: 'sent', messageId, problem: undefined});
    this.#cancelTimer ??= this.#context.clock.after(
      longestWaitMs,
      guardBackgroundTask(this.#context, () => this.#forgetSent()),
    );
  }

  /** Those that came in the meantime wait a little shorter; none of them is worth a timer of its own. */
  #forgetSent(): void {
    this.#cancelTimer = undefined;
    this.#sent.clear();
    this.publish();
  }

  #isSeen(messageId: number | undefined): boolean {
    return messageId !== undefined && this.#context.cache.state.messages.byId.has(messageId);
  }

  /** Will it come by itself: as an event, or with the messages of a view that is open and fetched again? */
  #isAwaited(messageId: number | undefined, conversation: OutboxEntry['conversation']): boolean {
    const {state} = this.#context.cache;
    const {timelines} = state;
    if (messageId !== undefined && messageId > this.#registeredMax) return true;
    if (timelines.size === 0) return false;
    const views = [everythingNarrow, conversationNarrow(conversation)];
    if (conversation.kind === 'topic') views.push(channelNarrow(conversation.channelId));
    const sent = {id: messageId ?? 0, conversation, message: undefined};
    if (matchesNarrow(state, combinedFeedNarrow, sent) === true) views.push(combinedFeedNarrow);
    return views.some((narrow) => timelines.has(narrowKey(narrow)));
  }
}

function sameEntries(a: readonly OutboxEntry[], b: readonly OutboxEntry[]): boolean {
  return a.length === b.length && a.every((entry, index) => sameEntry(entry, b[index]));
}

function sameEntry(a: OutboxEntry, b: OutboxEntry | undefined): boolean {
  return (
    a.id === b?.id &&
    a.status === b.status &&
    a.content === b.content &&
    a.messageId === b.messageId &&
    a.problem === b.problem &&
    a.createdAt === b.createdAt
  );
}
