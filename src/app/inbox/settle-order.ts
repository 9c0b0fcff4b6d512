import type {App} from '#app/core/app.ts';

/** Somebody has begun, be it only to read: the order of the rows lasts from here on. */
export function settleInboxOrder(app: App): void {
  app.update((now) =>
    now.inbox.isOrderSettled ? now : {...now, inbox: {...now.inbox, isOrderSettled: true}},
  );
}
