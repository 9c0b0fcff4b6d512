import type {Clock} from '#std/clock.ts';
import {afterInputIdle} from './after-input-idle.ts';
import type {InputEvent} from './input-events.ts';
import {isDelayedRemainder} from './late-rest.ts';
import {PasteDetector, sameBurstMs} from './paste-detector.ts';
import {Tokenizer} from './tokenizer.ts';
import {WheelDetector} from './wheel-detector.ts';

/** The part of a terminal's input that is read here. Raw mode is for whoever owns the terminal to set. */
export interface KeyStream {
  on(event: 'data' | 'end' | 'error', listener: (value: unknown) => void): unknown;
  off(event: 'data' | 'end' | 'error', listener: (value: unknown) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface KeySourceParts {
  readonly stdin: KeyStream;
  readonly clock: Clock;
  /** How long an ESC waits for what may follow it: longer on a line that may divide a sequence. */
  readonly escapeTimeoutMs: number;
}

export type EventsListener = (events: readonly InputEvent[]) => void;

/** How long an ESC waits at least where the Esc key does not send it. */
const kittyEscapeMs = 150;
/** How long what nobody types waits for its rest: as long as the worst multiplexer holds back. */
const sequenceMs = 500;
/** A paste that stalls so long is taken for ended: its end mark is lost, and keys must work again. */
const pasteMs = 5000;
/** How late the rest of a sequence may be after its ESC was taken for a key. */
const lateMs = 1000;
/** A `[` so soon after such an ESC is more likely the next byte of an arrow than a key, and waits as long for more. */
const bracketMs = 150;

const esc = '\u001b';

/** Bytes of the terminal → events for listeners: all that one read completes in one call, in order. */
export class KeySource {
  readonly #stdin: KeyStream;
  readonly #clock: Clock;
  readonly #escapeTimeoutMs: number;
  readonly #tokenizer = new Tokenizer();
  readonly #bursts = new PasteDetector();
  readonly #wheel = new WheelDetector();
  readonly #listeners = new Set<EventsListener>();
  readonly #endListeners = new Set<() => void>();
  #kittyFlags = 0;
  #isStarted = false;
  #isEnded = false;
  /** A beginning that was taken for a key, and when. */
  #late: {readonly beginning: string; readonly at: number} | undefined;
  /** Bytes that may be the rest of it. */
  #doubtful = '';
  #settling: {readonly held: string; readonly cancel: () => void} | undefined;
  #cancelRelease: (() => void) | undefined;

  constructor({stdin, clock, escapeTimeoutMs}: KeySourceParts) {
    this.#stdin = stdin;
    this.#clock = clock;
    this.#escapeTimeoutMs = escapeTimeoutMs;
    // Also while another program has the terminal: nobody else hears that it is gone.
    stdin.on('end', this.#end);
    stdin.on('error', this.#end);
  }

  /** The returned function ends it. */
  onEvents(listener: EventsListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called when the terminal is gone: there will be no more keys. */
  onEnd(listener: () => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#stdin.on('data', this.#read);
    this.#stdin.resume();
    this.#settleLater();
    this.#releaseLater();
  }

  /** Leaves the terminal to another program. What was not read stays in it; what was read in part is kept. */
  stop(): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#stdin.pause();
    this.#stdin.off('data', this.#read);
    this.#stopSettling();
    this.#cancelRelease?.();
  }

  /**
   * What the terminal says of kitty's keyboard protocol. With flag 1 the Esc key is a sequence of its own and is known at
   * once, so an ESC byte is nearly always the beginning of something, and may wait longer.
   */
  setKittyFlags(flags: number): void {
    this.#kittyFlags = flags;
  }

  readonly #read = (chunk: unknown): void => {
    const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
    const late = this.#late;
    this.#late = undefined;
    const isLate = late !== undefined && this.#clock.now() - late.at <= lateMs;
    if (isLate || this.#doubtful !== '') this.#readLate(late?.beginning ?? esc, late?.at ?? 0, bytes);
    else this.#deliver(this.#tokenizer.write(bytes));
    this.#settleLater();
  };

  readonly #end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.stop();
    this.#settle();
    this.#emit(this.#bursts.release());
    for (const listener of [...this.#endListeners]) listener();
  };

  /** A read after a beginning that was taken for a key: the rest of it, perhaps the rest of it, or something else. */
  #readLate(beginning: string, since: number, bytes: Uint8Array): void {
    const text = this.#doubtful + Buffer.from(bytes).toString('latin1');
    const isSoon = this.#doubtful !== '' || this.#clock.now() - since <= bracketMs;
    this.#doubtful = '';
    if (isDelayedRemainder(beginning, text)) this.#deliver(this.#tokenizer.write(latin1(beginning + text)));
    else if (isSoon && beginning === esc && /^\[[\d;]{0,9}$/.test(text)) this.#doubtful = text;
    else this.#deliver(this.#tokenizer.write(latin1(text)));
  }

  /** Sees to it that what is held back is told when nothing more comes. */
  #settleLater(): void {
    const held = this.#doubtful === '' ? this.#tokenizer.held : this.#doubtful;
    const pending = this.#doubtful === '' ? this.#tokenizer.pending() : 'bracket';
    // What a person may be typing does not wait longer because they go on.
    if (pending === 'escape' && this.#settling !== undefined && held.startsWith(this.#settling.held)) return;
    this.#stopSettling();
    if (!this.#isStarted || pending === undefined) return;
    const ms = {escape: this.#escapeMs, sequence: sequenceMs, paste: pasteMs, bracket: bracketMs}[pending];
    this.#settling = {held, cancel: afterInputIdle(this.#clock, ms, () => this.#settle())};
  }

  get #escapeMs(): number {
    const isKitty = (this.#kittyFlags & 1) !== 0;
    return isKitty ? Math.max(kittyEscapeMs, this.#escapeTimeoutMs) : this.#escapeTimeoutMs;
  }

  #settle(): void {
    this.#stopSettling();
    if (this.#doubtful !== '') {
      const bytes = latin1(this.#doubtful);
      this.#doubtful = '';
      this.#deliver(this.#tokenizer.write(bytes));
      return;
    }
    const [pending, held] = [this.#tokenizer.pending(), this.#tokenizer.held];
    const events = this.#tokenizer.flush();
    // Of two presses of Esc, only the second can be the beginning of something.
    const beginning = held === esc + esc ? esc : held;
    if (pending === 'escape') this.#late = {beginning, at: this.#clock.now()};
    this.#deliver(events);
  }

  #stopSettling(): void {
    this.#settling?.cancel();
    this.#settling = undefined;
  }

  #deliver(events: readonly InputEvent[]): void {
    const now = this.#clock.now();
    this.#emit(this.#bursts.detect(this.#wheel.detect(events, now), now));
    this.#releaseLater();
  }

  #releaseLater(): void {
    this.#cancelRelease?.();
    if (!this.#isStarted || !this.#bursts.isHolding) return;
    this.#cancelRelease = afterInputIdle(this.#clock, sameBurstMs, () => this.#emit(this.#bursts.release()));
  }

  #emit(events: readonly InputEvent[]): void {
    if (events.length === 0) return;
    for (const listener of [...this.#listeners]) listener(events);
  }
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
