import type {PasteEvent} from './input-events.ts';

const end = Buffer.from('\u001b[201~', 'latin1');
const firstSize = 4096;

/** A paste on its way in: bytes up to the end marker, wherever reads divide it, and no more of them than the bound. */
export class PasteBuffer {
  readonly #most: number;
  #bytes = new Uint8Array(firstSize);
  #length = 0;
  #isTruncated = false;
  /** How much of the end marker the last bytes are. */
  #matched = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes bytes from `start` on; where the paste ended, or undefined when it goes on. */
  append(chunk: Uint8Array, start: number): number | undefined {
    let from = start;
    while (from < chunk.length) {
      if (this.#matched === 0) {
        const mark = chunk.indexOf(0x1b, from);
        this.#keep(chunk.subarray(from, mark < 0 ? chunk.length : mark));
        if (mark < 0) return undefined;
        from = mark;
      }
      if (chunk[from] !== end[this.#matched]) {
        // The marker has one ESC, its first byte: what matched so far cannot hold another beginning.
        this.#keep(end.subarray(0, this.#matched));
        this.#matched = 0;
        continue;
      }
      this.#matched++;
      from++;
      if (this.#matched === end.length) return from;
    }
    return undefined;
  }

  event(): PasteEvent {
    // With `stream` a character that was cut in two at the bound is left out instead of replaced.
    const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(this.#bytes.subarray(0, this.#length), {
      stream: this.#isTruncated,
    });
    return {kind: 'paste', text, ...(this.#isTruncated && {truncated: true})};
  }

  #keep(part: Uint8Array): void {
    const fitting = part.subarray(0, this.#most - this.#length);
    if (fitting.length < part.length) this.#isTruncated = true;
    const length = this.#length + fitting.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.#most, Math.max(length, this.#bytes.length * 2)));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(fitting, this.#length);
    this.#length = length;
  }
}
