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

/** The size of a terminal that does not report one. */
const defaultSize: Size = {columns: 80, rows: 24};

export function sizeOf({columns, rows}: Sized): Size {
  return {columns: columns || defaultSize.columns, rows: rows || defaultSize.rows};
}

/** A dragged window reports every step; drawing all of them would flicker. */
const debounceMs = 30;

/** Receives SIGWINCH: Node emits no resize event when the size is back to its old value. */
export interface SignalHost {
  on(signal: 'SIGWINCH', listener: () => void): unknown;
  off(signal: 'SIGWINCH', listener: () => void): unknown;
}

/**
 * Calls the listener with the size when it has stopped changing; also when it is the same as before, because
 * the content may not have survived the changes.
 */
export function watchSize(
  stdout: Resizing,
  clock: Clock,
  listener: (size: Size) => void,
  host?: SignalHost,
): () => void {
  let cancel = () => {};
  const onResize = () => {
    cancel();
    cancel = clock.after(debounceMs, () => listener(sizeOf(stdout)));
  };
  stdout.on('resize', onResize);
  host?.on('SIGWINCH', onResize);
  return () => {
    cancel();
    stdout.off('resize', onResize);
    host?.off('SIGWINCH', onResize);
  };
}
