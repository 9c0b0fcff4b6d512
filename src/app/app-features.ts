import {syncComposerWithView} from '#app/compose/open-composer.ts';
import {UndoStack} from '#app/core/undo-stack.ts';
import {enterInbox} from '#app/inbox/enter-inbox.ts';
import {PersistedUndoStore} from '#app/undo/persisted-undo-store.ts';
import type {AppFeatures} from './core/app.ts';

/** The features that every App is created with. */
export const appFeatures: AppFeatures = {
  undoStack: (app) => new UndoStack(new PersistedUndoStore(app)),
  viewOpened: (app, from) => {
    syncComposerWithView(app);
    enterInbox(app, app.screen.view, from);
  },
};
