import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {composed} from '#std/composed-text.ts';
import type {ComposerState} from '#ui/composer/composer-state.ts';
import {targetConversation} from '#ui/composer/destination.ts';
import {chosenTarget, recipientsOf, recipientsProblem, topicProblem} from '#ui/composer/recipients.ts';
import {sendWarnings} from '#ui/warnings/send-warnings.ts';
import type {Warning} from '#ui/warnings/warning.ts';
import {placeholderFileName} from './attach-files.ts';
import {editRecipients, setComposer} from './change-composer.ts';
import {acceptMovedDestination, acceptTopicsPolicy} from './moved-destination.ts';
import {composeProblem} from './open-composer.ts';

export type CheckedMessage = NonNullable<ReturnType<typeof checkedMessage>>;

/** Returns the message if it can be sent now; otherwise shows the warnings or problems and returns undefined. */
export function checkedMessage(app: App) {
  if (app.warn(composeProblem(app))) return undefined;
  const {composer} = app.screen;
  if (acceptMovedDestination(app) || acceptTopicsPolicy(app)) return undefined;
  const conversation = targetConversation(chosenTarget(app.state, composer));
  if (conversation === undefined) {
    askRecipients(app);
    return undefined;
  }
  if (asksTopic(app, conversation)) return undefined;
  const warnings = warningsOf(app, conversation, composer);
  return showsWarnings(app, warnings) ? undefined : {conversation, content: composer.field.text};
}

/** Shows the warnings below the text. Returns false if there are none, or the user has seen them and none blocks. */
export function showsWarnings(app: App, warnings: readonly Warning[]): boolean {
  const isBlocked = warnings.some(({isBlocking}) => isBlocking);
  const isConfirmed = !isBlocked && sameWarnings(warnings, app.screen.composer.warnings);
  if (warnings.length === 0 || isConfirmed) return false;
  setComposer(app, {activePart: 'text', menu: undefined, pastePrompt: undefined, warnings});
  return true;
}

/** Refuses to send a draft that is being scheduled: it would be sent twice. */
export function heldWarnings(app: App, draftId: string | undefined): readonly Warning[] {
  if (draftId === undefined || !app.session.drafts.isHeld(draftId)) return [];
  const text = 'This text is being scheduled: wait until it is known whether that was done.';
  return [{kind: 'scheduled', text, isBlocking: true}];
}

function warningsOf(app: App, conversation: Conversation, composer: ComposerState): readonly Warning[] {
  const {draftId, field} = composer;
  const attaching = attachmentProblem(app);
  if (attaching !== undefined) return [{kind: 'empty', text: attaching, isBlocking: true}];
  const held = heldWarnings(app, draftId);
  if (held.length > 0) return held;
  return [...lostUploads(field.text), ...sendWarnings(app.state, conversation, field.text, {nowMs: app.clock.now()})];
}

/**
 * Returns why the text is not complete: a file is being attached, or the key was pressed before the screen showed how that ended.
 * Keys that are typed quickly after the one that chose the file would send an unfinished message.
 */
export function attachmentProblem({screen, frames}: App): string | undefined {
  const {upload, field} = screen.composer;
  if (upload !== undefined) {
    if (!field.text.includes(upload.name)) return undefined;
    return composed`${upload.name} is still uploading: wait for it, or cancel it with Ctrl-C.`;
  }
  if (screen.uploads !== undefined) return 'A file is still being attached: wait for it, or cancel it with Ctrl-C.';
  if (frames.paintedFrame.screen.uploads === undefined) return undefined;
  return 'Attaching has ended just now: check the text, then press the key again.';
}

/** Warns about the placeholder of an upload that the end of the program interrupted. */
function lostUploads(text: string): readonly Warning[] {
  const name = placeholderFileName(text);
  if (name === undefined) return [];
  const warning = composed`${name} was not uploaded: attach it again with Ctrl-X a and remove its placeholder.`;
  return [{kind: 'empty', text: warning, isBlocking: false}];
}

/** Whether the user has already seen the same warnings; any change of the text clears them. */
function sameWarnings(now: readonly Warning[], shown: readonly Warning[]): boolean {
  return now.length === shown.length && now.every(({text}, at) => text === shown[at]?.text);
}

/** Focuses the missing part of the destination. */
function askRecipients(app: App): void {
  const {composer} = app.screen;
  const recipients = composer.recipients ?? recipientsOf(app.state, composer.target);
  setComposer(app, {recipients, activePart: 'to', menu: undefined});
  app.toast(recipientsProblem(app.state, recipients) ?? 'Choose a destination first.', 'warning');
}

/** Focuses the topic field when the channel requires a topic and there is none. Returns false when nothing is missing. */
function asksTopic(app: App, conversation: Conversation): boolean {
  if (conversation.kind !== 'topic' || conversation.topic !== '') return false;
  const problem = topicProblem(app.state, recipientsOf(app.state, conversation));
  if (problem === undefined) return false;
  editRecipients(app, 'last');
  app.toast(problem, 'warning');
  return true;
}

export function isEmptyComposer({field, upload}: ComposerState): boolean {
  return isBlank(field.text) && upload === undefined;
}
