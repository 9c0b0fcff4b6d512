import {writeSync} from 'node:fs';

/** A terminal that has not read for this long is given up. */
const maxWaitMs = 300;
const stepMs = 5;

/**
 * Writes synchronously, for moments after which nothing else can run. If the terminal is slow it retries for
 * a moment; errors are ignored, because nothing could handle them.
 */
export function writeNow(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  for (let waited = 0; at < bytes.length && waited < maxWaitMs; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (!isBusy(error)) return;
      sleep(stepMs);
      waited += stepMs;
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR');
}

/** Blocks the whole program, because a signal handler at the end of the process cannot wait in another way. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
