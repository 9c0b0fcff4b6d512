import {Readable, Writable} from 'node:stream';
import type {CliIo} from '#cli/io.ts';
import {systemClock} from '#std/clock.ts';
import {scratchDirectory} from './scratch-directory.ts';

export interface TestIo extends CliIo {
  /** What was written so far. */
  out(): string;
  err(): string;
  /** Resolves once the text is on standard output or on standard error, so many times. */
  saw(text: string, times?: number): Promise<void>;
}

/** A verb's surroundings: an empty home of its own, captured output, the given text on standard input. */
export function testIo(options: Partial<CliIo> & {readonly input?: string} = {}): TestIo {
  const {input, ...given} = options;
  const home = given.home ?? scratchDirectory();
  const [stdout, stderr] = [new Captured(), new Captured()];
  return {
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout,
    stderr,
    inputIsTty: false,
    outputIsTty: false,
    columns: undefined,
    env: {},
    home,
    cwd: home,
    clock: systemClock,
    random: () => 0.5,
    ...given,
    out: () => stdout.text,
    err: () => stderr.text,
    saw: (text, times = 1) => Promise.race([stdout.saw(text, times), stderr.saw(text, times)]),
  };
}

class Captured extends Writable {
  text = '';

  constructor() {
    super({decodeStrings: false});
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
    this.emit('more');
  }

  saw(text: string, times: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.text.split(text).length <= times) return;
        this.off('more', look);
        resolve();
      };
      this.on('more', look);
      look();
    });
  }
}
