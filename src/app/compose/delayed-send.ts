import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {afterTextChange, setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import type {DelayedSend} from './composer-state.ts';
import {openComposer} from './open-composer.ts';

/**
 * Sends in a moment, so that it can be taken back. Until then it is a draft on disk: whatever ends the program, it is
 * sent or still there.
 */
export function sendAfterDelay(
  app: App,
  message: {readonly conversation: Conversation; readonly content: string},
  seconds: number,
): void {
  sendDelayedNow(app);
  const keeper = composerSaver(app);
  keeper.scheduleSave();
  keeper.flush();
  const {draftId} = app.screen.composer;
  const cancel = app.clock.after(seconds * 1000, () => sendDelayedNow(app));
  setComposer(app, {...app.screen.composer, delayedSend: {...message, seconds, draftId, cancel}});
  const label = `Sent to ${conversationTitle(app.state, message.conversation)}`;
  app.undoStack.push({label, undo: () => (cancelDelayedDraft(app, draftId) ? 'Not sent' : undefined)});
  app.toast(`${label} in ${seconds} s · Z undo`);
}

/** It leaves now, if there is one. */
export function sendDelayedNow(app: App): void {
  const {delayedSend: pending} = app.screen.composer;
  if (pending === undefined) return;
  forget(app, pending);
  const {conversation, content, draftId} = pending;
  try {
    app.session.outbox.send({conversation, content, draftId});
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    app.toast(`Not sent, kept as a draft: ${why}`, 'error');
  }
}

function forget(app: App, {cancel}: DelayedSend): void {
  cancel();
  setComposer(app, {...app.screen.composer, delayedSend: undefined});
}

/** Gives the text back, if it has not left yet. */
export function cancelDelayedSend(app: App): boolean {
  return cancelDelayedDraft(app, app.screen.composer.delayedSend?.draftId);
}

function cancelDelayedDraft(app: App, draftId: string | undefined): boolean {
  const {delayedSend: pending} = app.screen.composer;
  if (pending === undefined || pending.draftId !== draftId) return false;
  forget(app, pending);
  const {conversation, content} = pending;
  openComposer(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = composerSaver(app).rememberedField(content, composer.field.kills);
    setComposer(app, {...composer, field, draftId});
    afterTextChange(app);
  }
  return true;
}
