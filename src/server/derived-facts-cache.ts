import type {Database} from '#server/db/database.ts';

/**
 * Facts derived from the database that every send needs: computed on first use, forgotten when a write touches what
 * they derive from. A rolled-back transaction forgets everything, so nothing uncommitted is ever remembered.
 */
export class DerivedFactsCache {
  readonly #db: Database;
  readonly #facts = new Map<string, unknown>();

  constructor(db: Database) {
    this.#db = db;
  }

  get<T>(fact: DerivedFact<T>): T {
    if (!this.#facts.has(fact.name)) this.#facts.set(fact.name, fact.derive(this.#db));
    // The key's name ties the entry to the type its own `derive` gave.
    return this.#facts.get(fact.name) as T;
  }

  invalidate(fact: {readonly name: string}): void {
    this.#facts.delete(fact.name);
  }

  invalidateAll(): void {
    this.#facts.clear();
  }
}

export interface DerivedFact<T> {
  readonly name: string;
  readonly derive: (db: Database) => T;
}

/** A fact per id, such as the subscribers of a channel. */
export function derivedFactById<T>(
  name: string,
  derive: (db: Database, id: number) => T,
): (id: number) => DerivedFact<T> {
  return (id) => ({name: `${name}:${id}`, derive: (db) => derive(db, id)});
}
