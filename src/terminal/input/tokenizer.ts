import {
  asciiKeys,
  boundLength,
  isInsideReply,
  maxHeldLength,
  readSequence,
  resolveIncomplete,
} from './escape-sequence.ts';
import type {InputEvent, PasteEvent} from './input-events.ts';

/**
 * Why bytes are held back. `escape`: the user may have pressed Esc, so it is decided soon. `sequence`: no user types
 * this; a slow connection may still bring its rest. `paste`: more text or the end mark is expected.
 */
type PendingInput = 'escape' | 'sequence' | 'paste';

const defaultMaxPasteBytes = 8 * 1024 * 1024;

/**
 * Turns the bytes of a terminal into events, however reads split them. It has no clock: the caller asks
 * `pending` and calls `flush` when nothing more arrives. Bytes of a sequence, even a broken or unknown one,
 * never become text.
 */
export class Tokenizer {
  readonly #maxPasteBytes: number;
  #held = '';
  #pending: 'escape' | 'sequence' | undefined;
  #paste: PasteBuffer | undefined;
  #events: InputEvent[] = [];

  constructor(options: {readonly maxPasteBytes?: number} = {}) {
    this.#maxPasteBytes = options.maxPasteBytes ?? defaultMaxPasteBytes;
  }

  /** Returns the events that these bytes complete, in order. */
  write(bytes: Uint8Array): readonly InputEvent[] {
    let at = 0;
    while (at < bytes.length) {
      if (this.#paste === undefined) {
        this.#addByte(bytes[at] ?? 0);
        at++;
        continue;
      }
      const end = this.#paste.append(bytes, at);
      if (end === undefined) break;
      this.#endPaste();
      at = end;
    }
    return this.#takeEvents();
  }

  pending(): PendingInput | undefined {
    return this.#paste === undefined ? this.#pending : 'paste';
  }

  /** The held bytes of an incomplete sequence, one character per byte. */
  get held(): string {
    return this.#held;
  }

  /** Returns the keys that the held bytes are when nothing follows; no events when they are part of a sequence. */
  flush(): readonly InputEvent[] {
    if (this.#paste !== undefined) this.#endPaste();
    while (this.#held !== '') {
      const isSequence = this.#pending === 'sequence';
      const rest = this.#resolveHeld();
      if (!isSequence) this.#addBytes(rest);
    }
    return this.#takeEvents();
  }

  #takeEvents(): readonly InputEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #addByte(byte: number): void {
    const key = this.#held === '' && byte !== 0x1b ? asciiKeys[byte] : undefined;
    if (key !== undefined) {
      this.#events.push({kind: 'key', key});
      return;
    }
    if (byte >= 0x20 && byte !== 0x7f && this.#pending === 'sequence' && isInsideReply(this.#held)) {
      if (this.#held.length < maxHeldLength) this.#held += String.fromCharCode(byte);
      return;
    }
    const held = boundLength(this.#held + String.fromCharCode(byte));
    const reading = readSequence(held);
    if (reading.state === 'open') this.#hold(held, reading.pending);
    else if (reading.state === 'broken') this.#addBytes(this.#resolveHeld() + String.fromCharCode(byte));
    else {
      this.#hold('', undefined);
      this.#events.push(...reading.events);
      if (reading.isPasteStart) this.#paste = new PasteBuffer(this.#maxPasteBytes);
    }
  }

  /** Processes bytes again. Only while no paste is open: they contain none. */
  #addBytes(bytes: string): void {
    for (const byte of bytes) this.#addByte(byte.charCodeAt(0));
  }

  /** Resolves the held bytes and returns those to process again, which are fewer, so this terminates. */
  #resolveHeld(): string {
    const {events, rest} = resolveIncomplete(this.#held);
    this.#hold('', undefined);
    this.#events.push(...events);
    return rest;
  }

  #hold(held: string, pending: 'escape' | 'sequence' | undefined): void {
    this.#held = held;
    this.#pending = pending;
  }

  #endPaste(): void {
    if (this.#paste !== undefined) this.#events.push(this.#paste.event());
    this.#paste = undefined;
  }
}

const endMarker = Buffer.from('\u001b[201~', 'latin1');
const firstSize = 4096;

/** Collects a paste: the bytes up to the end marker, which may be split between reads, limited in size. */
class PasteBuffer {
  readonly #maxBytes: number;
  #bytes = new Uint8Array(firstSize);
  #length = 0;
  #isTruncated = false;
  /** The number of bytes of the end marker that the last bytes match. */
  #matched = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds bytes from `start` on. Returns where the paste ended, or undefined when it continues. */
  append(chunk: Uint8Array, start: number): number | undefined {
    let from = start;
    while (from < chunk.length) {
      if (this.#matched === 0) {
        const mark = chunk.indexOf(0x1b, from);
        this.#add(chunk.subarray(from, mark < 0 ? chunk.length : mark));
        if (mark < 0) return undefined;
        from = mark;
      }
      if (chunk[from] !== endMarker[this.#matched]) {
        // The marker has only one ESC, its first byte, so a partial match cannot contain another start.
        this.#add(endMarker.subarray(0, this.#matched));
        this.#matched = 0;
        continue;
      }
      this.#matched++;
      from++;
      if (this.#matched === endMarker.length) return from;
    }
    return undefined;
  }

  event(): PasteEvent {
    // With `stream` a character that the limit cut in two is left out instead of replaced.
    const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(this.#bytes.subarray(0, this.#length), {
      stream: this.#isTruncated,
    });
    return {kind: 'paste', text, ...(this.#isTruncated && {truncated: true})};
  }

  #add(part: Uint8Array): void {
    const fitting = part.subarray(0, this.#maxBytes - this.#length);
    if (fitting.length < part.length) this.#isTruncated = true;
    const length = this.#length + fitting.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(length, this.#bytes.length * 2)));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(fitting, this.#length);
    this.#length = length;
  }
}
