import type {AccountState} from '#state/state.ts';
import {completionMenuFor} from '#ui/completion-menu/completion-menu.ts';
import type {App} from '#ui/core/app.ts';
import {moveToEnd} from '#ui/text/text-field.ts';
import {afterTextChange, setComposer} from './change-composer.ts';
import {composerParts, textGeometry} from './composer-parts.ts';
import type {ComposerField, ComposerState} from './composer-state.ts';
import {
  chosenTarget,
  namesChannelWithoutTopics,
  parseRecipients,
  recipientsOf,
  recipientsProblem,
  topicProblem,
  withFullNames,
} from './recipients.ts';

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
  const problem = recipients === undefined ? undefined : check?.(app.state, recipients);
  if (problem === undefined) return true;
  app.toast(problem, 'warning');
  return false;
}

/** Writes out the names of the recipients that the user leaves. */
function completeNames(app: App): void {
  const {composer} = app.screen;
  if (composer.activePart !== 'to' || composer.recipients === undefined) return;
  const recipients = withFullNames(app.state, composer.recipients);
  setComposer(app, {...composer, recipients, target: parseRecipients(app.state, recipients)});
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
  setComposer(app, {...composer, recipients, activePart: part, menu: undefined, isPreviewed: false});
}

/** Scrolls a long preview by one line. */
export function scrollComposerPreview(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const {preview = []} = composerParts(app.frame);
  const maxTop = Math.max(0, preview.length - textGeometry(app.frame).height);
  setComposer(app, {...composer, top: Math.max(0, Math.min(composer.top + step, maxTop))});
}

export function toggleComposerPreview(app: App): void {
  const {composer} = app.screen;
  setComposer(app, {
    ...composer,
    isPreviewed: !composer.isPreviewed,
    activePart: 'text',
    menu: undefined,
    top: 0,
  });
}
