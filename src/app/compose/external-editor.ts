import type {App} from '#app/core/app.ts';
import {replaceAll} from '#app/text/text-field.ts';
import {changeMessageText} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {destinationTitle, sameTarget} from './destination.ts';

const mostQuoted = 20;

/** Writes on in an editor. Whatever goes wrong there, the text is as it was; what comes back can be undone. */
export function editInExternalEditor(app: App): void {
  composerSaver(app).flush();
  const {target, field, draftId, editing} = app.screen.composer;
  app.device.edit(field.text, heading(app)).then(
    (text) => {
      if (text === undefined) return;
      const {composer} = app.screen;
      const isSame =
        composer.editing?.messageId === editing?.messageId &&
        (composer.draftId === draftId || sameTarget(composer.target, target));
      if (isSame) changeMessageText(app, (now) => replaceAll(now, text));
      else if (app.session.drafts.edit(draftId, {target, content: text}) !== undefined) {
        app.toast('What the editor gave back is kept as a draft · d');
      }
    },
    (error: unknown) => {
      app.toast(error instanceof Error ? error.message : String(error), 'error');
    },
  );
}

/** Where it goes, and what it answers. */
function heading({state, screen}: App): readonly string[] {
  const {target, anchor, editing} = screen.composer;
  const first = editing === undefined ? `To ${destinationTitle(state, target)}` : 'Editing a message';
  const answered = anchor?.isRepliedTo === true ? state.messages.byId.get(anchor.messageId) : undefined;
  if (answered === undefined) return [first];
  const lines = answered.content.split('\n');
  const more = lines.length > mostQuoted ? ['…'] : [];
  return [
    first,
    `${answered.senderName} wrote:`,
    ...lines.slice(0, mostQuoted).map((line) => `  ${line}`),
    ...more,
  ];
}
