import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {afterTextChange, setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {openComposer} from './open-composer.ts';

interface DelayedMessage {
  readonly conversation: Conversation;
  readonly content: string;
  readonly draftId: string | undefined;
  readonly cancel: () => void;
}

const waiting = new WeakMap<App, DelayedMessage>();
const watched = new WeakSet<App>();

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
  const {conversation} = message;
  waiting.set(app, {...message, draftId, cancel});
  setComposer(app, {...app.screen.composer, delayedSend: {conversation, seconds, draftId}});
  if (!watched.has(app)) {
    watched.add(app);
    app.onEnd(() => sendDelayedNow(app));
  }
  const label = `Sent to ${conversationTitle(app.state, conversation)}`;
  app.undoStack.push({label, undo: () => (cancelDelayedDraft(app, draftId) ? 'Not sent' : undefined)});
  app.toast(`${label} in ${seconds} s · Z undo`);
}

/** It leaves now. */
function sendDelayedNow(app: App): void {
  const held = waiting.get(app);
  if (held === undefined) return;
  forget(app, held);
  const {conversation, content, draftId} = held;
  try {
    app.session.outbox.send({conversation, content, draftId});
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    app.toast(`Not sent, kept as a draft: ${why}`, 'error');
  }
}

function forget(app: App, held: DelayedMessage): void {
  held.cancel();
  waiting.delete(app);
  setComposer(app, {...app.screen.composer, delayedSend: undefined});
}

/** Gives the text back, if it has not left yet. */
export function cancelDelayedSend(app: App): boolean {
  return cancelDelayedDraft(app, waiting.get(app)?.draftId);
}

function cancelDelayedDraft(app: App, draftId: string | undefined): boolean {
  const held = waiting.get(app);
  if (held === undefined || held.draftId !== draftId) return false;
  forget(app, held);
  const {conversation, content} = held;
  openComposer(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = composerSaver(app).rememberedField(content, composer.field.kills);
    setComposer(app, {...composer, field, draftId});
    afterTextChange(app);
  }
  return true;
}
