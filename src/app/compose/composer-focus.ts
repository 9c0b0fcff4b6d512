import type {App} from '#app/core/app.ts';
import {moveToEnd} from '#app/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {completionMenuFor} from './completion-menu.ts';
import type {ComposerField, ComposerState} from './composer-state.ts';
import {recipientsOf, recipientsProblem} from './recipients.ts';

/** The parts that take keys, from the top. */
function composerFields({recipients}: ComposerState): readonly ComposerField[] {
  if (recipients === undefined) return ['text', 'send'];
  return recipients.kind === 'channel' ? ['to', 'topic', 'text', 'send'] : ['to', 'text', 'send'];
}

/** The next part, or the one before. From the text back to a destination that is not being written, it is. */
export function moveActivePart(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const places = composerFields(composer);
  const at = places.indexOf(composer.activePart);
  const next = places[at + step];
  if (next === undefined) {
    if (step === -1 && composer.recipients === undefined) editRecipients(app, 'last');
    else if (step === 1) goTo(app, places[0] ?? 'text');
    return;
  }
  if (step === 1 && composer.activePart === 'to' && !areRecipientsValid(app)) return;
  goTo(app, next);
}

/** What is not clear is said; the keys stay there. */
function areRecipientsValid(app: App): boolean {
  const {recipients} = app.screen.composer;
  const problem = recipients === undefined ? undefined : recipientsProblem(app.state, recipients);
  if (problem === undefined) return true;
  app.toast(problem, 'warning');
  return false;
}

function goTo(app: App, place: ComposerField): void {
  const {composer} = app.screen;
  // Back at the text, a destination that is clear folds into its line.
  const isDone = place === 'text' && composer.target.kind !== 'none';
  const moved: ComposerState = {
    ...composer,
    activePart: place,
    recipients: isDone ? undefined : composer.recipients,
    menu: undefined,
    menuClosedAt: undefined,
  };
  setComposer(app, place === 'topic' ? {...moved, menu: completionMenuFor(app, moved)} : moved);
}

/** Ctrl-T: the destination as fields; again, back to the text. */
export function toggleDestinationFields(app: App): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined) {
    app.toast('A message is moved with m, not by editing it', 'warning');
  } else if (composer.recipients !== undefined && composer.target.kind !== 'none') goTo(app, 'text');
  else editRecipients(app, 'first');
}

function editRecipients(app: App, which: 'first' | 'last'): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined) return;
  const given = composer.recipients ?? recipientsOf(app.state, composer.target);
  const recipients = {...given, to: moveToEnd(given.to), topic: moveToEnd(given.topic)};
  const place = which === 'last' && recipients.kind === 'channel' ? 'topic' : 'to';
  setComposer(app, {...composer, recipients, activePart: place, menu: undefined, isPreviewed: false});
}
