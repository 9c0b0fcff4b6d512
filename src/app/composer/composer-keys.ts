import type {App} from '#app/core/app.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import {openPicker} from '#app/overlays/picker.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {printableLine} from '#std/printable.ts';
import {textGeometry} from '#ui/composer/composer-lines.ts';
import {
  type ComposerState,
  canRecall,
  type Recalled,
  recallNewer,
  recallOlder,
  type SentHistory,
  sentMatches,
  withSent,
} from '#ui/composer/composer-state.ts';
import {sendKeyContext} from '#ui/composer/destination-lines.ts';
import {isInsideFence} from '#ui/text/markup.ts';
import {normalEdits, onCharacter} from '#ui/text/normal-mode.ts';
import {type SendKey, sendOutcome} from '#ui/text/send-keys.ts';
import {
  insert,
  moveBeside,
  moveDown,
  moveUp,
  newline,
  replaceAll,
  replaceRange,
  setText,
  type TextField,
} from '#ui/text/text-field.ts';
import {
  acceptCompletion,
  changeActiveField,
  changeMessageText,
  closeCompletionMenu,
  moveActivePart,
  moveCompletionMenu,
  scrollComposerPreview,
  setComposer,
  toggleComposerPreview,
} from './change-composer.ts';
import {isEmptyComposer} from './check-message.ts';
import {editableOwnMessage, startEdit} from './edit-message.ts';
import {acceptMovedDestination, keepDestination} from './moved-destination.ts';
import {closeComposer, openComposer} from './open-composer.ts';
import {sendComposedMessage} from './send-message.ts';
import {dismissPastePrompt, withClosedChannel} from './type-into-composer.ts';

/** The number of loaded messages searched for the user's own. */
const lookBack = 5000;
const maxRecalled = 200;

/** The user's own texts, newest first: the outbox, then the loaded messages of all conversations. */
const sentHistory = memoBySlices(
  ['messages', 'outbox', 'self'],
  ({messages, outbox, self}: AccountState): SentHistory => {
    const texts: string[] = outbox.map(({content}) => content).reverse();
    let count = 0;
    for (const [, message] of messages.byId.entriesReversed()) {
      if (++count > lookBack || texts.length >= maxRecalled) break;
      if (message.senderId === self.userId && message.submessages.length === 0) texts.push(message.content);
    }
    return texts.reduceRight<SentHistory>(withSent, []);
  },
);

/** The wheel scrolls the messages above; the arrow key moves a row, into the menu, or to a previously sent text. */
export function moveRowOrRecall(app: App, step: 1 | -1, isWheel: boolean): void {
  const {composer} = app.screen;
  if (isWheel) moveInMessages(app, {by: 'line', step});
  else if (composer.isPreviewed) scrollComposerPreview(app, step);
  else if (composer.menu !== undefined) moveCompletionMenu(app, step);
  else if (composer.activePart !== 'text') moveActivePart(app, step);
  else if (step === -1) {
    if (!movedRow(app, moveUp)) recallPrevious(app);
  } else if (!movedRow(app, moveDown)) recallNext(app);
}

function movedRow(app: App, move: typeof moveUp): boolean {
  const {layout} = textGeometry(app.frame);
  return changeActiveField(app, (field) => move(field, layout), 'placed');
}

/**
 * On the first row: in an empty composer starts editing the user's last message; otherwise recalls the previous sent
 * text.
 */
function recallPrevious(app: App): void {
  const {target, field, editing, recall} = app.screen.composer;
  if (editing !== undefined) {
    if (field.text !== editing.before) return;
    const older = editableOwnMessage(app, target, {id: editing.messageId, step: -1});
    if (older !== undefined) startEdit(app, older);
    return;
  }
  if (!canRecall(recall, field.text)) return;
  const last = field.text === '' && recall === undefined ? editableOwnMessage(app, target) : undefined;
  if (last !== undefined) startEdit(app, last);
  else show(app, recallOlder(recall, sentHistory(app.state), field));
}

function recallNext(app: App): void {
  const {target, field, editing, recall} = app.screen.composer;
  if (editing !== undefined) {
    if (field.text !== editing.before) return;
    const newer = editableOwnMessage(app, target, {id: editing.messageId, step: 1});
    if (newer !== undefined) startEdit(app, newer);
    else {
      closeComposer(app);
      openComposer(app, {target});
    }
    return;
  }
  if (recall !== undefined && canRecall(recall, field.text)) show(app, recallNewer(recall));
}

function show(app: App, recalled: Recalled<TextField> | undefined): void {
  if (recalled === undefined) return;
  const {composer} = app.screen;
  const isSent = recalled.kind === 'sent';
  const field = isSent
    ? {...setText(composer.field, recalled.text), changes: composer.field.changes}
    : recalled.written;
  // A recalled text was sent already, so it becomes a draft only when the user changes it.
  setComposer(app, {field, recall: isSent ? recalled.recall : undefined, warnings: []});
}

/** Ctrl-R: opens a picker of sent texts, filtered by their letters. */
export function openSentPicker(app: App): void {
  openPicker(app, {
    id: 'sent',
    title: 'Sent messages',
    placeholder: 'type to filter',
    hint: {Enter: 'inserts it'},
    rows: ({account}, query) =>
      sentMatches(sentHistory(account), query).map((text, at) => ({
        key: `${at}`,
        label: printableLine(text),
        right: text.includes('\n') ? `${text.split('\n').length} lines` : undefined,
      })),
    accept: (from, {key}) => {
      const query = queryOf(from);
      const text = sentMatches(sentHistory(from.state), query)[Number(key)];
      from.closeOverlay();
      if (text !== undefined) changeMessageText(from, (field) => replaceAll(field, text));
    },
  });
}

function queryOf({screen}: App): string {
  const top = screen.overlays.at(-1);
  return top?.kind === 'picker' ? top.field.text : '';
}

/** Handles Enter and its variants. Within a pasted burst they are only text. */
export function pressEnter(app: App, key: SendKey, isBurst: boolean): void {
  if (key === 'Enter' && !isBurst && wasHandledByPrompt(app)) return;
  switch (sendOutcome(key, sendKeyContext(app.state, app.screen.composer, isBurst))) {
    case 'send':
      sendComposedMessage(app);
      break;
    case 'newline':
      changeActiveField(app, (field) => newline(withClosedChannel(app, field)));
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
 * Esc: closes the innermost open part; the composer last, whose text is saved. The reasons why a text was not sent are such a
 * part, so that the text stays where the user sees it; that there is no text yet is not. `hasNormalMode`: the normal mode comes
 * before closing.
 */
export function pressEscape(app: App, hasNormalMode: boolean): void {
  const {composer} = app.screen;
  if (composer.menu !== undefined) closeCompletionMenu(app);
  else if (dismissPastePrompt(app) || keepDestination(app)) return;
  else if (composer.warnings.length > 0 && !isEmptyComposer(composer)) {
    setComposer(app, {warnings: []});
    app.toast('Not sent: the text is still here');
  } else if (composer.isPreviewed) toggleComposerPreview(app);
  else if (hasNormalMode && !composer.isNormal && composer.activePart === 'text' && !isEmptyComposer(composer)) {
    changeActiveField(app, (field) => onCharacter(normalEdits.left[1](field)), 'placed');
    setComposer(app, {isNormal: true});
  } else closeComposer(app);
}

/** Changes the text in the normal mode; `isNormal`: whether the mode stays. */
export function editInNormalMode(app: App, edit: (field: TextField) => TextField, isNormal: boolean): void {
  changeActiveField(app, isNormal ? (field) => onCharacter(edit(field)) : edit, 'placed');
  setComposer(app, {isNormal});
}

/** Moves one row up or down in the text. */
export function moveRow(app: App, step: 1 | -1): void {
  movedRow(app, step === 1 ? moveDown : moveUp);
}

/** Moves by a character to the left or right on the screen. */
export function moveSideways(app: App, step: 1 | -1): void {
  const {frame} = app;
  const layout = app.screen.composer.activePart === 'text' ? textGeometry(frame).layout : undefined;
  changeActiveField(app, (field) => moveBeside(field, step, frame.display.bidi, layout), 'placed');
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
