import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {errorText} from '#std/error-text.ts';
import type {App} from '#ui/core/app.ts';
import {undoCommands} from '#ui/core/toast-message.ts';
import {afterTextChange, setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import type {DelayedSend} from './composer-state.ts';
import {openComposer} from './open-composer.ts';
import {pushSent} from './push-sent.ts';

/**
 * Sends after a delay, during which the user can undo. Until then the text is a draft on disk, so that a crash cannot
 * lose it.
 */
export function sendAfterDelay(
  app: App,
  message: {readonly conversation: Conversation; readonly content: string},
  seconds: number,
): void {
  sendDelayedNow(app);
  const saver = composerSaver(app);
  saver.scheduleSave();
  saver.flush();
  const {draftId} = app.screen.composer;
  const id = app.session.outbox.newEntryId();
  const cancel = app.clock.after(seconds * 1000, () => sendDelayedNow(app));
  setComposer(app, {...app.screen.composer, delayedSend: {...message, id, seconds, draftId, cancel}});
  pushSent(app, id, message.conversation);
  app.toast({
    text: `Sending to ${conversationTitle(app.state, message.conversation)} in ${seconds} s`,
    offer: {label: 'undo', commands: ['edit.undo', ...undoCommands]},
  });
}

/** Sends the delayed message now, if there is one. */
export function sendDelayedNow(app: App): void {
  const {delayedSend} = app.screen.composer;
  if (delayedSend === undefined) return;
  clearDelayedSend(app, delayedSend);
  const {id, conversation, content, draftId} = delayedSend;
  try {
    app.session.outbox.send({id, conversation, content, draftId});
  } catch (error) {
    app.toast(`Not sent, saved as a draft: ${errorText(error)}`, 'error');
  }
}

function clearDelayedSend(app: App, {cancel}: DelayedSend): void {
  cancel();
  setComposer(app, {...app.screen.composer, delayedSend: undefined});
}

/** Puts the text of a delayed message back into the composer. Returns false when it has been sent. */
export function cancelDelayedSend(app: App, id = app.screen.composer.delayedSend?.id): boolean {
  const {delayedSend} = app.screen.composer;
  if (delayedSend === undefined || delayedSend.id !== id) return false;
  clearDelayedSend(app, delayedSend);
  const {conversation, content, draftId} = delayedSend;
  openComposer(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = composerSaver(app).rememberedField(content, composer.field.kills);
    setComposer(app, {...composer, field, draftId});
    afterTextChange(app);
  }
  return true;
}
