import {followView} from './compose/opening.ts';
import type {AppFeatures} from './core/app.ts';
import {UndoStack} from './core/undo.ts';
import {enterInbox} from './inbox/entering.ts';
import {KeptUndos} from './undo-shelf.ts';

/** The features that every App is built with. */
export const appFeatures: AppFeatures = {
  undoStack: (app) => new UndoStack(new KeptUndos(app)),
  viewOpened: (app, from) => {
    followView(app);
    enterInbox(app, app.screen.view, from);
  },
};
