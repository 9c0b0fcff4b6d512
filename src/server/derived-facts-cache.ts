import type {Database} from '#server/db/database.ts';

/**
 * Caches facts derived from the database that every send needs. A fact is computed on first use; the code that writes
 * the rows it derives from must invalidate it. A rolled-back transaction invalidates everything, so nothing
 * uncommitted stays in the cache.
 */
export class DerivedFactsCache {
  readonly #db: Database;
  readonly #facts = new Map<string, unknown>();

  constructor(db: Database) {
    this.#db = db;
  }

  get<T>(fact: DerivedFact<T>): T {
    if (!this.#facts.has(fact.name)) this.#facts.set(fact.name, fact.derive(this.#db));
    // Only this fact's `derive` writes the entry of that name, so the type is known.
    return this.#facts.get(fact.name) as T;
  }

  invalidate(fact: {readonly name: string}): void {
    this.#facts.delete(fact.name);
  }

  invalidateAll(): void {
    this.#facts.clear();
  }
}

/** A named value that is computed from the database. */
export interface DerivedFact<T> {
  readonly name: string;
  readonly derive: (db: Database) => T;
}

/** Returns a function that makes the fact of one id, such as the subscribers of a channel. */
export function derivedFactById<T>(
  name: string,
  derive: (db: Database, id: number) => T,
): (id: number) => DerivedFact<T> {
  return (id) => ({name: `${name}:${id}`, derive: (db) => derive(db, id)});
}
