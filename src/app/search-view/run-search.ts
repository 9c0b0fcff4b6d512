import type {App} from '#app/core/app.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import {recordSearch} from './search-history.ts';

/** Opens the results of a search, at the newest. Returns false when nothing of it could be understood. */
export function runSearch(app: App, text: string): boolean {
  const query = text.trim();
  const {narrow, problems} = parseSearch(app.state, query);
  const [problem] = problems;
  if (problem !== undefined) app.toast(problem, 'warning');
  if (narrow.length === 0) return false;
  recordSearch(app, query);
  const isConversation = conversationOfNarrow(narrow) !== undefined;
  openNarrow(app, narrow, {query, ...(!isConversation && {anchor: 'newest'})});
  return true;
}
