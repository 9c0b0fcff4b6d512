import type {App} from '#app/core/app.ts';
import {persistValue, readPersistedValue} from '#app/core/persisted-value.ts';

const note = 'searches';
const mostKept = 50;

/** What was searched for, latest first, each once. */
export function searchHistory(app: App): readonly string[] {
  return readPersistedValue(app, note, (value) =>
    Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [],
  );
}

export function recordSearch(app: App, text: string): void {
  const others = searchHistory(app).filter((other) => other !== text);
  persistValue(app, note, [text, ...others].slice(0, mostKept));
}
