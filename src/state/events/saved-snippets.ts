import {withSlices, withValue} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import type {SavedSnippetsEvent} from '#wire/events/saved-snippets.ts';

export function applySavedSnippets(state: AccountState, event: SavedSnippetsEvent): AccountState {
  const {snippets} = state;
  return withSlices(state, {
    snippets:
      event.op === 'remove'
        ? snippets.without(event.saved_snippet_id)
        : withValue(snippets, event.saved_snippet.id, camelKeys(event.saved_snippet)),
  });
}
