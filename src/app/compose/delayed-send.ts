import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {setComposer, written} from './change-composer.ts';
import {keeperOf} from './composer-saver.ts';
import {compose} from './open-composer.ts';

interface Waiting {
  readonly conversation: Conversation;
  readonly content: string;
  readonly draftId: string | undefined;
  readonly cancel: () => void;
}

const waiting = new WeakMap<App, Waiting>();
const watched = new WeakSet<App>();

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
  const {conversation} = message;
  waiting.set(app, {...message, draftId, cancel});
  setComposer(app, {...app.screen.composer, pending: {conversation, seconds, draftId}});
  if (!watched.has(app)) {
    watched.add(app);
    app.onEnd(() => releasePending(app));
  }
  const label = `Sent to ${conversationTitle(app.state, conversation)}`;
  app.undoStack.push({label, undo: () => (takeBack(app, draftId) ? 'Not sent' : undefined)});
  app.toast(`${label} in ${seconds} s · Z undo`);
}

/** It leaves now. */
function releasePending(app: App): void {
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

function forget(app: App, held: Waiting): void {
  held.cancel();
  waiting.delete(app);
  setComposer(app, {...app.screen.composer, pending: undefined});
}

/** Gives the text back, if it has not left yet. */
export function takeBackPending(app: App): boolean {
  return takeBack(app, waiting.get(app)?.draftId);
}

function takeBack(app: App, draftId: string | undefined): boolean {
  const held = waiting.get(app);
  if (held === undefined || held.draftId !== draftId) return false;
  forget(app, held);
  const {conversation, content} = held;
  compose(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = keeperOf(app).fieldOf(content, composer.field.kills);
    setComposer(app, {...composer, field, draftId});
    written(app);
  }
  return true;
}
