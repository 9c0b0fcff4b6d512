import type {KeyValueStore} from '#state/account-store.ts';
import {canBeUnread} from '#state/messages/event-conversations.ts';
import {type Conversation, directConversation, directKey} from '#state/model/conversation.ts';
import {
  channelNarrow,
  combinedFeedNarrow,
  conversationNarrow,
  everythingNarrow,
  type Narrow,
  narrowKey,
} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {guardBackgroundTask, type SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {parsedJson} from '#std/parse-json.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {isRefusal} from '#wire/failure.ts';
import {previousTopic, type WireMessage} from '#wire/objects/message.ts';
import {normalizedContent, normalizedTopicKey} from './normalize-text.ts';

/** Longer than a message event takes. */
const maxEventMs = 15_000;

/** Fetches the newest messages of the open views that show a conversation. Rejects when the server is away. */
export type RefreshViews = (conversation: Conversation) => Promise<void>;

/**
 * The outbox entries on disk and in the state.
 *
 * An entry leaves the disk as soon as the server is known to have the message. The state keeps it as `sent` until the
 * message itself is loaded, so that the screen shows it exactly once. In a channel without a subscription no event
 * brings the message, and its views are fetched.
 */
export class OutboxLedger {
  readonly #context: SessionContext;
  readonly #deliveries: DeliveryRecords;
  /** Entries that are off the disk but still shown. */
  #sent = new Map<string, OutboxEntry>();
  /** Entries that another process is sending, although their message has already arrived here. */
  #arrivedElsewhere = new Set<string>();
  #stored: readonly OutboxEntry[] = [];
  /** Messages up to this id have no events any more: the registration included them. */
  #registeredMaxId: number;
  #cancelTimer: (() => void) | undefined;
  readonly #refreshViews: RefreshViews;

  constructor(context: SessionContext, refreshViews: RefreshViews = async () => {}) {
    this.#context = context;
    this.#refreshViews = refreshViews;
    this.#deliveries = new DeliveryRecords(context.store.keyValues);
    this.#registeredMaxId = context.cache.state.maxMessageId;
  }

  /** Returns a message id that is at least as high as that of every delivered message known to any process. */
  newestKnownMessageId(): number {
    return Math.max(this.#context.cache.state.maxMessageId, this.#deliveries.newestMessageId());
  }

  deliveredMessageId(entryId: string): number | undefined {
    return this.#deliveries.messageIdOf(entryId);
  }

  /** Returns the message that this entry has become, if the server has it. */
  async findDelivered(entry: OutboxEntry): Promise<number | undefined> {
    const known = this.#deliveries.messageIdOf(entry.id);
    return known ?? findDelivered(this.#context, entry, (id) => this.#belongsToOtherEntry(id, entry.id));
  }

  /** Removes the unconfirmed entries whose message the server has. */
  async removeDelivered(): Promise<void> {
    for (const entry of this.#context.store.outbox.all()) {
      if (entry.status !== 'unconfirmed') continue;
      const messageId = await this.findDelivered(entry).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
      if (messageId !== undefined) this.markDelivered(entry, messageId);
    }
  }

  #belongsToOtherEntry(messageId: number, entryId: string): boolean {
    const owner = this.#deliveries.entryIdOf(messageId);
    return owner !== undefined && owner !== entryId;
  }

  /** Records that the server has the message, on disk first. */
  markDelivered(entry: OutboxEntry, messageId: number): void {
    // Its message was shown then, and may be deleted by now.
    const isKnown = this.#deliveries.messageIdOf(entry.id) !== undefined;
    this.#deliveries.add(messageId, entry.id);
    this.#context.store.outbox.remove(entry.id);
    if (!isKnown) this.#keepShowing(entry, messageId);
    this.publish();
  }

  /** Reloads the entries from disk and updates the state. */
  publish(): readonly OutboxEntry[] {
    const {store, cache} = this.#context;
    const before = this.#stored;
    this.#stored = store.outbox.all();
    const stored = new Map(this.#stored.map((entry) => [entry.id, entry]));
    for (const entry of before) {
      const messageId = stored.has(entry.id) ? undefined : this.#deliveries.messageIdOf(entry.id);
      if (messageId !== undefined && !this.#sent.has(entry.id)) this.#keepShowing(entry, messageId);
    }
    for (const id of this.#arrivedElsewhere)
      if (stored.get(id)?.status !== 'sending') this.#arrivedElsewhere.delete(id);
    const shown = this.#stored.filter(({id}) => !this.#arrivedElsewhere.has(id) && !this.#sent.has(id));
    const outbox = [...shown, ...this.#sent.values()].sort((a, b) => a.order - b.order);
    if (!deepEqual(outbox, cache.state.outbox)) cache.apply({type: 'outbox_changed', outbox});
    return this.#stored;
  }

  /** Call it in the same turn in which the events are applied. Returns whether one of our messages was among them. */
  onEvents(events: readonly ServerEvent[]): boolean {
    if (this.#stored.length === 0 && this.#sent.size === 0) return false;
    let hasChanged = false;
    for (const event of events) if (event.type === 'message') hasChanged = this.#onMessage(event) || hasChanged;
    if (hasChanged) this.publish();
    return hasChanged;
  }

  /** Drops entries whose messages will not arrive as events after a new registration. */
  onRegistered(): void {
    const {cache} = this.#context;
    this.#registeredMaxId = cache.state.maxMessageId;
    for (const [id, {messageId, conversation}] of this.#sent) {
      if (this.#isLoaded(messageId) || !this.#isAwaited(messageId, conversation)) this.#sent.delete(id);
    }
  }

  /** Removes entries from the screen whose message is loaded now. */
  dropLoadedEntries(): void {
    let hasChanged = false;
    for (const [id, {messageId}] of this.#sent) {
      if (this.#isLoaded(messageId)) hasChanged = this.#sent.delete(id) || hasChanged;
    }
    if (hasChanged) this.publish();
  }

  stop(): void {
    this.#cancelTimer?.();
  }

  #onMessage({message, local_message_id: localId}: EventOf<'message'>): boolean {
    const entry = this.#stored.find(({id}) => id === localId);
    if (entry !== undefined) {
      this.#deliveries.add(message.id, entry.id);
      this.#context.store.outbox.remove(entry.id);
      this.#stored = this.#stored.filter(({id}) => id !== entry.id);
      return true;
    }
    for (const [id, sent] of this.#sent) if (sent.messageId === message.id) return this.#sent.delete(id);
    if (localId !== undefined || message.sender_id !== this.#context.cache.state.self.userId) return false;
    const arrived = this.#stored.find(
      (other) =>
        other.status === 'sending' &&
        !this.#arrivedElsewhere.has(other.id) &&
        !this.#belongsToOtherEntry(message.id, other.id) &&
        isDeliveryOf(other, message, this.#context.cache.state),
    );
    if (arrived === undefined) return false;
    this.#arrivedElsewhere.add(arrived.id);
    return true;
  }

  #keepShowing(entry: OutboxEntry, messageId: number): void {
    if (this.#isLoaded(messageId) || !this.#isAwaited(messageId, entry.conversation)) return;
    if (this.#arrivedElsewhere.has(entry.id)) return;
    this.#sent.set(entry.id, {...entry, status: 'sent', messageId, problem: undefined});
    if (canBeUnread(this.#context.cache.state, entry.conversation)) this.#confirmLater();
    else void this.#confirm({...entry, messageId});
  }

  /** Confirms all sent entries after a while: later ones wait a little less, which saves a timer each. */
  #confirmLater(): void {
    this.#cancelTimer ??= this.#context.clock.after(maxEventMs, () => {
      this.#cancelTimer = undefined;
      for (const entry of this.#sent.values()) void this.#confirm(entry);
    });
  }

  /** Loads the message, and then drops the entry even if the message is not there: it was moved or deleted. */
  async #confirm({id, messageId, conversation}: OutboxEntry): Promise<void> {
    const {signal} = this.#context;
    try {
      await this.#refreshViews(conversation);
      // A request that was already running may have been answered before the message was sent.
      if (!this.#isLoaded(messageId)) await this.#refreshViews(conversation);
    } catch {
      if (!signal.aborted) this.#confirmLater();
      return;
    }
    if (signal.aborted || !this.#sent.delete(id)) return;
    guardBackgroundTask(this.#context, () => this.publish())();
  }

  #isLoaded(messageId: number | undefined): boolean {
    return messageId !== undefined && this.#context.cache.state.messages.byId.has(messageId);
  }

  /** Returns whether the message will arrive by itself: as an event, or with a reload of an open timeline. */
  #isAwaited(messageId: number | undefined, conversation: OutboxEntry['conversation']): boolean {
    const {state} = this.#context.cache;
    const {timelines} = state;
    if (messageId !== undefined && messageId > this.#registeredMaxId) return true;
    if (timelines.size === 0) return false;
    const views = [everythingNarrow, conversationNarrow(conversation)];
    if (conversation.kind === 'topic') views.push(channelNarrow(conversation.channelId));
    const sent = {id: messageId ?? 0, conversation, message: undefined};
    if (matchesNarrow(state, combinedFeedNarrow, sent) === true) views.push(combinedFeedNarrow);
    return views.some((narrow) => timelines.has(narrowKey(narrow)));
  }
}

const pageSize = 200;
/** No user sends more messages than this before the lookup runs. */
const maxPages = 10;

/**
 * Finds the message that an entry became, if the server has it: own message, newer than any known when the
 * request was sent, with the same text and conversation, and not the message of another entry.
 */
async function findDelivered(
  context: Pick<SessionContext, 'api' | 'cache' | 'signal'>,
  entry: OutboxEntry,
  isTaken: (messageId: number) => boolean,
): Promise<number | undefined> {
  const {api, cache, signal} = context;
  const narrow = ownMessagesNear(entry.conversation, cache.state.self.userId);
  let after = entry.afterMessageId ?? 0;
  for (let page = 0; page < maxPages; page++) {
    const response = await api.getMessages(
      {
        anchor: Math.max(after, 0),
        include_anchor: false,
        num_before: 0,
        num_after: pageSize,
        narrow: [...narrow],
        apply_markdown: false,
      },
      {signal},
    );
    const newer = response.messages.filter(({id}) => id > after);
    const delivered = newer.find((message) => !isTaken(message.id) && isDeliveryOf(entry, message, cache.state));
    if (delivered !== undefined) return delivered.id;
    const last = newer.at(-1);
    if (last === undefined || response.found_newest === true) return undefined;
    after = last.id;
  }
  return undefined;
}

/** Searches the whole channel: the message or its topic may have been moved since. */
function ownMessagesNear(conversation: Conversation, selfId: number): Narrow {
  const sender = {operator: 'sender', operand: selfId};
  if (conversation.kind === 'topic') return [{operator: 'channel', operand: conversation.channelId}, sender];
  const {userIds} = conversation;
  return [{operator: 'dm', operand: userIds.length === 0 ? [selfId] : [...userIds]}, sender];
}

/** Returns whether a message matches an entry, in its current version or an earlier one. */
function isDeliveryOf(entry: OutboxEntry, message: WireMessage, state: AccountState): boolean {
  if (message.sender_id !== state.self.userId) return false;
  if (message.id <= (entry.afterMessageId ?? 0)) return false;
  return isInConversation(entry.conversation, message, state) && hasSameContent(entry.content, message, state);
}

function hasSameContent(content: string, message: WireMessage, state: AccountState): boolean {
  const expected = normalizedContent(content, state);
  const versions = [message.content, ...(message.edit_history ?? []).map((edit) => edit.prev_content ?? '')];
  return versions.some((version) => normalizedContent(version, state) === expected);
}

function isInConversation(conversation: Conversation, message: WireMessage, state: AccountState): boolean {
  if (message.type === 'private') {
    if (conversation.kind !== 'direct') return false;
    const people = message.display_recipient.map(({id}) => id);
    return directKey(directConversation(people, state.self.userId).userIds) === directKey(conversation.userIds);
  }
  if (conversation.kind !== 'topic' || message.stream_id !== conversation.channelId) return false;
  const topics = [
    message.subject,
    ...(message.edit_history ?? []).map((edit) => previousTopic(edit) ?? message.subject),
  ];
  const expected = normalizedTopicKey(conversation.topic, state);
  return topics.some((topic) => normalizedTopicKey(topic, state) === expected);
}

const keyName = 'outbox.arrivals';
/** Entries finish one after another, so only the latest can be in doubt. */
const maxRecords = 100;

type DeliveryRecord = readonly [messageId: number, entryId: string];

/**
 * The message ids that the latest entries became, on disk and shared by all processes, so that the same text
 * sent twice is never mistaken for one message.
 */
export class DeliveryRecords {
  readonly #keyValues: KeyValueStore;

  constructor(keyValues: KeyValueStore) {
    this.#keyValues = keyValues;
  }

  add(messageId: number, entryId: string): void {
    const others = this.#all().filter(([, id]) => id !== entryId);
    const records = [...others, [messageId, entryId] satisfies DeliveryRecord].slice(-maxRecords);
    this.#keyValues.set(keyName, JSON.stringify(records));
  }

  newestMessageId(): number {
    return this.#all().reduce((newest, [messageId]) => Math.max(newest, messageId), -1);
  }

  messageIdOf(entryId: string): number | undefined {
    return this.#all().find(([, id]) => id === entryId)?.[0];
  }

  entryIdOf(messageId: number): string | undefined {
    return this.#all().find(([id]) => id === messageId)?.[1];
  }

  #all(): readonly DeliveryRecord[] {
    const list = parsedJson(this.#keyValues.get(keyName));
    return Array.isArray(list) ? list.filter(isDeliveryRecord) : [];
  }
}

function isDeliveryRecord(value: unknown): value is DeliveryRecord {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string';
}
