import {syncComposerWithView} from '#app/composer/open-composer.ts';
import type {AppFeatures} from '#app/core/app.ts';
import {enterInbox} from '#app/inbox/enter-inbox.ts';
import {PersistedUndoStore} from '#app/undo/persisted-undo-store.ts';
import {UndoStack} from '#app/undo/undo-stack.ts';

/** The features that every App is created with. */
export const appFeatures: AppFeatures = {
  undoStack: (app) => new UndoStack(new PersistedUndoStore(app)),
  viewOpened: (app, from) => {
    syncComposerWithView(app);
    enterInbox(app, app.screen.view, from);
  },
};
