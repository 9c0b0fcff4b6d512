import type {Clock} from '#std/clock.ts';
import {afterInputIdle} from '#terminal/input/after-input-idle.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {esc} from './control-sequences.ts';

/** A terminal that has not answered by then does not answer: what came meanwhile is taken for meant. */
const patienceMs = 500;

/** Terminals answer in the order of what they are sent and of what is typed: every key before the answer came first. */
const question = `${esc}[5n`;

export interface StartupKeyGateParts {
  readonly clock: Clock;
  readonly write: (sequence: string) => void;
  /** Without `isSeen`, whoever sent these had nothing in front of their eyes that they could be about. */
  readonly deliver: (events: readonly InputEvent[], isSeen: boolean) => void;
}

/**
 * Tells what was sent before there was anything to see from what can be about something. When a picture was painted says
 * too little: keys wait in the terminal while the program starts or is busy, and on long lines. So the terminal is asked
 * with the first picture that has something in it, and what comes until it answers was sent before.
 */
export class StartupKeyGate {
  readonly #parts: StartupKeyGateParts;
  readonly #seen = new WeakSet<object>();
  #shown: object | undefined;
  #asked: object | undefined;
  /** What came since it was asked. */
  #held: readonly InputEvent[] = [];
  /** It did not answer the last time: nobody waits for it again, until it does. */
  #isMute = false;
  #cancel = () => {};

  constructor(parts: StartupKeyGateParts) {
    this.#parts = parts;
  }

  /** A picture of this is being written, with something in it or still without. */
  onPaint(thing: object, hasContent: boolean): void {
    this.#shown = thing;
    if (!hasContent || this.#asked !== undefined || this.#seen.has(thing)) return;
    if (this.#isMute) {
      this.#seen.add(thing);
      return;
    }
    this.#asked = thing;
    this.#parts.write(question);
    this.#cancel = afterInputIdle(this.#parts.clock, patienceMs, () => {
      this.#isMute = true;
      this.#settle();
      this.#deliver(this.#released());
    });
  }

  handleEvents(events: readonly InputEvent[]): void {
    const at = events.findIndex(isAnswer);
    if (at >= 0) this.#isMute = false;
    if (this.#asked === undefined) {
      this.#deliver(events);
      return;
    }
    this.#held = [...this.#held, ...(at < 0 ? events : events.slice(0, at))];
    if (at < 0) return;
    this.#deliver(this.#released());
    this.#settle();
    this.#deliver(events.slice(at + 1));
  }

  stop(): void {
    this.#cancel();
  }

  #settle(): void {
    this.#cancel();
    if (this.#asked !== undefined) this.#seen.add(this.#asked);
    this.#asked = undefined;
  }

  #released(): readonly InputEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #deliver(events: readonly InputEvent[]): void {
    const isSeen = this.#shown !== undefined && this.#seen.has(this.#shown);
    if (events.length > 0) this.#parts.deliver(events, isSeen);
  }
}

function isAnswer(event: InputEvent): boolean {
  return event.kind === 'reply' && event.reply.type === 'status';
}
