import type {App} from '#app/core/app.ts';
import {releasePending} from './delayed-send.ts';
import {followDrafts} from './open-composer.ts';

/** Follows the drafts that change elsewhere, and sends what still waits when the app ends. */
export function tendComposer(app: App): void {
  app.onEnd(app.session.cache.subscribe(['localDrafts'], () => followDrafts(app)));
  app.onEnd(() => releasePending(app));
}
