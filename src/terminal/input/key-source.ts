import type {Clock} from '#std/clock.ts';
import {afterInputIdle} from './after-input-idle.ts';
import {delayedRemainder, type LateStart, lateStartOf} from './escape-sequence.ts';
import type {InputEvent} from './input-events.ts';
import {PasteDetector, sameBurstMs} from './paste-detector.ts';
import {Tokenizer} from './tokenizer.ts';

/** The part of a terminal's input stream that is used here. The owner of the terminal sets raw mode. */
interface KeyStream {
  on(event: 'data' | 'end' | 'error', listener: (value: unknown) => void): unknown;
  off(event: 'data' | 'end' | 'error', listener: (value: unknown) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

interface KeySourceParts {
  readonly stdin: KeyStream;
  readonly clock: Clock;
  /** How long an ESC waits for more bytes: longer on a connection that may split a sequence. */
  readonly escapeTimeoutMs: number;
}

type EventsListener = (events: readonly InputEvent[]) => void;

/**
 * How long an incomplete sequence that no user types waits for its rest: as long as the slowest multiplexer delays it.
 */
const sequenceMs = 500;
/** After this pause a paste counts as ended: its end mark was lost, and keys must work again. */
const pasteMs = 5000;
/** How late the rest of a sequence may be after its start was given up. Strings are replies, which slow networks delay. */
const lateMs: Readonly<Record<LateStart, number>> = {key: 1000, sequence: 1000, string: 5000};
/**
 * How long bytes that may be part of such a rest wait for more; then they are keys, so that a rest that never ends costs no
 * typed text. A `[` after ESC is more likely part of an arrow than a key only this soon after it.
 */
const doubtfulMs: Readonly<Record<LateStart, number>> = {key: 150, sequence: 500, string: 2000};

/** The start of a sequence that did not become whole in time, and when it was given up. */
interface GivenUpStart {
  readonly beginning: string;
  readonly kind: LateStart;
  readonly at: number;
}

const esc = '\u001b';

/**
 * Turns the bytes of the terminal into events. All events that one read completes are delivered in one call, in order.
 */
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
  #isUtf8 = true;
  #hasBracketedPaste = false;
  #isStarted = false;
  #isEnded = false;
  #late: GivenUpStart | undefined;
  /** Bytes that may be the rest of it. */
  #doubtful = '';
  #settleTimer: {readonly held: string; readonly cancel: () => void} | undefined;
  #cancelRelease: (() => void) | undefined;

  constructor({stdin, clock, escapeTimeoutMs}: KeySourceParts) {
    this.#stdin = stdin;
    this.#clock = clock;
    this.#escapeTimeoutMs = escapeTimeoutMs;
    // Also while another program has the terminal: only this listener notices that the terminal was closed.
    stdin.on('end', this.#end);
    stdin.on('error', this.#end);
  }

  /** Adds a listener. The returned function removes it. */
  onEvents(listener: EventsListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a listener that is called when the terminal was closed and no more keys can come. */
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

  /** Leaves the terminal to another program. Unread bytes stay in it; an incomplete sequence is remembered. */
  stop(): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#stdin.pause();
    this.#stdin.off('data', this.#read);
    this.#stopSettling();
    this.#cancelRelease?.();
  }

  /**
   * Sets the flags of the kitty keyboard protocol. With flag 1 the Esc key sends its own sequence, so a
   * bare ESC byte is the start of another and waits like one.
   */
  setKittyFlags(flags: number): void {
    this.#kittyFlags = flags;
  }

  /** Sets whether the terminal sends UTF-8; otherwise each byte is a character of ISO 8859-1. */
  setUtf8(isUtf8: boolean): void {
    this.#isUtf8 = isUtf8;
  }

  /** Sets whether the terminal puts brackets around pastes; then keys without brackets are typed, however fast they arrive. */
  setBracketedPaste(isOn: boolean): void {
    this.#hasBracketedPaste = isOn;
  }

  readonly #read = (chunk: unknown): void => {
    const bytes = this.#inUtf8(chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));
    const late = this.#late;
    const isLate =
      late !== undefined && (this.#doubtful !== '' || this.#clock.monotonic() - late.at <= lateMs[late.kind]);
    if (!isLate) this.#late = undefined;
    if (isLate && this.#tokenizer.pending() === undefined) this.#readLate(late, bytes);
    else this.#deliver(this.#tokenizer.write(bytes));
    this.#settleLater();
  };

  #inUtf8(bytes: Uint8Array): Uint8Array {
    return this.#isUtf8 ? bytes : Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8');
  }

  readonly #end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.stop();
    this.#settle();
    this.#emit(this.#bursts.release());
    for (const listener of [...this.#endListeners]) listener();
  };

  /** Handles a read after the start of a sequence was given up: its rest, perhaps its rest, or other input. */
  #readLate({beginning, kind, at}: GivenUpStart, bytes: Uint8Array): void {
    const text = this.#doubtful + Buffer.from(bytes).toString('latin1');
    const isSoon = this.#doubtful !== '' || kind !== 'key' || this.#clock.monotonic() - at <= doubtfulMs.key;
    const remainder = delayedRemainder(beginning, text);
    this.#doubtful = remainder === 'part' && isSoon ? text : '';
    if (this.#doubtful !== '') return;
    // A reply may still come after keys that were typed meanwhile.
    if (remainder === 'whole' || kind !== 'string') this.#late = undefined;
    this.#deliver(this.#tokenizer.write(latin1(remainder === 'whole' ? beginning + text : text)));
  }

  /** Starts a timer that delivers the held bytes when nothing more arrives. */
  #settleLater(): void {
    const held = this.#doubtful === '' ? this.#tokenizer.held : this.#doubtful;
    const pending = this.#doubtful === '' ? this.#tokenizer.pending() : 'doubtful';
    // Typed keys must not wait longer because more are typed.
    if (pending === 'escape' && this.#settleTimer !== undefined && held.startsWith(this.#settleTimer.held)) return;
    this.#stopSettling();
    if (!this.#isStarted || pending === undefined) return;
    const doubtful = doubtfulMs[this.#late?.kind ?? 'key'];
    const ms = {escape: this.#escapeMs, sequence: sequenceMs, paste: pasteMs, doubtful}[pending];
    this.#settleTimer = {held, cancel: afterInputIdle(this.#clock, ms, () => this.#settle())};
  }

  get #escapeMs(): number {
    return (this.#kittyFlags & 1) === 0 ? this.#escapeTimeoutMs : sequenceMs;
  }

  #settle(): void {
    this.#stopSettling();
    if (this.#doubtful !== '') {
      const bytes = latin1(this.#doubtful);
      this.#doubtful = '';
      this.#late = undefined;
      this.#deliver(this.#tokenizer.write(bytes));
      return;
    }
    const pending = this.#tokenizer.pending();
    const held = this.#tokenizer.held;
    const events = this.#tokenizer.flush();
    // Of two presses of Esc, only the second can be the start of a sequence.
    const beginning = held === esc + esc ? esc : held;
    if (pending === 'escape' || pending === 'sequence') {
      this.#late = {beginning, kind: lateStartOf(beginning), at: this.#clock.monotonic()};
    }
    this.#deliver(events);
  }

  #stopSettling(): void {
    this.#settleTimer?.cancel();
    this.#settleTimer = undefined;
  }

  #deliver(events: readonly InputEvent[]): void {
    const now = this.#clock.monotonic();
    const keys = this.#wheel.detect(events, now);
    this.#emit(this.#hasBracketedPaste ? [...this.#bursts.release(), ...keys] : this.#bursts.detect(keys, now));
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

/** A turn of the wheel is at least this many arrows at once. */
const minArrows = 3;

/** Marks arrow keys that come from a turned wheel. Left and Right are always keys, because no wheel sends them. */
class WheelDetector {
  #name: string | undefined;
  #count = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  detect(events: readonly InputEvent[], now: number): readonly InputEvent[] {
    if (now - this.#lastAt > sameBurstMs) this.#count = 0;
    this.#lastAt = now;
    const names = events.map(arrowName);
    if (names.every((name) => name === undefined)) {
      if (events.length > 0) this.#count = 0;
      return events;
    }
    const lengths = runLengths(names.map((name) => this.#countArrow(name)));
    return events.map((event, index) =>
      event.kind === 'key' && (lengths[index] ?? 0) >= minArrows ? {...event, isWheel: true} : event,
    );
  }

  #countArrow(name: string | undefined): number {
    const previous = name === this.#name ? this.#count : 0;
    this.#name = name;
    this.#count = name === undefined ? 0 : previous + 1;
    return this.#count;
  }
}

/** Returns the length of the run that each position belongs to: counts rise by one within a run and are 0 outside. */
function runLengths(counts: readonly number[]): number[] {
  const lengths = [...counts];
  for (let at = lengths.length - 2; at >= 0; at--) {
    const [count = 0, next = 0] = [counts[at], counts[at + 1]];
    if (count > 0 && next === count + 1) lengths[at] = lengths[at + 1] ?? count;
  }
  return lengths;
}

function arrowName(event: InputEvent): string | undefined {
  if (event.kind !== 'key') return undefined;
  const {name, ctrl, alt, shift} = event.key;
  return (name === 'Up' || name === 'Down') && !ctrl && !alt && !shift ? name : undefined;
}
