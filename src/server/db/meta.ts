import type {Database} from './database.ts';

/** Stores a fact about the organization as a whole. */
export function storeMeta(db: Database, key: string, value: string): void {
  db.replaceRow('meta', {key, value});
}
