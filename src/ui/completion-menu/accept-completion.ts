import {changeActiveField, moveActivePart, setComposer} from '#ui/composer/change-composer.ts';
import type {App} from '#ui/core/app.ts';
import {replaceRange, type TextField} from '#ui/text/text-field.ts';
import type {Completion} from './completion.ts';

export function moveCompletionMenu(app: App, step: 1 | -1): void {
  const {composer} = app.screen;
  const {menu} = composer;
  if (menu === undefined) return;
  const count = menu.completion.options.length;
  const from = menu.index ?? (step === 1 ? -1 : count);
  setComposer(app, {...composer, menu: {...menu, index: (from + step + count) % count}});
}

/** Selects the option at `index` and inserts it. */
export function acceptCompletionAt(app: App, index: number): void {
  const {composer} = app.screen;
  if (composer.menu?.completion.options[index] === undefined) return;
  setComposer(app, {...composer, menu: {...composer.menu, index}});
  acceptCompletion(app);
}

export function closeCompletionMenu(app: App): void {
  const {composer} = app.screen;
  if (composer.menu === undefined) return;
  setComposer(app, {...composer, menu: undefined, menuClosedAt: composer.menu.completion.start});
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
