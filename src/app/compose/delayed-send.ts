import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {setComposer, written} from './change-composer.ts';
import {keeperOf} from './composer-saver.ts';
import type {PendingSend} from './composer-state.ts';
import {compose} from './open-composer.ts';

/**
 * Sends in a moment, so that it can be taken back. Until then it is a draft on disk: whatever ends the program, it is
 * sent or still there.
 */
export function sendLater(
  app: App,
  message: {readonly conversation: Conversation; readonly content: string},
  seconds: number,
): void {
  releasePending(app);
  const keeper = keeperOf(app);
  keeper.touch();
  keeper.flush();
  const {draftId} = app.screen.composer;
  const cancel = app.clock.after(seconds * 1000, () => releasePending(app));
  setComposer(app, {...app.screen.composer, pending: {...message, seconds, draftId, cancel}});
  const label = `Sent to ${conversationTitle(app.state, message.conversation)}`;
  app.undoStack.push({label, undo: () => (takeBack(app, draftId) ? 'Not sent' : undefined)});
  app.toast(`${label} in ${seconds} s · Z undo`);
}

/** It leaves now, if there is one. */
export function releasePending(app: App): void {
  const {pending} = app.screen.composer;
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

function forget(app: App, {cancel}: PendingSend): void {
  cancel();
  setComposer(app, {...app.screen.composer, pending: undefined});
}

/** Gives the text back, if it has not left yet. */
export function takeBackPending(app: App): boolean {
  return takeBack(app, app.screen.composer.pending?.draftId);
}

function takeBack(app: App, draftId: string | undefined): boolean {
  const {pending} = app.screen.composer;
  if (pending === undefined || pending.draftId !== draftId) return false;
  forget(app, pending);
  const {conversation, content} = pending;
  compose(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = keeperOf(app).fieldOf(content, composer.field.kills);
    setComposer(app, {...composer, field, draftId});
    written(app);
  }
  return true;
}
