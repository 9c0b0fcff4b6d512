import {conversationOfNarrow} from '#state/model/narrow.ts';
import {parseSearch, searchText} from '#state/selectors/search/parse-search.ts';
import type {App} from '#ui/core/app.ts';
import {openNarrow} from '#ui/navigation/navigation.ts';
import {recordSearch} from './search-history.ts';

/**
 * Opens the results of a search, at the newest. Returns false when a part of it is not understood: results without that
 * part would answer another question.
 */
export function runSearch(app: App, text: string): boolean {
  const {narrow, problems} = parseSearch(app.state, text);
  if (narrow.length === 0 || problems.length > 0) return false;
  // With whole names, so that the title says who was found.
  const query = searchText(narrow, app.state);
  recordSearch(app, query);
  const isConversation = conversationOfNarrow(narrow) !== undefined;
  openNarrow(app, narrow, {query, ...(!isConversation && {anchor: 'newest'})});
  return true;
}
