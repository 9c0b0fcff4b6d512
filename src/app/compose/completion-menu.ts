import type {CompletionContext} from '#app/completion/completion.ts';
import {completionAt} from '#app/completion/completion-at.ts';
import type {App} from '#app/core/app.ts';
import {latinText} from '#app/text/latin-keyboard.ts';
import {activeField, type CompletionMenu, type ComposerState} from './composer-state.ts';
import {targetConversation} from './destination.ts';

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
    remap: latinText,
  });
  if (completion === undefined || completion.start === composer.menuClosedAt) return undefined;
  return {completion, index: completion.selects === 'first' ? 0 : undefined};
}

function completionField({activePart, recipients}: ComposerState): CompletionContext['field'] {
  if (activePart === 'topic') return 'topic';
  if (activePart === 'to') return recipients?.kind === 'people' ? 'people' : 'channel';
  return 'message';
}
