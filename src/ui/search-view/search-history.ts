import type {App} from '#ui/core/app.ts';
import {persistValue, readPersistedValue} from '#ui/core/persisted-value.ts';

const storageKey = 'searches';
const maxSearches = 50;

/** Returns the previous searches, latest first, without duplicates. */
export function searchHistory(app: App): readonly string[] {
  return readPersistedValue(app, storageKey, (value) =>
    Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [],
  );
}

export function recordSearch(app: App, text: string): void {
  const others = searchHistory(app).filter((other) => other !== text);
  persistValue(app, storageKey, [text, ...others].slice(0, maxSearches));
}
