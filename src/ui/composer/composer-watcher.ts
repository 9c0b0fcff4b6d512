import type {App} from '#ui/core/app.ts';
import {syncWithDrafts} from './open-composer.ts';
import {sendDelayedNow} from './send-message.ts';

/** Starts following draft changes from other clients, and sends a delayed message when the app ends. */
export function watchComposer(app: App): void {
  app.onEnd(app.session.cache.subscribe(['localDrafts'], () => syncWithDrafts(app)));
  app.onEnd(() => sendDelayedNow(app));
}
