import type {App} from '#app/core/app.ts';
import {followDrafts} from './opening.ts';
import {releasePending} from './pending-send.ts';

/** Follows the drafts that change elsewhere, and sends what still waits when the app ends. */
export function tendComposer(app: App): void {
  app.onEnd(app.session.cache.subscribe(['localDrafts'], () => followDrafts(app)));
  app.onEnd(() => releasePending(app));
}
