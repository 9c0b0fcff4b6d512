import {type CliIo, writeControls} from '#cli/io.ts';

const intervalMs = 200;

/** Returns a function that shows a text on one line of standard error; nothing if that is no terminal. `''` erases it. */
export function progressLine({stderr, clock}: Pick<CliIo, 'stderr' | 'clock'>): (text: string) => void {
  if (!('isTTY' in stderr && stderr.isTTY === true)) return () => {};
  let shownAt = Number.NEGATIVE_INFINITY;
  return (text) => {
    const now = clock.monotonic();
    if (text !== '' && now - shownAt < intervalMs) return;
    shownAt = now;
    writeControls(stderr, `\r\x1b[K${text}`);
  };
}

/** Returns a line of a report: a number, and what it counts. */
export function countLine(count: number, what: string): string {
  return `${String(count).padStart(9)}  ${what}`;
}
