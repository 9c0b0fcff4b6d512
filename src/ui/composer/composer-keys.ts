import {acceptCompletion, closeCompletionMenu} from '#ui/completion-menu/accept-completion.ts';
import type {App} from '#ui/core/app.ts';
import {isInsideFence} from '#ui/text/fences.ts';
import {type SendKey, sendOutcome} from '#ui/text/send-keys.ts';
import {insert, newline, replaceRange} from '#ui/text/text-field.ts';
import {changeActiveField, setComposer} from './change-composer.ts';
import {moveActivePart, toggleComposerPreview} from './composer-focus.ts';
import type {ComposerState} from './composer-state.ts';
import {sendKeyContext} from './destination-lines.ts';
import {closeComposer} from './open-composer.ts';
import {acceptMovedDestination, isEmptyComposer, keepDestination, sendComposedMessage} from './send-message.ts';
import {dismissPastePrompt} from './type-into-composer.ts';

/** Handles Enter and its variants. Within a pasted burst they are only text. */
export function pressEnter(app: App, key: SendKey, isBurst: boolean): void {
  if (key === 'Enter' && !isBurst && wasHandledByPrompt(app)) return;
  switch (sendOutcome(key, sendKeyContext(app.state, app.screen.composer, isBurst))) {
    case 'send':
      sendComposedMessage(app);
      break;
    case 'newline':
      changeActiveField(app, newline);
      break;
    case 'newlineWithoutBackslash':
      changeActiveField(app, (field) => replaceRange(field, field.cursor - 1, field.cursor, '\n'));
      break;
  }
}

/**
 * Handles Enter for menus, fields and prompts, which come before the text. Returns false when Enter is for the text.
 */
function wasHandledByPrompt(app: App): boolean {
  const {menu, activePart, isPreviewed, pastePrompt} = app.screen.composer;
  if (menu?.index !== undefined) acceptCompletion(app);
  else if (activePart === 'to' || activePart === 'topic') moveActivePart(app, 1);
  else if (activePart === 'send') sendComposedMessage(app);
  // The offer to shorten a URL does not keep a message from being sent.
  else if ((dismissPastePrompt(app) && pastePrompt?.kind !== 'url') || acceptMovedDestination(app)) return true;
  else if (isPreviewed) sendComposedMessage(app);
  else return false;
  return true;
}

/**
 * Esc: closes the innermost open part; the composer last, whose text is saved. Warnings that ask nothing, such as that the text
 * is empty, are not such a part.
 */
export function pressEscape(app: App): void {
  const {composer} = app.screen;
  if (composer.menu !== undefined) closeCompletionMenu(app);
  else if (dismissPastePrompt(app) || keepDestination(app)) return;
  else if (composer.warnings.some(({isBlocking}) => !isBlocking)) setComposer(app, {...composer, warnings: []});
  else if (composer.isPreviewed) toggleComposerPreview(app);
  else closeComposer(app);
}

/** Sends the message regardless of the Enter setting; an empty composer closes. */
export function pressSend(app: App): void {
  const {composer} = app.screen;
  if (isEmptyComposer(composer) && composer.editing === undefined) closeComposer(app);
  else sendComposedMessage(app);
}

const indent = '    ';

/** In a destination field, Tab accepts a completion only if the user selected one. */
function acceptsCompletion({activePart, menu}: ComposerState): boolean {
  return activePart === 'text' || activePart === 'send' || menu?.index !== undefined;
}

/** Tab: accepts a completion, indents inside code, or moves to the next part. */
export function pressTab(app: App, isBurst: boolean): void {
  const {composer} = app.screen;
  if (isBurst && composer.activePart === 'text') changeActiveField(app, (field) => insert(field, '\t'));
  else if (composer.menu !== undefined && acceptsCompletion(composer)) acceptCompletion(app);
  else if (composer.activePart === 'text' && isInsideFence(composer.field.text, composer.field.cursor)) {
    changeActiveField(app, (field) => insert(field, indent), 'placed');
  } else moveActivePart(app, 1);
}
