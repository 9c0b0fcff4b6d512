import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {parseSearch, searchNote, searchText} from '#state/selectors/search/parse-search.ts';

/**
 * Opens the results of a search, at the newest. Returns false when a part of it is not understood: results without that
 * part would answer another question.
 */
export function runSearch(app: App, text: string): boolean {
  const {narrow, problems} = parseSearch(app.state, text, 'partial', app.clock.now());
  if (narrow.length === 0 || problems.length > 0) return false;
  // With whole names, so that the title says who was found.
  const query = searchText(narrow, app.state);
  recordSearch(app, query);
  const hasPlace = conversationOfNarrow(narrow) !== undefined || narrow.some(({operator}) => operator === 'near');
  openNarrow(app, narrow, {query, ...(!hasPlace && {anchor: 'newest'})});
  const note = searchNote(text);
  if (note !== undefined) app.toast(note);
  return true;
}

const storageKey = 'searches';

const maxSearches = 50;

/** Returns the previous searches, latest first, without duplicates. */
export function searchHistory(app: App): readonly string[] {
  return readPersistedValue(app, storageKey, (value) =>
    Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [],
  );
}

function recordSearch(app: App, text: string): void {
  const others = searchHistory(app).filter((other) => other !== text);
  persistValue(app, storageKey, [text, ...others].slice(0, maxSearches));
}
