import type {App} from '#app/core/app.ts';
import {completionAt} from '#ui/completion-menu/completion-at.ts';
import {activeField, type CompletionMenu, type ComposerState} from '#ui/composer/composer-state.ts';
import {targetConversation} from '#ui/composer/destination.ts';
import type {CompletionContext} from '#ui/search/completion.ts';
import {latinText} from '#ui/text/send-keys.ts';

/**
 * Returns the completions at the cursor. Computed only when the text changes, so that the options do not move while
 * the user picks one.
 */
export function completionMenuFor(app: App, composer: ComposerState): CompletionMenu | undefined {
  const {text, cursor} = activeField(composer);
  const completion = completionAt(app.state, {
    text,
    cursor,
    conversation: targetConversation(composer.target),
    field: completionField(composer),
    nowMs: app.clock.now(),
    zone: app.display.zone,
    locale: app.display.locale,
    remap: latinText,
  });
  if (completion === undefined || completion.start === composer.menuClosedAt) return undefined;
  return {completion, index: completion.selects === 'first' ? 0 : undefined};
}

/** Computes the open menu again, because topics arrived. The selected option stays selected. */
export function refreshCompletionMenu(app: App): void {
  const {composer} = app.screen;
  if (composer.menu === undefined) return;
  const {completion, index} = composer.menu;
  const menu = completionMenuFor(app, composer);
  const selected = index === undefined ? undefined : completion.options[index]?.insert;
  const at = menu?.completion.options.findIndex(({insert}) => insert === selected) ?? -1;
  app.set({composer: {...composer, menu: menu && {...menu, index: at < 0 ? menu.index : at}}});
}

function completionField({activePart, recipients}: ComposerState): CompletionContext['field'] {
  if (activePart === 'topic') return 'topic';
  if (activePart === 'to') return recipients?.kind === 'people' ? 'people' : 'channel';
  return 'message';
}
