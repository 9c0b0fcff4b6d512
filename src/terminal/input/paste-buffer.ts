import type {PasteEvent} from './input-events.ts';

const endMarker = Buffer.from('\u001b[201~', 'latin1');
const firstSize = 4096;

/** Collects a paste: the bytes up to the end marker, which may be split between reads, limited in size. */
export class PasteBuffer {
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
