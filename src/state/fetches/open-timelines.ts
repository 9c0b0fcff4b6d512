import {type Narrow, type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {GetMessagesArgs, TimelineAnchor, TimelineOpening} from './page-args.ts';

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
