import type {App} from '#app/core/app.ts';

/** Somebody has begun, be it only to read: the order of the rows lasts from here on. */
export function settleOrder(app: App): void {
  app.update((now) => (now.inbox.isSettled ? now : {...now, inbox: {...now.inbox, isSettled: true}}));
}
