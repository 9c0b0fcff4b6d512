import {conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow, type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {isEvicted} from '#state/timelines/timeline-changes.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type GetMessagesArgs = ArgsOf<Endpoints['getMessages']>;

/**
 * The point to open at: a message, a time (ISO date or date and time), or a named position that the server resolves.
 */
export type TimelineAnchor = 'firstUnread' | 'newest' | 'oldest' | number | {readonly date: string};

/** The anchor of an open timeline, the load in progress, and the message the user is looking at. */
export interface TimelineOpening {
  readonly anchor: TimelineAnchor;
  readonly loading: GetMessagesArgs | undefined;
  readonly viewedMessageId: number | undefined;
}

export const pageSize = 100;
/** The maximum number of messages fetched at once when a timeline is reloaded; the rest is loaded by paging. */
const maxRefetch = 1000;

export function firstPageArgs(anchor: TimelineAnchor, size = pageSize): GetMessagesArgs {
  const around = {num_before: size / 2, num_after: size / 2};
  if (anchor === 'firstUnread') return {anchor: 'first_unread', ...around};
  if (anchor === 'newest') return {anchor, num_before: size, num_after: 0};
  if (anchor === 'oldest') return {anchor, num_before: 0, num_after: size};
  if (typeof anchor === 'number') return {anchor, ...around};
  return {anchor: 'date', anchor_date: anchor.date, ...around};
}

/**
 * Returns the arguments to reload a timeline and a little beyond it; when it is too long, the part the user
 * is looking at, or else the newest part.
 */
export function refetchArgs(
  {anchor, loading, viewedMessageId}: TimelineOpening,
  before: Timeline | undefined,
): GetMessagesArgs {
  if (loading !== undefined) return loading;
  const first = before?.ids.first();
  if (before === undefined || first === undefined) return firstPageArgs(anchor);
  // The timeline may have gaps, so only the part the user is looking at is worth loading.
  if (before.isStale && !before.hasOldest && !before.hasNewest) return firstPageArgs(viewedMessageId ?? anchor);
  const size = before.ids.size + pageSize;
  if (size <= maxRefetch) {
    // One message before the first shows whether the first is the oldest.
    return before.hasOldest
      ? {anchor: 'oldest', num_before: 0, num_after: size}
      : {anchor: first, num_before: 1, num_after: size};
  }
  const half = {num_before: maxRefetch / 2, num_after: maxRefetch / 2};
  if (viewedMessageId !== undefined) return {anchor: viewedMessageId, ...half};
  return before.hasNewest
    ? {anchor: 'newest', num_before: maxRefetch, num_after: 0}
    : {anchor: before.ids.last() ?? first, ...half};
}

/** The number of messages that a refresh fetches. */
const refreshSize = 50;

/** Returns the arguments to refresh the end of a timeline or, when that is not loaded, what the user is looking at. */
export function refreshArgs({viewedMessageId}: TimelineOpening, {ids, hasNewest}: Timeline): GetMessagesArgs {
  const anchor = hasNewest ? undefined : (viewedMessageId ?? ids.last());
  return anchor === undefined
    ? {anchor: 'newest', num_before: refreshSize, num_after: 0}
    : {anchor, num_before: refreshSize / 2, num_after: refreshSize / 2};
}

/** Returns the arguments for a timeline that was opened offline: its anchor, unless that is loaded already. */
export function firstPageArgsUnlessLoaded({anchor}: TimelineOpening, timeline: Timeline): GetMessagesArgs | undefined {
  return hasAnchor(anchor, timeline) ? undefined : firstPageArgs(anchor);
}

function hasAnchor(anchor: TimelineOpening['anchor'], {ids, hasOldest, hasNewest}: Timeline): boolean {
  if (typeof anchor === 'number') return ids.has(anchor);
  if (anchor === 'newest') return hasNewest;
  if (anchor === 'oldest') return hasOldest;
  return anchor === 'firstUnread' && ids.size > 0;
}

export function adjacentPageArgs(
  {ids, hasOldest, hasNewest}: Timeline,
  joins: 'older' | 'newer',
  size = pageSize,
): GetMessagesArgs | undefined {
  if (joins === 'older' ? hasOldest : hasNewest) return undefined;
  const end = joins === 'older' ? ids.first() : ids.last();
  if (end === undefined) return undefined;
  return joins === 'older'
    ? {anchor: end, include_anchor: false, num_before: size, num_after: 0}
    : {anchor: end, include_anchor: false, num_before: 0, num_after: size};
}

/** Returns whether the loaded and evicted messages already include the requested anchor. */
export function isAnchorLoaded(state: AccountState, narrow: Narrow, anchor: TimelineAnchor): boolean {
  const timeline = state.timelines.get(narrowKey(narrow));
  if (timeline === undefined || timeline.isStale || timeline.problem !== undefined) return false;
  const {ids, evicted} = timeline;
  // Only loaded messages say when they were sent.
  if (typeof anchor === 'object') return timeline.hasOldest && timeline.hasNewest;
  const {hasOldest, hasNewest} = evicted ?? timeline;
  if (hasOldest && hasNewest) return true;
  if (typeof anchor === 'number') return ids.has(anchor) || isEvicted(timeline, anchor);
  if (anchor === 'newest') return hasNewest;
  if (anchor === 'oldest') return hasOldest;
  if (conversationOfNarrow(narrow) === undefined || !hasNewest) return false;
  const unreadId = firstUnreadOf(state, narrow);
  return ids.size > 0 && (unreadId === undefined || unreadId >= (evicted?.older.first() ?? ids.first() ?? 0));
}

/** Returns the oldest unread message of the conversation that a narrow shows. */
export function firstUnreadOf({unreads}: Pick<AccountState, 'unreads'>, narrow: Narrow): number | undefined {
  const conversation = conversationOfNarrow(narrow);
  return conversation && unreads.conversations.get(conversationKey(conversation))?.ids.first();
}

/** The number of unused timelines that stay open and up to date. */
const maxUnusedTimelines = 30;
/** The maximum number of timelines on screen at once. */
const maxVisibleTimelines = 4;

export interface OpenTimeline extends TimelineOpening {
  readonly key: NarrowKey;
  readonly narrow: Narrow;
  /** The anchor of the last opening. */
  anchor: TimelineAnchor;
  /** The message that the user is looking at. */
  viewedMessageId: number | undefined;
  uses: number;
  /** The most recent load of the whole timeline, which callers of `open` await. */
  load: Promise<unknown>;
  /** The arguments of that load; undefined when it is done. */
  loading: GetMessagesArgs | undefined;
  /** A failed load is not repeated until something changes. */
  hasFailed: boolean;
  /** A view needs the timeline, but the server cannot be asked yet. */
  isWaiting: boolean;
}

/** The open timelines in the order of their last opening. */
export class OpenTimelines implements Iterable<OpenTimeline> {
  readonly #entries = new Map<NarrowKey, OpenTimeline>();

  get(narrow: Narrow): OpenTimeline | undefined {
    return this.#entries.get(narrowKey(narrow));
  }

  has(entry: OpenTimeline): boolean {
    return this.#entries.get(entry.key) === entry;
  }

  [Symbol.iterator](): IterableIterator<OpenTimeline> {
    return this.#entries.values();
  }

  open(narrow: Narrow, anchor: TimelineAnchor): OpenTimeline {
    const entry = this.get(narrow) ?? {
      key: narrowKey(narrow),
      narrow,
      anchor,
      viewedMessageId: undefined,
      uses: 0,
      load: Promise.resolve(),
      loading: undefined,
      hasFailed: false,
      isWaiting: false,
    };
    entry.anchor = anchor;
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    return entry;
  }

  close(entry: OpenTimeline): void {
    this.#entries.delete(entry.key);
  }

  /** Returns the least recently opened timelines beyond the limit, except those in use, loading or just opened. */
  surplus(): readonly OpenTimeline[] {
    const closable = [...this].slice(0, -1).filter(({uses, loading}) => uses === 0 && loading === undefined);
    return closable.slice(0, Math.max(0, this.#entries.size - maxUnusedTimelines));
  }

  /** Returns all but the latest `count` timelines, except those that someone uses or waits for. */
  unusedBeyond(count: number): readonly OpenTimeline[] {
    return this.latestFirst()
      .slice(count)
      .filter(({uses, loading, isWaiting}) => uses === 0 && loading === undefined && !isWaiting);
  }

  latestFirst(): readonly OpenTimeline[] {
    return [...this].reverse();
  }

  /** Returns the timelines in use, or else the last one opened. */
  visible(): readonly OpenTimeline[] {
    const inUse = this.latestFirst().filter(({uses}) => uses > 0);
    return inUse.length > 0 ? inUse.slice(0, maxVisibleTimelines) : this.latestFirst().slice(0, 1);
  }
}

/** An open timeline, and the message around which it stays loaded. */
export interface EvictionView {
  readonly narrow: Narrow;
  readonly center: number;
  readonly isShown: boolean;
  /** Nothing of it is evicted: it is loading, for example. */
  readonly isKept: boolean;
}

/** The messages around the part of a timeline that is on screen, or was, or will be. */
export interface NearbyMessages {
  readonly narrow: Narrow;
  readonly isShown: boolean;
  readonly center: number;
  readonly ids: readonly number[];
}

/** Returns the message that the user is or was looking at in each timeline. */
export function viewCenters(state: AccountState, entries: readonly OpenTimeline[]): readonly EvictionView[] {
  return entries.flatMap((entry) => {
    const timeline = state.timelines.get(entry.key);
    if (timeline === undefined) return [];
    const isKept = entry.loading !== undefined || entry.isWaiting;
    return [{narrow: entry.narrow, center: viewCenter(state, entry, timeline), isShown: entry.uses > 0, isKept}];
  });
}

/** Returns the ids around the message that the user is or was looking at in each timeline. */
export function messagesNearViews(
  state: AccountState,
  entries: readonly OpenTimeline[],
  distance: number,
): readonly NearbyMessages[] {
  return entries.flatMap((entry) => {
    const timeline = state.timelines.get(entry.key);
    if (timeline === undefined) return [];
    const center = viewCenter(state, entry, timeline);
    const before = Iterator.from(timeline.ids.reversed(center)).take(distance);
    const after = Iterator.from(timeline.ids.from(center)).take(distance);
    return [{narrow: entry.narrow, isShown: entry.uses > 0, center, ids: [...new Set([...before, ...after])]}];
  });
}

/** Returns the message that the user looks at; before the first paint, where the view opens. */
function viewCenter(state: AccountState, {viewedMessageId, anchor, narrow}: OpenTimeline, {ids}: Timeline): number {
  if (viewedMessageId !== undefined) return viewedMessageId;
  if (typeof anchor === 'number') return anchor;
  if (anchor === 'oldest') return ids.first() ?? 0;
  const unreadId = anchor === 'firstUnread' ? firstUnreadOf(state, narrow) : undefined;
  return unreadId ?? ids.last() ?? 0;
}
