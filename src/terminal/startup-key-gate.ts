import type {Clock} from '#std/clock.ts';
import {afterInputIdle} from '#terminal/input/after-input-idle.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {esc} from './control-sequences.ts';

/** After this time the terminal is assumed not to reply, and the held events count as intended. */
const replyTimeoutMs = 500;

/**
 * A status query. Terminals reply in the order of output and typed keys, so every key before the reply was
 * typed earlier.
 */
const statusQuery = `${esc}[5n`;

interface StartupKeyGateParts {
  readonly clock: Clock;
  readonly write: (sequence: string) => void;
  /** Delivers events. Without `isSeen` they were sent before there was any content on the screen. */
  readonly deliver: (events: readonly InputEvent[], isSeen: boolean) => void;
}

/**
 * Separates events that were sent before the screen showed content from later ones. The time of painting is not enough:
 * keys wait in the terminal while the program starts or is busy, and on slow connections. So the terminal is queried
 * together with the first frame that has content, and everything before its reply was sent earlier.
 */
export class StartupKeyGate {
  readonly #parts: StartupKeyGateParts;
  readonly #seen = new WeakSet<object>();
  #shown: object | undefined;
  #queried: object | undefined;
  /** The events since the query. */
  #held: readonly InputEvent[] = [];
  /** Whether the terminal did not reply the last time; it is not waited for again until it does. */
  #isUnresponsive = false;
  #cancel = () => {};

  constructor(parts: StartupKeyGateParts) {
    this.#parts = parts;
  }

  /** Called when a picture of the app's first frame was shown together with the query. */
  onPicture(app: object): void {
    this.#queried = app;
    this.#waitForReply();
  }

  /** Called when the screen showed content of the app before the app itself: keys for it are intended. */
  noteSeen(app: object): void {
    this.#seen.add(app);
  }

  /** Called when a frame of an app is written, with or without content. */
  onPaint(app: object, hasContent: boolean): void {
    this.#shown = app;
    if (!hasContent || this.#queried !== undefined || this.#seen.has(app)) return;
    if (this.#isUnresponsive) {
      this.#seen.add(app);
      return;
    }
    this.#queried = app;
    this.#parts.write(statusQuery);
    this.#waitForReply();
  }

  #waitForReply(): void {
    this.#cancel = afterInputIdle(this.#parts.clock, replyTimeoutMs, () => {
      this.#isUnresponsive = true;
      this.#settle();
      this.#deliver(this.#takeHeld());
    });
  }

  handleEvents(events: readonly InputEvent[]): void {
    const at = events.findIndex(isStatusReply);
    if (at >= 0) this.#isUnresponsive = false;
    if (this.#queried === undefined) {
      this.#deliver(events);
      return;
    }
    this.#held = [...this.#held, ...(at < 0 ? events : events.slice(0, at))];
    if (at < 0) return;
    this.#deliver(this.#takeHeld());
    this.#settle();
    this.#deliver(events.slice(at + 1));
  }

  stop(): void {
    this.#cancel();
  }

  #settle(): void {
    this.#cancel();
    if (this.#queried !== undefined) this.#seen.add(this.#queried);
    this.#queried = undefined;
  }

  #takeHeld(): readonly InputEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #deliver(events: readonly InputEvent[]): void {
    const isSeen = this.#shown !== undefined && this.#seen.has(this.#shown);
    if (events.length > 0) this.#parts.deliver(events, isSeen);
  }
}

function isStatusReply(event: InputEvent): boolean {
  return event.kind === 'reply' && event.reply.type === 'status';
}
