import {createInterface, type Interface} from 'node:readline';
import type {Readable} from 'node:stream';

/** Lines, one after the other, from a keyboard or a file. */
export class LineReader {
  readonly #reader: Interface;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isEnded = false;

  constructor(stdin: Readable) {
    this.#reader = createInterface({input: stdin, terminal: false});
    this.#reader.on('line', (line) => this.#take(line));
    this.#reader.on('close', () => {
      this.#isEnded = true;
      this.#waiting?.(undefined);
    });
  }

  /** Undefined at the end. */
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

  #take(line: string): void {
    if (this.#waiting === undefined) this.#lines.push(line);
    else this.#waiting(line);
  }
}
