import {type CliIo, writeControls} from '#cli/io.ts';

const intervalMs = 200;

/** Returns a function that shows the progress on one line of standard error if that is a terminal, and else nothing. */
export function progressLine({stderr, clock}: Pick<CliIo, 'stderr' | 'clock'>, title: string): (done: number) => void {
  if (!('isTTY' in stderr && stderr.isTTY === true)) return () => {};
  let shownAt = Number.NEGATIVE_INFINITY;
  return (done) => {
    const now = clock.monotonic();
    if (done < 1 && now - shownAt < intervalMs) return;
    shownAt = now;
    // The line is erased when it is complete, so that only the result stays.
    writeControls(stderr, done < 1 ? `\r${title}: ${Math.floor(done * 100)} %` : '\r\x1b[K');
  };
}
