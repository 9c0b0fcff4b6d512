import type {App} from '#app/core/app.ts';
import type {Picker} from '#app/core/overlay.ts';
import type {Undoable} from '#app/core/undo-stack.ts';
import {ageText} from '#app/format/age-text.ts';
import {openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {returnToConversations} from './undo-and-return.ts';
import {currentConversationKeys} from './undo-record.ts';

/** Returns the actions of this triage session, latest first. */
function sessionUndoables(app: App): readonly Undoable[] {
  const since = app.screen.inbox.startedAt ?? app.clock.now();
  return app.undoStack.list().filter(({record}) => record !== undefined && record.at >= since);
}

/** Opens the undo history: every action of the session, each of which can be undone separately. */
export function openUndoHistory(app: App): void {
  openPicker(app, undoHistoryPicker(sessionUndoables(app)));
}

function undoHistoryPicker(shown: readonly Undoable[]): Picker {
  return {
    id: 'review',
    title: 'Undo history',
    isMenu: true,
    columns: 72,
    rowsShown: 16,
    hint: 'Enter undoes · Esc closes',
    empty: 'Nothing to undo yet.',
    // The rows stay as they were when the picker opened: a refusal from the server meanwhile moves nothing
    // under the cursor.
    rows: ({minute}) =>
      shown.map(({label, record}, at) => ({
        key: String(at),
        label,
        right: ageText(record?.at ?? minute, minute),
        rightRole: 'dim',
      })),
    accept: (app, {key}) => {
      const undoable = shown[Number(key)];
      if (undoable === undefined) return;
      app.toast(app.undoStack.undoOne(undoable) ?? 'Nothing left to undo there.');
      if (undoable.record !== undefined) returnToConversations(app, currentConversationKeys(app, undoable.record));
      refreshPicker(app, 'review', undoHistoryPicker(sessionUndoables(app)));
    },
  };
}
