import {completionMenuFor} from '#app/completion-menu/refresh-completion-menu.ts';
import type {App} from '#app/core/app.ts';
import type {AccountState} from '#state/state.ts';
import {composerParts, fitComposerParts, promptColumns, textCursor, textGeometry} from '#ui/composer/composer-lines.ts';
import {activeField, type ComposerField, type ComposerState} from '#ui/composer/composer-state.ts';
import {targetConversation} from '#ui/composer/destination.ts';
import {
  chosenTarget,
  namesChannelWithoutTopics,
  parseRecipients,
  recipientsOf,
  recipientsProblem,
  topicProblem,
  withDetectedKind,
  withFullNames,
} from '#ui/composer/recipients.ts';
import type {Frame} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import type {Completion} from '#ui/search/completion.ts';
import {moveTo, moveToEnd, replaceRange, type TextField} from '#ui/text/text-field.ts';
import {offsetAt, positionOf, scrolledTopRow} from '#ui/text/text-layout.ts';

/** The kind of change: only typed text opens the completion menu. */
export type ChangeKind = 'typed' | 'placed';

/**
 * Sets fields of the composer's state and scrolls so that its cursor is visible. Every change of the composer goes through here.
 */
export function setComposer(app: App, fields: Partial<ComposerState>): void {
  const composer = {...app.screen.composer, ...fields};
  app.set({composer});
  // The user scrolls a preview.
  if (composer.isPreviewed) return;
  const top = composer.field.text === '' ? 0 : topRowWithCursor(app.frame);
  if (top !== composer.top) app.set({composer: {...composer, top}});
}

/** Returns the first row of the text to show, scrolled no further than the cursor needs. */
function topRowWithCursor(frame: Frame): number {
  const {field, top} = frame.screen.composer;
  const {layout, height} = textGeometry(frame);
  return scrolledTopRow(layout, positionOf(layout, field.cursor).row, height, top);
}

/** Opens the composer with these fields, and gives it the keyboard. */
export function focusComposer(app: App, fields: Partial<ComposerState>): void {
  const sendKeys = {enterSends: app.settings.enterSends, reportsShiftEnter: app.device.reportsShiftEnter};
  setComposer(app, {...fields, isOpen: true, sendKeys});
  app.set({focus: 'composer'});
}

/**
 * Changes the field that has the keyboard: the text, or a part of the destination. Returns false when nothing changed.
 */
export function changeActiveField(
  app: App,
  change: (field: TextField) => TextField,
  kind: ChangeKind = 'typed',
): boolean {
  const before = app.screen.composer;
  const old = activeField(before);
  const field = change(old);
  if (field === old) {
    if (before.menu !== undefined) setComposer(app, {menu: undefined});
    return false;
  }
  const isSameText = field.text === old.text;
  const changed = withField(app, before, field);
  if (isSameText) {
    setComposer(app, {...changed, menu: undefined});
    return true;
  }
  const fresh: ComposerState = {
    ...changed,
    isOpen: true,
    warnings: [],
    pastePrompt: undefined,
    menu: undefined,
  };
  const menuClosedAt = stillClosedAt(before, field);
  const menu = kind === 'typed' ? completionMenuFor(app, {...fresh, menuClosedAt}) : undefined;
  setComposer(app, {...fresh, menu, menuClosedAt: kind === 'typed' ? menuClosedAt : undefined});
  afterTextChange(app);
  return true;
}

function withField(app: App, composer: ComposerState, field: TextField): ComposerState {
  const {activePart, recipients} = composer;
  if (recipients === undefined || activePart === 'text' || activePart === 'send') {
    return {...composer, activePart: activePart === 'send' ? 'text' : activePart, field};
  }
  const next = withDetectedKind(activePart === 'to' ? {...recipients, to: field} : {...recipients, topic: field});
  return {...composer, recipients: next, target: parseRecipients(app.state, next), anchor: undefined};
}

/** A menu that the user closed stays closed until the cursor moves before its start. */
function stillClosedAt({menuClosedAt}: ComposerState, {cursor}: TextField): number | undefined {
  return menuClosedAt !== undefined && cursor > menuClosedAt ? menuClosedAt : undefined;
}

/** Changes the message text, also when another part of the composer has the keyboard. */
export function changeMessageText(app: App, change: (field: TextField) => TextField): void {
  const {composer} = app.screen;
  if (composer.activePart !== 'text') setComposer(app, {activePart: 'text', menu: undefined});
  changeActiveField(app, change, 'placed');
}

/** Schedules saving the draft and sends the typing notification, after the text or the destination changed. */
export function afterTextChange(app: App): void {
  app.composerPersistence.scheduleSave();
  const {typing} = app.session;
  const {target, field, editing, activePart} = app.screen.composer;
  const conversation = targetConversation(target);
  if (field.text.trim() === '') typing.pause();
  else if (editing !== undefined) typing.noteEditing(editing.messageId);
  else if (conversation !== undefined && activePart === 'text') typing.noteTyping(conversation);
}

/** Moves the text cursor to the clicked cell. A click elsewhere in the composer does nothing. */
export function placeTextCursorAt(app: App, {x, y}: {readonly x: number; readonly y: number}): void {
  const {frame} = app;
  const {composer: rect} = screenLayout(frame);
  const parts = composerParts(frame);
  const {layout, preview} = parts;
  if (rect === undefined || preview !== undefined) return;
  const {above, height} = fitComposerParts(parts, rect.rows);
  const line = y - rect.y - above.length;
  if (line < 0 || line >= height) return;
  const top = scrolledTopRow(layout, textCursor(frame).row, height, frame.screen.composer.top);
  const offset = offsetAt(layout, top + line, Math.max(0, x - rect.x - promptColumns));
  changeMessageText(app, (field) => moveTo(field, offset));
}

/** The focusable parts, top to bottom. */
function composerFields(state: AccountState, {recipients}: ComposerState): readonly ComposerField[] {
  if (recipients === undefined) return ['text', 'send'];
  return recipients.kind === 'channel' && !namesChannelWithoutTopics(state, recipients)
    ? ['to', 'topic', 'text', 'send']
    : ['to', 'text', 'send'];
}

/**
 * Moves the focus to the next or previous part. Moving back from the text opens the destination fields when they are
 * closed.
 */
export function moveActivePart(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const parts = composerFields(app.state, composer);
  const at = parts.indexOf(composer.activePart);
  const next = parts[at + step];
  if (next === undefined) {
    if (step === -1 && composer.recipients === undefined) editRecipients(app, 'last');
    else if (step === 1) focusPart(app, parts[0] ?? 'text');
    return;
  }
  if (step === 1 && !isFieldValid(app)) return;
  completeNames(app);
  focusPart(app, next);
}

/** Shows a toast and returns false when the recipients cannot be resolved, or the channel refuses the topic. */
function isFieldValid(app: App): boolean {
  const {recipients, activePart} = app.screen.composer;
  const check = activePart === 'to' ? recipientsProblem : activePart === 'topic' ? topicProblem : undefined;
  return !app.warn(recipients && check?.(app.state, recipients));
}

/** Writes out the names of the recipients that the user leaves. */
function completeNames(app: App): void {
  const {composer} = app.screen;
  if (composer.activePart !== 'to' || composer.recipients === undefined) return;
  const recipients = withFullNames(app.state, composer.recipients);
  setComposer(app, {recipients, target: parseRecipients(app.state, recipients)});
}

function focusPart(app: App, part: ComposerField): void {
  const {composer} = app.screen;
  // Back at the text, a valid destination collapses into one line.
  const target = part === 'text' ? chosenTarget(app.state, composer) : composer.target;
  const isDone = part === 'text' && target.kind !== 'none';
  const moved: ComposerState = {
    ...composer,
    target,
    activePart: part,
    recipients: isDone ? undefined : composer.recipients,
    menu: undefined,
    menuClosedAt: undefined,
  };
  setComposer(app, part === 'topic' ? {...moved, menu: completionMenuFor(app, moved)} : moved);
  if (target !== composer.target) afterTextChange(app);
}

/** Ctrl-T: opens the destination fields, or returns to the text. */
export function toggleDestinationFields(app: App): void {
  const {composer} = app.screen;
  if (composer.recipients !== undefined && composer.target.kind !== 'none') focusPart(app, 'text');
  else editRecipients(app, 'first');
}

/** Opens the destination fields at the first or last of them. */
export function editRecipients(app: App, which: 'first' | 'last'): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined) return;
  const current = composer.recipients ?? recipientsOf(app.state, composer.target);
  const recipients = {...current, to: moveToEnd(current.to), topic: moveToEnd(current.topic)};
  const part =
    which === 'last' && composerFields(app.state, {...composer, recipients}).includes('topic') ? 'topic' : 'to';
  setComposer(app, {recipients, activePart: part, menu: undefined, isPreviewed: false});
}

/** Scrolls a long preview by one line. */
export function scrollComposerPreview(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const {preview = []} = composerParts(app.frame);
  const maxTop = Math.max(0, preview.length - textGeometry(app.frame).height);
  setComposer(app, {top: Math.max(0, Math.min(composer.top + step, maxTop))});
}

export function toggleComposerPreview(app: App): void {
  const {composer} = app.screen;
  setComposer(app, {isPreviewed: !composer.isPreviewed, activePart: 'text', menu: undefined, top: 0});
}

export function moveCompletionMenu(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const {menu} = composer;
  if (menu === undefined) return;
  const count = menu.completion.options.length;
  const from = menu.index ?? (step === 1 ? -1 : count);
  setComposer(app, {menu: {...menu, index: (from + step + count) % count}});
}

/** Selects the option at `index` and inserts it. */
export function acceptCompletionAt(app: App, index: number): void {
  const {composer} = app.screen;
  if (composer.menu?.completion.options[index] === undefined) return;
  setComposer(app, {menu: {...composer.menu, index}});
  acceptCompletion(app);
}

export function closeCompletionMenu(app: App): void {
  const {composer} = app.screen;
  if (composer.menu === undefined) return;
  setComposer(app, {menu: undefined, menuClosedAt: composer.menu.completion.start});
}

/** Inserts the selected option, or the first one when none is selected. */
export function acceptCompletion(app: App): void {
  const {menu} = app.screen.composer;
  const option = menu?.completion.options[menu.index ?? 0];
  if (menu === undefined || option === undefined) return;
  if (app.warn(option.refusal)) return;
  const isDrilled = option.drill !== undefined;
  const put = (field: TextField) => inserted(field, menu.completion, option.drill ?? option.insert, option.caret);
  const {activePart, recipients} = app.screen.composer;
  changeActiveField(app, put, isDrilled ? 'typed' : 'placed');
  // A destination has one channel and one topic, but may have several people: the focus stays there.
  if (activePart === 'topic' || (activePart === 'to' && recipients?.kind === 'channel')) moveActivePart(app, 1);
}

function inserted(field: TextField, {start, end}: Completion, text: string, caret?: number): TextField {
  return replaceRange(field, start, Math.max(end, field.cursor), text, caret);
}
