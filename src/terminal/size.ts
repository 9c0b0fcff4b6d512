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

/** Tells the size when it has stopped changing, and only when it is another. */
export function watchSize(stdout: Resizing, clock: Clock, listener: (size: Size) => void): () => void {
  let last = sizeOf(stdout);
  let cancel = () => {};
  const resized = () => {
    cancel();
    cancel = clock.after(quietMs, () => {
      const size = sizeOf(stdout);
      if (size.columns === last.columns && size.rows === last.rows) return;
      last = size;
      listener(size);
    });
  };
  stdout.on('resize', resized);
  return () => {
    cancel();
    stdout.off('resize', resized);
  };
}
