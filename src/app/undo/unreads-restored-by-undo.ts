import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';

interface RestoredUnreads {
  /** The picture after which they became unread again. */
  readonly frame: Frame;
  readonly ids: Set<number>;
}

const restored = new WeakMap<App, RestoredUnreads>();

/** A key made these unread again: the next one may be about them, although no picture shows them yet. */
export function noteRestoredUnreads(app: App, ids: readonly number[]): void {
  const all = new Set([...restoredUnreadIds(app), ...ids]);
  restored.set(app, {frame: app.frames.paintedFrame, ids: all});
}

/** What keys made unread again since the last picture. */
export function restoredUnreadIds(app: App): ReadonlySet<number> {
  const known = restored.get(app);
  return known?.frame === app.frames.paintedFrame ? known.ids : none;
}

const none: ReadonlySet<number> = new Set();
