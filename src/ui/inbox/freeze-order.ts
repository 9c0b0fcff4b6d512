import type {App} from '#ui/core/app.ts';

/** Freezes the order of the rows: the user has started, even if only to read. */
export function freezeInboxOrder(app: App): void {
  app.update((now) => (now.inbox.isOrderFrozen ? now : {...now, inbox: {...now.inbox, isOrderFrozen: true}}));
}
