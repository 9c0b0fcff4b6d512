import type {App} from '#app/core/app.ts';
import {stickToNewest} from '#app/timeline/selection.ts';
import {sendWarnings, type Warning} from '#app/warnings/send-warnings.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {type ComposerState, emptyComposer} from './composer-state.ts';
import {sendAfterDelay} from './delayed-send.ts';
import {movedDestination, sameTarget, targetConversation, viewConversation} from './destination.ts';
import {saveEdit} from './edit-message.ts';
import {composeProblem} from './open-composer.ts';
import {recipientsOf, recipientsProblem} from './recipients.ts';
import {placeholderFileName} from './upload-mark.ts';

/** Sends what is written, after what has to be known first was said. Never waits: the outbox has it then. */
export function sendComposedMessage(app: App): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined) {
    saveEdit(app, composer.editing);
    return;
  }
  const checked = checkedMessage(app);
  if (checked !== undefined) sendChecked(app, checked);
}

export interface CheckedMessage {
  readonly conversation: Conversation;
  readonly content: string;
}

/** The message, if nothing stands against sending it now; otherwise that is shown. */
export function checkedMessage(app: App): CheckedMessage | undefined {
  const problem = composeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return undefined;
  }
  const {composer} = app.screen;
  if (acceptMovedDestination(app)) return undefined;
  const conversation = targetConversation(composer.target);
  if (conversation === undefined) {
    askRecipients(app);
    return undefined;
  }
  const warnings = warningsOf(app, conversation, composer);
  const isBlocked = warnings.some(({isBlocking}) => isBlocking);
  const isConfirmed = !isBlocked && sameWarnings(warnings, composer.warnings);
  if (warnings.length > 0 && !isConfirmed) {
    setComposer(app, {...composer, activePart: 'text', menu: undefined, pastePrompt: undefined, warnings});
    return undefined;
  }
  return {conversation, content: composer.field.text};
}

function warningsOf(
  app: App,
  conversation: Conversation,
  {field, upload}: ComposerState,
): readonly Warning[] {
  if (upload !== undefined && field.text.includes(upload.name)) {
    const text = `${upload.name} is still on its way: wait for it, or cancel it with Ctrl-C.`;
    return [{kind: 'empty', text, isBlocking: true}];
  }
  return [
    ...lostUploads(field.text),
    ...sendWarnings(app.state, conversation, field.text, {nowMs: app.clock.now()}),
  ];
}

/** The program ended while a file was on its way: its mark is all that is left of it. */
function lostUploads(text: string): readonly Warning[] {
  const name = placeholderFileName(text);
  if (name === undefined) return [];
  const said = `${name} did not get there: attach it again with Ctrl-X a, and take out its mark.`;
  return [{kind: 'empty', text: said, isBlocking: false}];
}

/** The same things were said already, about the same text: any change of it takes them away. */
function sameWarnings(now: readonly Warning[], said: readonly Warning[]): boolean {
  return now.length === said.length && now.every(({text}, at) => text === said[at]?.text);
}

/** What is missing of the destination gets the keys. */
function askRecipients(app: App): void {
  const {composer} = app.screen;
  const recipients = composer.recipients ?? recipientsOf(app.state, composer.target);
  setComposer(app, {...composer, recipients, activePart: 'to', menu: undefined});
  app.toast(recipientsProblem(app.state, recipients) ?? 'Say first where the message goes.', 'warning');
}

/** Goes along with a conversation that went elsewhere; false when it did not. */
export function acceptMovedDestination(app: App): boolean {
  const {composer} = app.screen;
  const moved = movedDestination(app.state, composer);
  if (moved === undefined) return false;
  setComposer(app, {...composer, target: moved, warnings: [], recipients: undefined});
  composerSaver(app).scheduleSave();
  app.toast(`This goes to ${conversationTitle(app.state, moved)} now`);
  return true;
}

/** Stays where it was begun; false when nothing moved. */
export function keepDestination(app: App): boolean {
  const {composer} = app.screen;
  if (movedDestination(app.state, composer) === undefined) return false;
  setComposer(app, {...composer, anchor: undefined});
  return true;
}

/** The composer is empty again and stays open for the next one. */
function sendChecked(app: App, message: CheckedMessage): void {
  const {composer} = app.screen;
  const seconds = app.settings.undoSendSeconds;
  try {
    if (seconds > 0) sendAfterDelay(app, message, seconds);
    else sendNow(app, message, composer.draftId);
  } catch (error) {
    // The text stays where it is.
    const why = error instanceof Error ? error.message : String(error);
    app.toast(`Not sent: ${why}`, 'error');
    return;
  }
  afterSending(app, message.conversation);
}

function sendNow(app: App, {conversation, content}: CheckedMessage, draftId: string | undefined): void {
  const {id} = app.session.outbox.send({conversation, content, draftId});
  const title = conversationTitle(app.state, conversation);
  app.undoStack.push({
    label: `Sent to ${title}`,
    undo: () =>
      app.session.outbox.toDraft(id) === undefined ? undefined : 'Not sent: it is a draft again · d',
  });
}

/** Nothing is left to keep, and whoever waited for it is told. */
export function afterSending(app: App, conversation: Conversation): void {
  const {composer, view} = app.screen;
  const keeper = composerSaver(app);
  keeper.cancelSave();
  keeper.rememberField(composer.field);
  app.session.typing.stop();
  setComposer(app, {
    ...emptyComposer(app.screen.composer, conversation),
    isOpen: true,
    anchor: composer.anchor,
  });
  if (sameTarget(conversation, viewConversation(view))) stickToNewest(app);
  else if (composer.onSent === undefined && app.screen.composer.delayedSend === undefined) {
    app.toast(`${sendStatusText(app, conversation)} · Alt-. goes there`);
  }
  composer.onSent?.();
}

/** Nobody shall think that something has arrived which still waits here. */
function sendStatusText({state}: App, conversation: Conversation): string {
  const title = conversationTitle(state, conversation);
  return state.connection.phase === 'online' ? `Sent to ${title}` : `Waits for the connection: to ${title}`;
}

export function isEmptyComposer({field, upload}: ComposerState): boolean {
  return isBlank(field.text) && upload === undefined;
}
