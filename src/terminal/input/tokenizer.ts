import {
  asciiKeys,
  boundLength,
  isInsideReply,
  longestHeld,
  readSequence,
  resolveIncomplete,
} from './escape-sequence.ts';
import type {InputEvent} from './input-events.ts';
import {PasteBuffer} from './paste-buffer.ts';

/**
 * What is held back for the rest of it. `escape`: what a person may have pressed, so it is settled soon. `sequence`:
 * nobody types this; a slow line may still bring the rest. `paste`: more text, or the mark that ends it.
 */
export type PendingInput = 'escape' | 'sequence' | 'paste';

const mostPaste = 8 * 1024 * 1024;

/**
 * Bytes of a terminal → events, wherever reads divide them. Knows no time: whoever feeds it asks `pending` and calls
 * `flush` when no more came. Bytes of a sequence, whole or broken, known or not, never become text.
 */
export class Tokenizer {
  readonly #mostPaste: number;
  #held = '';
  #pending: 'escape' | 'sequence' | undefined;
  #paste: PasteBuffer | undefined;
  #events: InputEvent[] = [];

  constructor(options: {readonly mostPasteBytes?: number} = {}) {
    this.#mostPaste = options.mostPasteBytes ?? mostPaste;
  }

  /** The events that these bytes complete, in order. */
  write(bytes: Uint8Array): readonly InputEvent[] {
    let at = 0;
    while (at < bytes.length) {
      if (this.#paste === undefined) {
        this.#take(bytes[at] ?? 0);
        at++;
        continue;
      }
      const end = this.#paste.append(bytes, at);
      if (end === undefined) break;
      this.#endPaste();
      at = end;
    }
    return this.#taken();
  }

  pending(): PendingInput | undefined {
    return this.#paste === undefined ? this.#pending : 'paste';
  }

  /** What is held back of a sequence, one character per byte. */
  get held(): string {
    return this.#held;
  }

  /** No more came: the keys that what is held back was, or nothing when it was the beginning of a sequence. */
  flush(): readonly InputEvent[] {
    if (this.#paste !== undefined) this.#endPaste();
    while (this.#held !== '') {
      const isSequence = this.#pending === 'sequence';
      const rest = this.#giveUp();
      if (!isSequence) this.#takeAll(rest);
    }
    return this.#taken();
  }

  #taken(): readonly InputEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #take(byte: number): void {
    const key = this.#held === '' && byte !== 0x1b ? asciiKeys[byte] : undefined;
    if (key !== undefined) {
      this.#events.push({kind: 'key', key});
      return;
    }
    if (byte >= 0x20 && byte !== 0x7f && this.#pending === 'sequence' && isInsideReply(this.#held)) {
      if (this.#held.length < longestHeld) this.#held += String.fromCharCode(byte);
      return;
    }
    const held = boundLength(this.#held + String.fromCharCode(byte));
    const reading = readSequence(held);
    if (reading.state === 'open') this.#hold(held, reading.pending);
    else if (reading.state === 'broken') this.#takeAll(this.#giveUp() + String.fromCharCode(byte));
    else {
      this.#hold('', undefined);
      this.#events.push(...reading.events);
      if (reading.isPasteStart) this.#paste = new PasteBuffer(this.#mostPaste);
    }
  }

  /** Only while no paste is open: what is taken again holds none. */
  #takeAll(bytes: string): void {
    for (const byte of bytes) this.#take(byte.charCodeAt(0));
  }

  /** Gives what is to be read anew. It is shorter than what was held, so this comes to an end. */
  #giveUp(): string {
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
