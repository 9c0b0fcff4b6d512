import {syncComposerWithView} from '#ui/composer/open-composer.ts';
import type {AppFeatures} from '#ui/core/app.ts';
import {UndoStack} from '#ui/core/undo-stack.ts';
import {enterInbox} from '#ui/inbox/enter-inbox.ts';
import {PersistedUndoStore} from '#ui/undo/persisted-undo-store.ts';

/** The features that every App is created with. */
export const appFeatures: AppFeatures = {
  undoStack: (app) => new UndoStack(new PersistedUndoStore(app)),
  viewOpened: (app, from) => {
    syncComposerWithView(app);
    enterInbox(app, app.screen.view, from);
  },
};
