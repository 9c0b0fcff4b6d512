import type {App} from '#ui/core/app.ts';
import type {Picker} from '#ui/core/overlay.ts';
import type {Undoable} from '#ui/core/undo-stack.ts';
import {ageText} from '#ui/format/age-text.ts';
import {openPicker, refreshPicker} from '#ui/overlays/picker.ts';
import {undoAction} from './undo-and-return.ts';

/** Returns what the user did, latest first, without keys that changed nothing. */
function listedActions(app: App): readonly Undoable[] {
  return app.undoStack.list().filter(({record}) => record !== undefined);
}

/** Opens the undo history: every action, each of which can be undone separately. */
export function openUndoHistory(app: App): void {
  openPicker(app, undoHistoryPicker(listedActions(app)));
}

function undoHistoryPicker(shown: readonly Undoable[]): Picker {
  return {
    id: 'review',
    title: 'Undo history',
    isMenu: true,
    columns: 76,
    rowsShown: 16,
    helpLines: 1,
    hint: 'Enter undoes · Esc closes',
    empty: 'Nothing to undo yet.',
    // The rows stay as they were when the picker opened: a refusal from the server meanwhile moves nothing
    // under the cursor.
    rows: ({minute}) =>
      shown.map(({label, record}, at) => ({
        key: String(at),
        label,
        detail: record?.place,
        right: ageText(record?.at ?? minute, minute),
        rightRole: 'dim',
        disabled: record?.problem,
        help: [record?.place, record?.problem].filter((text) => text !== undefined).join(' · '),
      })),
    accept: (app, {key}) => {
      const undoable = shown[Number(key)];
      if (undoable === undefined) return;
      undoAction(app, undoable, () => refreshPicker(app, 'review', undoHistoryPicker(listedActions(app))));
    },
  };
}
