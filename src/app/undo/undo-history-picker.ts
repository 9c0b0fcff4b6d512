import type {App} from '#app/core/app.ts';
import type {Picker} from '#app/core/overlay.ts';
import type {Undoable} from '#app/core/undo-stack.ts';
import {ageText} from '#app/format/age-text.ts';
import {openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {returnTo} from './undo-and-return.ts';
import {placesNow} from './undo-record.ts';

/** What was done since the session began, latest first. */
function sessionDeeds(app: App): readonly Undoable[] {
  const since = app.screen.inbox.startedAt ?? app.clock.now();
  return app.undoStack.list().filter(({kept}) => kept !== undefined && kept.at >= since);
}

/** Every action of the session, each to be taken back on its own. */
export function openReview(app: App): void {
  openPicker(app, reviewPicker(sessionDeeds(app)));
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
      shown.map(({label, kept}, at) => ({
        key: String(at),
        label,
        right: ageText(kept?.at ?? minute, minute),
        rightRole: 'dim',
      })),
    accept: (from, {key}) => {
      const done = shown[Number(key)];
      if (done === undefined) return;
      from.toast(from.undoStack.undoOne(done) ?? 'There is nothing left of it to take back.');
      if (done.kept !== undefined) returnTo(from, placesNow(from, done.kept));
      refreshPicker(from, 'review', reviewPicker(sessionDeeds(from)));
    },
  };
}
