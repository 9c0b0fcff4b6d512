import {Readable} from 'node:stream';

class StubStdin extends Readable {
  readonly isTTY = true;
  isRaw = false;

  override _read(): void {}

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * Returns a standard input for Ink that never has input. KeySource reads the keys; Ink may set raw mode and
 * listen, which neither reaches the real terminal nor keeps the program running.
 */
export function stubStdin(): StubStdin {
  return new StubStdin();
}
