import type {App} from '#app/core/app.ts';

/** A key made these unread again: the next one may be about them, although no picture shows them yet. */
export function noteRestoredUnreads(app: App, ids: readonly number[]): void {
  app.set({restored: new Set([...app.screen.restored, ...ids])});
}

/** What keys made unread again since the last picture. */
export function restoredUnreadIds({screen}: App): ReadonlySet<number> {
  return screen.restored;
}
