import type {App} from '#app/core/app.ts';
import {userName} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import {destinationTitle, sameTarget} from '#ui/composer/destination.ts';
import {withDraftsKey} from '#ui/core/toast-message.ts';
import {replaceAll} from '#ui/text/text-field.ts';
import {changeMessageText} from './change-composer.ts';

const maxQuotedLines = 20;

/** Edits the text in an external editor. On failure the text is unchanged; the result can be undone. */
export function editInExternalEditor(app: App): void {
  app.composerPersistence.flush();
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
        app.toast(withDraftsKey('Text from the editor saved as a draft'));
      }
    },
    (error: unknown) => {
      app.toast(errorText(error), 'error');
    },
  );
}

/** Comment lines for the editor: the destination, and the message being replied to. */
function heading({state, screen}: App): readonly string[] {
  const {target, anchor, editing} = screen.composer;
  const first = editing === undefined ? composed`To ${destinationTitle(state, target)}` : 'Editing a message';
  const repliedTo = anchor?.isRepliedTo === true ? state.messages.byId.get(anchor.messageId) : undefined;
  if (repliedTo === undefined) return [first];
  const lines = repliedTo.content.split('\n');
  const more = lines.length > maxQuotedLines ? ['…'] : [];
  return [
    first,
    composed`${userName(state, repliedTo.senderId, repliedTo.senderName)} wrote:`,
    ...lines.slice(0, maxQuotedLines).map((line) => `  ${line}`),
    ...more,
  ];
}
