import {syncComposerWithView} from '#app/composer/open-composer.ts';
import type {AppFeatures} from '#app/core/app.ts';
import {appsTogether} from '#app/core/other-apps.ts';
import {enterInbox} from '#app/inbox/enter-inbox.ts';
import {undoEditStep, undoWidgetStep} from '#app/message-actions/undo-edit.ts';
import {undoMoveStep} from '#app/message-actions/undo-move.ts';
import {sendAgainStep, undoSentStep} from '#app/message-actions/undo-send.ts';
import {keepPickerRows} from '#app/overlays/picker.ts';
import {PersistedUndoStore} from '#app/undo/persisted-undo-store.ts';
import type {StepHandlers} from '#app/undo/request-steps.ts';
import {UndoStack} from '#app/undo/undo-stack.ts';

/** How the steps of features are undone and redone. */
const stepHandlers: StepHandlers = {
  sent: undoSentStep,
  send: sendAgainStep,
  edit: undoEditStep,
  move: undoMoveStep,
  widget: undoWidgetStep,
};

/** The features that every App is created with. */
export const appFeatures: AppFeatures = {
  undoStack: (app) =>
    new UndoStack(new PersistedUndoStore(app, stepHandlers), () => {
      // Accounts that are shown together are undone and redone in one order.
      for (const other of appsTogether(app)) if (other !== app) other.undoStack.forgetUndone();
    }),
  viewOpened: (app, from) => {
    syncComposerWithView(app);
    enterInbox(app, app.screen.view, from);
  },
  fetchChanged: keepPickerRows,
};
