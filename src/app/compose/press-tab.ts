import type {App} from '#app/core/app.ts';
import {isInsideFence} from '#app/text/fences.ts';
import {insert} from '#app/text/text-field.ts';
import {acceptCompletion} from './accept-completion.ts';
import {changeActiveField} from './change-composer.ts';
import {moveActivePart} from './composer-focus.ts';
import type {ComposerState} from './composer-state.ts';

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
