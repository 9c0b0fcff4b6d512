import {Readable, Writable} from 'node:stream';
import type {CliIo} from '#cli/io.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import {scratchDirectory} from './scratch-directory.ts';

export interface TestIo extends CliIo {
  /** The output so far. */
  out(): string;
  err(): string;
  /** Resolves once the text has appeared `times` times on standard output or standard error. */
  saw(text: string, times?: number): Promise<void>;
}

/** Creates the environment of a CLI verb: an empty home directory, captured output, and the given standard input. */
export function testIo(options: Partial<CliIo> & {readonly input?: string} = {}): TestIo {
  const {input, ...overrides} = options;
  const home = overrides.home ?? scratchDirectory();
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
    paths: pathsOf(overrides.env ?? {}, home),
    cwd: home,
    clock: systemClock,
    random: () => 0.5,
    ...overrides,
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
