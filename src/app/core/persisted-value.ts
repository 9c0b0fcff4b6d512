import type {App} from './app.ts';

/**
 * Small things of the screen that outlive it, one JSON value each. What cannot be read or written is no reason to stop:
 * none of it is anybody's words.
 */
export function readPersistedValue<T>(app: App, name: string, read: (value: unknown) => T): T {
  try {
    const json = app.session.context.store.keyValues.get(name);
    return read(json === undefined ? undefined : JSON.parse(json));
  } catch {
    return read(undefined);
  }
}

/** False when the disk did not take it. */
export function persistValue(app: App, name: string, value: unknown): boolean {
  try {
    app.session.context.store.keyValues.set(name, JSON.stringify(value));
    return true;
  } catch (error) {
    app.session.context.log(`The note “${name}” was not kept`, error);
    return false;
  }
}
