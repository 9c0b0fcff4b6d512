/** With more changes than this, all rows count as changed. */
const maxNoted = 1000;

/** The tables whose changes are noted: for what, and the column with the id of what changed; without one, all has. */
const watchedTables: Readonly<Record<string, readonly [keyof DatabaseChanges, column?: string]>> = {
  // What the API shows of users is made from four tables.
  user: ['users', 'id'],
  profile_value: ['users', 'user_id'],
  profile_field: ['users'],
  linkifier: ['users'],
  channel: ['channels', 'id'],
  search_outdated: ['outdatedSearchEntries', 'id'],
};
const changedRows = {INSERT: 'new', UPDATE: 'new', DELETE: 'old'};

/** Returns SQL that makes SQLite report changed rows, by whatever statement, to the function `note_change`. */
export function changeTriggers(): string {
  return Object.entries(watchedTables)
    .flatMap(([table, [changes, column]]) =>
      Object.entries(changedRows).map(
        ([change, row]) => `CREATE TEMP TRIGGER ${table}_${change} AFTER ${change} ON main.${table}
          BEGIN SELECT note_change('${changes}', ${column === undefined ? 'NULL' : `${row}.${column}`}); END;`,
      ),
    )
    .join('\n');
}

/** Which rows changed since a version. */
class RowChanges {
  #version = 0;
  /** The version when all rows may have changed. */
  #allChangedAt = 0;
  readonly #changedAt = new Map<number, number>();
  #transactionStart = 0;

  /** A number that changes with every change of a row, and when one is undone. */
  get version(): number {
    return this.#version;
  }

  /** Records the change of one row, or of all; returns the new version. */
  note(id: number | null): number {
    this.#version++;
    if (id !== null && this.#changedAt.size < maxNoted) {
      this.#changedAt.set(id, this.#version);
    } else {
      this.#changedAt.clear();
      this.#allChangedAt = this.#version;
    }
    return this.#version;
  }

  beginTransaction(): void {
    this.#transactionStart = this.#version;
  }

  /** Counts the changes of the transaction once more: what was read meanwhile is outdated. */
  rollBack(): void {
    const undone = this.since(this.#transactionStart) ?? [null];
    for (const id of undone) this.note(id);
  }

  /** Returns the ids of the rows that changed after a version; undefined means that all may have. */
  since(version: number): number[] | undefined {
    if (version < this.#allChangedAt) return undefined;
    if (version === this.#version) return [];
    return [...this.#changedAt].filter(([, changedAt]) => changedAt > version).map(([id]) => id);
  }
}

/** What changed in one database, so that what is made from its rows can be cached. */
export class DatabaseChanges {
  readonly users = new RowChanges();
  readonly channels = new RowChanges();
  readonly outdatedSearchEntries = new RowChanges();
  readonly #all: ReadonlyMap<unknown, RowChanges> = new Map(Object.entries(this));

  /** Implements `note_change`. */
  note(name: unknown, id: unknown): number {
    return this.#all.get(name)?.note(id === null ? null : Number(id)) ?? 0;
  }

  beginTransaction(): void {
    for (const rows of this.#all.values()) rows.beginTransaction();
  }

  rollBack(): void {
    for (const rows of this.#all.values()) rows.rollBack();
  }
}
