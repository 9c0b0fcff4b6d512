import type {App} from '#ui/core/app.ts';
import {replaceAll, type TextField} from '#ui/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import type {ComposerState} from './composer-state.ts';
import {persistedEdit} from './persisted-edits.ts';

/** Saves the open composer to disk and returns it, cursor included. Returns undefined when it is closed. */
export function saveComposerForLater(app: App): ComposerState | undefined {
  composerSaver(app).flush();
  const {composer} = app.screen;
  return composer.isOpen ? composer : undefined;
}

/**
 * Restores a set-aside composer with the text that other clients left meanwhile. Returns false when it was sent or
 * deleted elsewhere.
 */
export function resumeComposer(app: App, aside: ComposerState): boolean {
  const text = savedText(app, aside);
  if (text === undefined) return false;
  const {upload, delayedSend, field} = app.screen.composer;
  const before: TextField = {...aside.field, kills: field.kills};
  setComposer(app, {
    ...aside,
    field: text === before.text ? before : replaceAll(before, text),
    menu: undefined,
    upload,
    delayedSend,
  });
  app.set({focus: 'composer'});
  return true;
}

/** Returns the text from disk; undefined when its draft is gone. */
function savedText(app: App, {editing, draftId, field}: ComposerState): string | undefined {
  if (editing !== undefined) {
    const unsaved = persistedEdit(app, editing.messageId)?.text;
    return unsaved ?? (field.text === editing.before ? field.text : undefined);
  }
  if (draftId !== undefined) return app.session.drafts.get(draftId)?.content;
  return field.text.trim() === '' ? field.text : undefined;
}
