import type {App} from '#app/core/app.ts';
import {replaceAll, type TextField} from '#app/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import type {ComposerState} from './composer-state.ts';
import {persistedEdit} from './persisted-edits.ts';

/** What is being written, as it is: on disk, and with its cursor. Undefined when nothing is. */
export function saveComposerForLater(app: App): ComposerState | undefined {
  composerSaver(app).flush();
  const {composer} = app.screen;
  return composer.isOpen ? composer : undefined;
}

/**
 * Goes on where it was laid aside. What another client changed meanwhile is as it is now; false when it was sent or thrown
 * away there.
 */
export function resumeComposer(app: App, aside: ComposerState): boolean {
  const text = savedText(app, aside);
  if (text === undefined) return false;
  const {upload, delayedSend: pending, field} = app.screen.composer;
  const before: TextField = {...aside.field, kills: field.kills};
  setComposer(app, {
    ...aside,
    field: text === before.text ? before : replaceAll(before, text),
    menu: undefined,
    upload,
    delayedSend: pending,
  });
  app.set({focus: 'composer'});
  return true;
}

/** As the disk has it; undefined when it has it no more. */
function savedText(app: App, {editing, draftId, field}: ComposerState): string | undefined {
  if (editing !== undefined) {
    const kept = persistedEdit(app, editing.messageId)?.text;
    return kept ?? (field.text === editing.before ? field.text : undefined);
  }
  if (draftId !== undefined) return app.session.drafts.get(draftId)?.content;
  return field.text.trim() === '' ? field.text : undefined;
}
