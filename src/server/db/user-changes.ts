/** With more changes than this, all users count as changed. */
const maxNoted = 1000;

/** The tables that the API's user objects are made from, with the column that says to which user a row belongs. */
const userColumns = {user: 'id', profile_value: 'user_id', profile_field: undefined, linkifier: undefined};
const changedRows = {INSERT: 'new', UPDATE: 'new', DELETE: 'old'};

/** Returns SQL that makes SQLite report changed rows, by whatever statement, to the function `note_user_change`. */
export function userChangeTriggers(): string {
  return Object.entries(userColumns)
    .flatMap(([table, column]) =>
      Object.entries(changedRows).map(
        ([change, row]) => `CREATE TEMP TRIGGER ${table}_${change} AFTER ${change} ON main.${table}
          BEGIN SELECT note_user_change(${column === undefined ? 'NULL' : `${row}.${column}`}); END;`,
      ),
    )
    .join('\n');
}

/** Which users changed since a version, so that what is made of their rows can be cached. */
export class UserChanges {
  #version = 0;
  /** The version when all users may have changed. */
  #allChangedAt = 0;
  readonly #changedAt = new Map<number, number>();
  #transactionStart = 0;

  /** A number that changes with every change of a user, and when one is undone. */
  get version(): number {
    return this.#version;
  }

  /** Records the change of one user, or of all; returns the new version. */
  note(userId: number | null): number {
    this.#version++;
    if (userId !== null && this.#changedAt.size < maxNoted) {
      this.#changedAt.set(userId, this.#version);
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
    for (const userId of undone) this.note(userId);
  }

  /** Returns the users that changed after a version; undefined means that all may have. */
  since(version: number): number[] | undefined {
    if (version < this.#allChangedAt) return undefined;
    if (version === this.#version) return [];
    return [...this.#changedAt].filter(([, changedAt]) => changedAt > version).map(([userId]) => userId);
  }
}
