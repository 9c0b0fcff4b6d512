import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import type {DelayedSend} from '#ui/composer/composer-state.ts';
import {type ToastMessage, withDraftsKey} from '#ui/core/toast-message.ts';
import {afterTextChange, setComposer} from './change-composer.ts';
import type {CheckedMessage} from './check-message.ts';
import {openComposer} from './open-composer.ts';
import {syncWithDrafts} from './sync-with-drafts.ts';

export function sendNow(app: App, {conversation, content}: CheckedMessage, draftId: string | undefined): void {
  const {id} = app.session.outbox.send({conversation, content, draftId});
  pushSent(app, id, conversation);
}

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
  const saver = app.composerPersistence;
  saver.scheduleSave();
  saver.flush();
  const {draftId} = app.screen.composer;
  const id = app.session.outbox.newEntryId();
  const cancel = app.clock.after(seconds * 1000, () => sendDelayedNow(app));
  setComposer(app, {delayedSend: {...message, id, seconds, draftId, cancel}});
  pushSent(app, id, message.conversation);
  app.toast({
    text: composed`Sending to ${conversationTitle(app.state, message.conversation)} in ${seconds} s`,
    offer: {label: 'undo', commands: ['edit.undo', 'undo']},
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
  setComposer(app, {delayedSend: undefined});
}

/**
 * Puts the text of a delayed message back into the composer if the user is there; elsewhere it stays a draft. Returns what to
 * show; undefined when it has been sent.
 */
export function cancelDelayedSend(app: App, id = app.screen.composer.delayedSend?.id): ToastMessage | undefined {
  const {delayedSend} = app.screen.composer;
  if (delayedSend === undefined || delayedSend.id !== id) return undefined;
  clearDelayedSend(app, delayedSend);
  const {conversation, content, draftId} = delayedSend;
  const text = composed`Not sent to ${conversationTitle(app.state, conversation)}`;
  if (app.screen.focus !== 'composer') {
    syncWithDrafts(app);
    return withDraftsKey(`${text}: it is a draft again`);
  }
  openComposer(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = app.composerPersistence.rememberedField(content, composer.field.kills);
    setComposer(app, {field, draftId});
    afterTextChange(app);
  }
  return {text};
}

/** Adds a message in the outbox to the undo history. */
export function pushSent(app: App, id: string, conversation: Conversation): void {
  app.undoStack.pushStep(composed`Sent to ${conversationTitle(app.state, conversation)}`, {kind: 'sent', id});
}
