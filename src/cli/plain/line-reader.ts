import {createInterface, type Interface} from 'node:readline';
import type {Readable} from 'node:stream';

/** Reads lines from a terminal, pipe or file. */
export class LineReader {
  readonly #reader: Interface;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isEnded = false;

  constructor(stdin: Readable) {
    this.#reader = createInterface({input: stdin, terminal: false});
    this.#reader.on('line', (line) => this.#addLine(line));
    this.#reader.on('close', () => {
      this.#isEnded = true;
      this.#waiting?.(undefined);
    });
  }

  /** Returns the next line, or undefined at the end of the input. */
  next(): Promise<string | undefined> {
    const ready = this.#lines.shift();
    if (ready !== undefined || this.#isEnded) return Promise.resolve(ready);
    const {promise, resolve} = Promise.withResolvers<string | undefined>();
    this.#waiting = (line) => {
      this.#waiting = undefined;
      resolve(line);
    };
    return promise;
  }

  close(): void {
    this.#reader.close();
  }

  #addLine(line: string): void {
    if (this.#waiting === undefined) this.#lines.push(line);
    else this.#waiting(line);
  }
}
