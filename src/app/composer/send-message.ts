import type {App} from '#app/core/app.ts';
import {stickToNewest} from '#app/message-pane/selection.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import {emptyComposer} from '#ui/composer/composer-state.ts';
import {sameTarget} from '#ui/composer/destination.ts';
import {shownConversation} from '#ui/core/frame.ts';
import type {KeyOffer} from '#ui/core/toast-message.ts';
import {setComposer} from './change-composer.ts';
import {attachmentProblem, type CheckedMessage, checkedMessage} from './check-message.ts';
import {sendAfterDelay, sendDelayedNow, sendNow} from './deliver-message.ts';
import {saveEdit} from './edit-message.ts';
import {syncWithDrafts} from './sync-with-drafts.ts';

/** Sends the composed message after showing any warnings. Does not wait for the server: the outbox delivers it. */
export function sendComposedMessage(app: App): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined) {
    if (app.warn(attachmentProblem(app))) return;
    saveEdit(app, composer.editing);
    return;
  }
  const checked = checkedMessage(app);
  if (checked !== undefined) sendChecked(app, checked);
}

/** Sends, empties the composer and keeps it open for the next message. */
function sendChecked(app: App, message: CheckedMessage): void {
  const {composer} = app.screen;
  const seconds = app.settings.undoSendSeconds;
  try {
    if (seconds > 0) sendAfterDelay(app, message, seconds);
    else sendNow(app, message, composer.draftId);
  } catch (error) {
    // The text stays in the composer.
    app.toast(`Not sent: ${errorText(error)}`, 'error');
    return;
  }
  afterSending(app, message.conversation);
}

/** The offer of a toast about a message that was sent to a conversation that is not shown. */
export const openSentOffer: KeyOffer = {label: 'opens it', commands: ['compose.narrow']};

/** Empties the composer after sending and calls `onSent`. */
export function afterSending(app: App, conversation: Conversation): void {
  const {composer, view} = app.screen;
  const saver = app.composerPersistence;
  saver.cancelSave();
  saver.rememberField(composer.field);
  app.session.typing.stop();
  setComposer(app, {
    ...emptyComposer(app.screen.composer, conversation),
    isOpen: true,
    anchor: composer.anchor,
  });
  if (sameTarget(conversation, shownConversation({view}))) stickToNewest(app);
  else if (composer.onSent === undefined && app.screen.composer.delayedSend === undefined) {
    app.toast({text: sendStatusText(app, conversation), offer: openSentOffer});
  }
  composer.onSent?.();
}

/** Returns "Sent" only while online, so that a queued message is not taken for delivered. */
function sendStatusText({state}: App, conversation: Conversation): string {
  const title = conversationTitle(state, conversation);
  return state.connection.phase === 'online'
    ? composed`Sent to ${title}`
    : composed`Waiting for the connection: to ${title}`;
}

/** Starts following draft changes from other clients, and sends a delayed message when the app ends. */
export function watchComposer(app: App): void {
  app.onEnd(app.session.cache.subscribe(['localDrafts'], () => syncWithDrafts(app)));
  app.onEnd(() => sendDelayedNow(app));
}
