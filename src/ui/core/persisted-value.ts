import type {App} from './app.ts';

/**
 * Reads a small value of the screen's state that is saved as JSON. A value that cannot be read or written
 * never stops the program: none of them contains text of the user.
 */
export function readPersistedValue<T>(app: App, name: string, read: (value: unknown) => T): T {
  try {
    const json = app.session.context.store.keyValues.get(name);
    return read(json === undefined ? undefined : JSON.parse(json));
  } catch {
    return read(undefined);
  }
}

/** Saves a value; returns false when writing to disk failed. */
export function persistValue(app: App, name: string, value: unknown): boolean {
  try {
    app.session.context.store.keyValues.set(name, JSON.stringify(value));
    return true;
  } catch (error) {
    app.session.context.log(`Could not save “${name}”`, error);
    return false;
  }
}
