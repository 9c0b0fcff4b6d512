import type {App} from '#app/core/app.ts';
import type {Picker} from '#app/core/overlay.ts';
import type {Undoable} from '#app/core/undo-stack.ts';
import {ageText} from '#app/format/age-text.ts';
import {openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {returnToConversations} from './undo-and-return.ts';
import {currentConversationKeys} from './undo-record.ts';

/** What was done since the session began, latest first. */
function sessionUndoables(app: App): readonly Undoable[] {
  const since = app.screen.inbox.startedAt ?? app.clock.now();
  return app.undoStack.list().filter(({record: kept}) => kept !== undefined && kept.at >= since);
}

/** Every action of the session, each to be taken back on its own. */
export function openUndoHistory(app: App): void {
  openPicker(app, reviewPicker(sessionUndoables(app)));
}

function reviewPicker(shown: readonly Undoable[]): Picker {
  return {
    id: 'review',
    title: 'What was done',
    isMenu: true,
    columns: 72,
    rowsShown: 16,
    hint: 'Enter takes it back · Esc closes',
    empty: 'Nothing was done yet.',
    // As it was when one began to look: what the server refuses meanwhile moves nothing under the cursor.
    rows: ({minute}) =>
      shown.map(({label, record: kept}, at) => ({
        key: String(at),
        label,
        right: ageText(kept?.at ?? minute, minute),
        rightRole: 'dim',
      })),
    accept: (from, {key}) => {
      const done = shown[Number(key)];
      if (done === undefined) return;
      from.toast(from.undoStack.undoOne(done) ?? 'There is nothing left of it to take back.');
      if (done.record !== undefined) returnToConversations(from, currentConversationKeys(from, done.record));
      refreshPicker(from, 'review', reviewPicker(sessionUndoables(from)));
    },
  };
}
