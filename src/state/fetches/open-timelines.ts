import {type Narrow, type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {GetMessagesArgs, TimelineAnchor, TimelineOpening} from './page-args.ts';

/** Timelines kept up to date beside those in use. */
const keptTimelines = 30;
/** Timelines on the screen at once, at most. */
const maxVisibleTimelines = 4;

export interface OpenTimeline extends TimelineOpening {
  readonly key: NarrowKey;
  readonly narrow: Narrow;
  /** Where it was last opened. */
  anchor: TimelineAnchor;
  /** What somebody looks at in it. */
  viewedMessageId: number | undefined;
  uses: number;
  /** The newest load of the whole; whoever waits for the timeline waits for this. */
  load: Promise<unknown>;
  /** What that asks for; undefined when it is done. */
  loading: GetMessagesArgs | undefined;
  /** What could not be had is not asked for again and again, only when something changed. */
  hasFailed: boolean;
  /** Somebody wants it, and the server cannot be asked yet. */
  isWaiting: boolean;
}

/** Which timelines are open, in the order of their last opening. */
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

  /** Those opened longest ago that are too many. What is in use, under way, or was just opened stays. */
  surplus(): readonly OpenTimeline[] {
    const closable = [...this].slice(0, -1).filter(({uses, loading}) => uses === 0 && loading === undefined);
    return closable.slice(0, Math.max(0, this.#entries.size - keptTimelines));
  }

  latestFirst(): readonly OpenTimeline[] {
    return [...this].reverse();
  }

  /** What somebody holds, or else what was opened last. */
  visible(): readonly OpenTimeline[] {
    const held = this.latestFirst().filter(({uses}) => uses > 0);
    return held.length > 0 ? held.slice(0, maxVisibleTimelines) : this.latestFirst().slice(0, 1);
  }
}
