import {writeSync} from 'node:fs';

/** A terminal that has not read for this long will not miss what is left. */
const patienceMs = 300;
const stepMs = 5;

/**
 * Writes before anything else happens, for the moments in which nothing may happen afterwards. The terminal may be slow
 * (then it is tried again for a moment) or gone (then there is nobody to tell).
 */
export function writeNow(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  for (let waited = 0; at < bytes.length && waited < patienceMs; ) {
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

/** Nothing of the program runs meanwhile; there is no other way to wait inside a signal's last breath. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
