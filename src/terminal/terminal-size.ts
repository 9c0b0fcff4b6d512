import type {Clock} from '#std/clock.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Sized {
  readonly columns?: number;
  readonly rows?: number;
}

interface Resizing extends Sized {
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** A terminal that does not know its size has the one that everything fits. */
const usual: Size = {columns: 80, rows: 24};

export function sizeOf({columns, rows}: Sized): Size {
  return {columns: columns || usual.columns, rows: rows || usual.rows};
}

/** A window that is dragged tells its size at every step; drawing all of them is what flickers. */
const quietMs = 30;

/** Whoever hears SIGWINCH: Node keeps a signal to itself when the size is back where it was. */
export interface SignalHost {
  on(signal: 'SIGWINCH', listener: () => void): unknown;
  off(signal: 'SIGWINCH', listener: () => void): unknown;
}

/**
 * Tells the size when it has stopped changing; also when it is what it was, for what was shown need not have survived the
 * way there.
 */
export function watchSize(
  stdout: Resizing,
  clock: Clock,
  listener: (size: Size) => void,
  host?: SignalHost,
): () => void {
  let cancel = () => {};
  const resized = () => {
    cancel();
    cancel = clock.after(quietMs, () => listener(sizeOf(stdout)));
  };
  stdout.on('resize', resized);
  host?.on('SIGWINCH', resized);
  return () => {
    cancel();
    stdout.off('resize', resized);
    host?.off('SIGWINCH', resized);
  };
}
