import type {Database} from './database.ts';

/** Returns a fact about the organization as a whole, such as its last backup; undefined if there is none of this name. */
export function metaValue(db: Database, key: string): string | undefined {
  return db.value<string>('SELECT value FROM meta WHERE key = ?', key);
}

/** Stores a fact about the organization as a whole. */
export function storeMeta(db: Database, key: string, value: string): void {
  db.replaceRow('meta', {key, value});
}
