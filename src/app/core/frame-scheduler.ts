import type {Clock} from '#std/clock.ts';
import type {Frame} from '#ui/core/frame.ts';

/** Shortest time between two paints caused by server events; longer while the user types, so that keys come first. */
const paintIntervalMs = 66;
const typingPaintIntervalMs = 150;
/**
 * Number of event-driven paints that may follow each other at once: a view that was just opened is painted
 * empty, then with its cached messages, then with the fetched ones.
 */
const maxBurst = 3;
/** The user counts as typing for this long after a key. */
const typingMs = 1000;
/** Pause after a key before an event is painted: the next key often follows this soon, and its paint comes first. */
const keyPauseMs = 12;

/** The frames to paint, and the state of the terminal that paints them. */
interface FrameSource {
  /** Returns the frame to paint after the last one. */
  frame(last: Frame | undefined): Frame;
  /** Returns how long after a key the changes since the painted frame wait; 0 for those that do not wait. */
  heldMs?(painted: Frame): number;
  /** Whether the terminal has not yet taken the previous paint. */
  isBlocked(): boolean;
  /** Runs the task once the terminal has taken the previous paint. */
  whenDrained(task: () => void): void;
}

/**
 * Decides when the next frame is painted. The effect of a key is painted at once; changes from the server are
 * rate-limited, so that a flood of messages never delays a key.
 */
export class FrameScheduler {
  readonly #source: FrameSource;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #current: Frame;
  #keyAt = Number.NEGATIVE_INFINITY;
  /** Number of event-driven paints that were allowed at the time `at`; grows with time up to `maxBurst`. */
  #budget = {count: maxBurst, at: 0};
  #cancel: (() => void) | undefined;
  /** Whether the next paint shows only changes that are held. */
  #isHeld = false;
  #isDraining = false;
  #hasInput = false;

  constructor(source: FrameSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#current = source.frame(undefined);
  }

  get paintedFrame(): Frame {
    return this.#current;
  }

  /**
   * Lets a key refer to an earlier frame until the next paint: the screen of another account shows that one, and the user has seen
   * nothing newer.
   */
  referTo(seen: Frame): void {
    this.#current = seen;
  }

  /** Whether a key or a click was handled since the last paint, so that the next key may refer to its effect. */
  get hasInputSincePaint(): boolean {
    return this.#hasInput;
  }

  /** When the effect of a key was last painted, by the monotonic clock. */
  get keyAt(): number {
    return this.#keyAt;
  }

  noteInput(): void {
    this.#hasInput = true;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Paints the effect of a key at once. */
  paintNow(): void {
    this.#keyAt = this.#clock.monotonic();
    this.#paint();
  }

  /** Paints now, and notifies the listeners even if nothing changed: from now on the frame is on the screen. */
  announce(): void {
    const before = this.#current;
    this.paintNow();
    if (this.#current === before) for (const listener of [...this.#listeners]) listener();
  }

  /** Paints a change that no key caused, rate-limited; what is held waits for the next key, or until its time has come. */
  paintSoon(): void {
    if ((this.#cancel !== undefined && !this.#isHeld) || this.#isDraining) return;
    const heldMs = this.#source.heldMs?.(this.#current) ?? 0;
    if (heldMs === Number.POSITIVE_INFINITY || (heldMs > 0 && this.#isHeld)) return;
    this.#cancel?.();
    this.#isHeld = heldMs > 0;
    const heldUntil = this.#keyAt + heldMs - this.#clock.monotonic();
    this.#cancel = this.#clock.after(Math.max(this.#delay(), heldUntil), () => {
      this.#cancel = undefined;
      this.#isHeld = false;
      this.#budget = {count: this.#budgetNow() - 1, at: this.#clock.monotonic()};
      this.#paint();
    });
  }

  /** Paints the response to a request that the user waits for, without the rate limit. */
  paintResponse(): void {
    if (this.#isDraining) return;
    this.#isHeld = false;
    this.#cancel?.();
    this.#cancel = this.#clock.after(Math.max(0, this.#keyAt + keyPauseMs - this.#clock.monotonic()), () => {
      this.#cancel = undefined;
      this.#paint();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#listeners.clear();
  }

  #delay(): number {
    const shortfall = Math.max(0, 1 - this.#budgetNow());
    return Math.max(0, Math.ceil(shortfall * this.#interval()), this.#keyAt + keyPauseMs - this.#clock.monotonic());
  }

  #budgetNow(): number {
    const {count, at} = this.#budget;
    return Math.min(maxBurst, count + (this.#clock.monotonic() - at) / this.#interval());
  }

  #interval(): number {
    return this.#clock.monotonic() - this.#keyAt < typingMs ? typingPaintIntervalMs : paintIntervalMs;
  }

  #paint(): void {
    if (this.#source.isBlocked()) {
      this.#paintWhenDrained();
      return;
    }
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isHeld = false;
    this.#hasInput = false;
    const next = this.#source.frame(this.#current);
    if (next === this.#current) return;
    this.#current = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Waits until the terminal takes output again, then paints once: the newest frame. */
  #paintWhenDrained(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#source.whenDrained(() => {
      this.#isDraining = false;
      this.#paint();
    });
  }
}
