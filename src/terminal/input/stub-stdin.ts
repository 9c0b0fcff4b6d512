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
 * What Ink is given for standard input: a terminal on which nobody types. Keys are read elsewhere, once; Ink may set raw
 * mode and listen as it likes, and neither reaches the real terminal or keeps the program running.
 */
export function stubStdin(): StubStdin {
  return new StubStdin();
}
