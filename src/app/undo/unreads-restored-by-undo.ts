import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';

interface Restored {
  /** The picture after which they became unread again. */
  readonly picture: Frame;
  readonly ids: Set<number>;
}

const restored = new WeakMap<App, Restored>();

/** A key made these unread again: the next one may be about them, although no picture shows them yet. */
export function noteRestored(app: App, ids: readonly number[]): void {
  const all = new Set([...restoredIds(app), ...ids]);
  restored.set(app, {picture: app.frames.current, ids: all});
}

/** What keys made unread again since the last picture. */
export function restoredIds(app: App): ReadonlySet<number> {
  const known = restored.get(app);
  return known?.picture === app.frames.current ? known.ids : none;
}

const none: ReadonlySet<number> = new Set();
