import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {stockBundle} from '#test/support/stock-bundle.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import {cacheDirectory} from './cache.ts';
import {type Latency, latencyOf} from './latency.ts';
import type {MeasuredAction} from './measured-program.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Measures `cat` in the same pty: the kernel echoes the key, so this is the cost of a key without a program. */
export async function echoBaseline(size: Size, rounds: number): Promise<Latency> {
  const terminal = Terminal.open('cat', [], {size});
  try {
    return await latencyOf(terminal, echo, rounds);
  } finally {
    await terminal.close();
  }
}

const echo: MeasuredAction = {
  name: 'echo',
  enter: async () => {},
  keys: (round) => [letters[round % letters.length] ?? 'a'],
  watched: (terminal) => String(terminal.bytes.received),
  leave: async () => {},
};

/** Returns the time that an empty Node program takes. */
export function bareNodeBaseline(): number {
  const start = performance.now();
  execFileSync(process.execPath, ['-e', '']);
  return performance.now() - start;
}

interface HelloFiles {
  /** With unbundled packages. */
  readonly plain: string;
  /** Bundled like Parley, with stock Ink. */
  readonly bundled: string;
}

/** A hello-world program with Ink, in two forms. */
export async function inkHello(): Promise<HelloFiles> {
  const plain = 'test/bench/ui/ink-hello.ts';
  return {plain, bundled: await stockBundle(plain, join(cacheDirectory(), 'ink-hello.mjs'))};
}
