import type {EvictionView} from '#state/fetches/open-timelines.ts';
import type {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import type {LocalEventOf} from '#state/local-events.ts';
import {isMentionFlag} from '#state/messages/event-conversations.ts';
import {loggedMessageIds} from '#state/messages/event-log.ts';
import type {Message, MessageFlag} from '#state/model/message.ts';
import {type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {IdWindow, Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {windowAround} from '#state/timelines/timeline-changes.ts';
import type {SortedMap} from '#std/sorted-map.ts';

interface EvictionInput {
  /** The latest first. */
  readonly views: readonly EvictionView[];
  /** Messages that something outside the state needs. */
  readonly pinnedIds: Iterable<number>;
  /** The messages whose versions are on disk: only these are evicted. */
  readonly saved: SortedMap<number, Message>;
  readonly limits: EvictionLimits;
}

export interface EvictionLimits {
  readonly messages: number;
  readonly bytes: number;
  /** How many messages before and after its center a view keeps: on screen, among the latest, and otherwise. */
  readonly reach: {readonly shown: number; readonly recent: number; readonly other: number};
}

export const defaultEvictionLimits: EvictionLimits = {
  messages: 2000,
  bytes: 4 * 1024 * 1024,
  reach: {shown: 300, recent: 50, other: 15},
};

const recentViews = 6;
/** Views keep a fraction of their messages where these are large. */
const scales = [1, 1 / 2, 1 / 4, 1 / 8];
/** The number of conversations that keep what lists show of them: the latest message and the last senders. */
const maxListed = 500;
/** The number of the user's own texts that can be recalled. */
const maxOwn = 100;
/** How many messages to visit in search of the last senders. */
const maxVisited = 40;
const maxSenders = 3;
/** What a message takes in memory besides its text, roughly. */
const bytesPerMessage = 700;

function messageBytes({content}: Message): number {
  return bytesPerMessage + content.length;
}

/** Returns the event that removes all messages from memory that no view, list or pin needs; undefined when there are none. */
function planEviction(
  state: AccountState,
  {views, pinnedIds, saved, limits}: EvictionInput,
): LocalEventOf<'messages_evicted'> | undefined {
  const needed = new Set([...pinnedIds, ...idsNeededByEvents(state)]);
  addListedIds(state, needed);
  addOwnIds(state, needed);
  for (const scale of scales) {
    const windows = windowsOf(state, views, limits.reach, scale);
    const kept = new Set(needed);
    for (const [key, timeline] of state.timelines) addIds(kept, timeline, windows.get(key)?.window);
    if (scale !== scales.at(-1) && bytesOf(state, kept) > limits.bytes) continue;
    const ids: number[] = [];
    for (const [id, message] of state.messages.byId) if (!kept.has(id) && saved.get(id) === message) ids.push(id);
    return ids.length === 0 ? undefined : {type: 'messages_evicted', windows: [...windows.values()], ids};
  }
  return undefined;
}

type Windows = ReadonlyMap<NarrowKey, LocalEventOf<'messages_evicted'>['windows'][number]>;

function windowsOf(
  {timelines}: AccountState,
  views: readonly EvictionView[],
  reaches: EvictionLimits['reach'],
  scale: number,
): Windows {
  const windows = new Map<NarrowKey, LocalEventOf<'messages_evicted'>['windows'][number]>();
  views.forEach(({narrow, center, isShown, isKept}, index) => {
    const timeline = timelines.get(narrowKey(narrow));
    if (timeline === undefined || isKept || !canBeTrimmed(timeline)) return;
    const reach = isShown ? reaches.shown : index < recentViews ? reaches.recent : reaches.other;
    const window = windowAround(timeline.ids.toArray(), center, Math.ceil(reach * scale));
    windows.set(narrowKey(narrow), {narrow, window});
  });
  return windows;
}

/** Returns false where the ends are about to change. */
export function canBeTrimmed({ids, loading, isStale, undecidedIds}: Timeline): boolean {
  return ids.size > 0 && loading === undefined && !isStale && undecidedIds.size === 0;
}

function addIds(kept: Set<number>, {ids}: Timeline, window: IdWindow | undefined): void {
  for (const id of ids) if (window === undefined || (id >= window[0] && id <= window[1])) kept.add(id);
}

/** Adds what lists show of the latest conversations, and of all with unread messages. */
function addListedIds({messages, unreads, self}: AccountState, kept: Set<number>): void {
  const latest = [...messages.byConversation.values()]
    .sort((a, b) => (b.last() ?? 0) - (a.last() ?? 0))
    .slice(0, maxListed);
  for (const ids of latest) {
    const senders = new Set<number>();
    let visited = 0;
    for (const id of ids.reversed()) {
      const sender = messages.byId.get(id)?.senderId ?? 0;
      visited += 1;
      // Whether the user took part counts, however long ago that was.
      const isListed = (visited <= maxVisited && senders.size < maxSenders) || sender === self.userId;
      if (!isListed || senders.has(sender)) continue;
      senders.add(sender);
      kept.add(id);
    }
  }
  for (const {ids} of unreads.conversations.values()) {
    kept.add(ids.first() ?? 0);
    kept.add(ids.last() ?? 0);
  }
}

/** Adds the user's latest messages. */
function addOwnIds({messages, self}: AccountState, kept: Set<number>): void {
  let count = 0;
  for (const [id, {senderId}] of messages.byId.entriesReversed()) {
    if (senderId === self.userId && count++ < maxOwn) kept.add(id);
  }
}

/**
 * Returns the messages that later events and responses refer to: those that responses in flight may lack, and unread ones
 * that count as mentions or not, depending on what is muted.
 */
export function idsNeededByEvents({messages, unreads, log}: AccountState): readonly number[] {
  const isCounted = (flag: MessageFlag) => flag === 'has_alert_word' || isMentionFlag(flag);
  const flagged = [...messages.byId.values()].filter(({id, flags}) => flags.some(isCounted) && unreads.byId.has(id));
  return [...loggedMessageIds(log), ...flagged.map(({id}) => id)];
}

function bytesOf({messages}: AccountState, ids: ReadonlySet<number>): number {
  let bytes = 0;
  for (const id of ids) {
    const message = messages.byId.get(id);
    if (message !== undefined) bytes += messageBytes(message);
  }
  return bytes;
}

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
