import type {App} from '#app/core/app.ts';
import {replaceAll, type TextField} from '#app/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {keeperOf} from './composer-saver.ts';
import type {ComposerState} from './composer-state.ts';
import {keptEdit} from './persisted-edits.ts';

/** What is being written, as it is: on disk, and with its cursor. Undefined when nothing is. */
export function laidAside(app: App): ComposerState | undefined {
  keeperOf(app).flush();
  const {composer} = app.screen;
  return composer.isOpen ? composer : undefined;
}

/**
 * Goes on where it was laid aside. What another client changed meanwhile is as it is now; false when it was sent or thrown
 * away there.
 */
export function takeUp(app: App, aside: ComposerState): boolean {
  const text = keptText(app, aside);
  if (text === undefined) return false;
  const {upload, pending, field} = app.screen.composer;
  const before: TextField = {...aside.field, kills: field.kills};
  setComposer(app, {
    ...aside,
    field: text === before.text ? before : replaceAll(before, text),
    menu: undefined,
    upload,
    pending,
  });
  app.set({focus: 'composer'});
  return true;
}

/** As the disk has it; undefined when it has it no more. */
function keptText(app: App, {editing, draftId, field}: ComposerState): string | undefined {
  if (editing !== undefined) {
    const kept = keptEdit(app, editing.messageId)?.text;
    return kept ?? (field.text === editing.before ? field.text : undefined);
  }
  if (draftId !== undefined) return app.session.drafts.get(draftId)?.content;
  return field.text.trim() === '' ? field.text : undefined;
}
