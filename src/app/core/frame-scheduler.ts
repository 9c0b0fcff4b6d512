import type {Clock} from '#std/clock.ts';
import type {Frame} from './frame.ts';

/** What the server tells is shown so often while it goes on telling, less often while somebody types. */
const paceMs = 66;
const typingPaceMs = 150;
/** So many pictures of it may come at once: a place that is opened, what is there already, what was fetched. */
const maxBurst = 3;
/** Somebody is typing for this long after a key. */
const typingMs = 1000;
/** So soon after a key the next one may come: its picture goes first. */
const keyQuietMs = 12;

export interface FrameSource {
  /** The frame to show after the last one, if there was one. */
  frame(last: Frame | undefined): Frame;
  /** The terminal has not taken the last picture yet. */
  isBlocked(): boolean;
  /** Calls back once it has. */
  whenDrained(task: () => void): void;
}

/**
 * The picture to be shown, and when. Whatever a key does is shown at once; what the server tells waits for its turn, so
 * that a flood of messages never stands before a key.
 */
export class FrameScheduler {
  readonly #source: FrameSource;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #current: Frame;
  #keyAt = Number.NEGATIVE_INFINITY;
  /** How many pictures that no key asked for may come now, as of then. */
  #credit = {count: maxBurst, at: 0};
  #cancel: (() => void) | undefined;
  #isWaiting = false;
  #isTouched = false;

  constructor(source: FrameSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#current = source.frame(undefined);
  }

  get paintedFrame(): Frame {
    return this.#current;
  }

  /** A key or a click has come since the last picture: the next one may build on what that did. */
  get hasInputSincePaint(): boolean {
    return this.#isTouched;
  }

  noteInput(): void {
    this.#isTouched = true;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Because of a key. */
  paintNow(): void {
    this.#keyAt = this.#clock.now();
    this.#show();
  }

  /** Because of something else. */
  paintSoon(): void {
    if (this.#cancel !== undefined || this.#isWaiting) return;
    this.#cancel = this.#clock.after(this.#delay(), () => {
      this.#cancel = undefined;
      this.#credit = {count: this.#creditNow() - 1, at: this.#clock.now()};
      this.#show();
    });
  }

  /** What somebody waits for has come: it does not wait for its turn as well. */
  paintResponse(): void {
    if (this.#isWaiting) return;
    this.#cancel?.();
    this.#cancel = this.#clock.after(Math.max(0, this.#keyAt + keyQuietMs - this.#clock.now()), () => {
      this.#cancel = undefined;
      this.#show();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#listeners.clear();
  }

  #delay(): number {
    const missing = Math.max(0, 1 - this.#creditNow());
    return Math.max(0, Math.ceil(missing * this.#pace()), this.#keyAt + keyQuietMs - this.#clock.now());
  }

  #creditNow(): number {
    const {count, at} = this.#credit;
    return Math.min(maxBurst, count + (this.#clock.now() - at) / this.#pace());
  }

  #pace(): number {
    return this.#clock.now() - this.#keyAt < typingMs ? typingPaceMs : paceMs;
  }

  #show(): void {
    if (this.#source.isBlocked()) {
      this.#wait();
      return;
    }
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isTouched = false;
    const next = this.#source.frame(this.#current);
    if (next === this.#current) return;
    this.#current = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /** A terminal that stands still gets one picture when it goes on, the newest. */
  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#source.whenDrained(() => {
      this.#isWaiting = false;
      this.#show();
    });
  }
}
