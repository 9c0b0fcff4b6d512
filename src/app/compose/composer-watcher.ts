import type {App} from '#app/core/app.ts';
import {sendDelayedNow} from './delayed-send.ts';
import {syncWithDrafts} from './open-composer.ts';

/** Follows the drafts that change elsewhere, and sends what still waits when the app ends. */
export function tendComposer(app: App): void {
  app.onEnd(app.session.cache.subscribe(['localDrafts'], () => syncWithDrafts(app)));
  app.onEnd(() => sendDelayedNow(app));
}
