import {followView} from '#app/compose/open-composer.ts';
import {UndoStack} from '#app/core/undo-stack.ts';
import {enterInbox} from '#app/inbox/enter-inbox.ts';
import {KeptUndos} from '#app/undo/persisted-undo-store.ts';
import type {AppFeatures} from './core/app.ts';

/** The features that every App is built with. */
export const appFeatures: AppFeatures = {
  undoStack: (app) => new UndoStack(new KeptUndos(app)),
  viewOpened: (app, from) => {
    followView(app);
    enterInbox(app, app.screen.view, from);
  },
};
