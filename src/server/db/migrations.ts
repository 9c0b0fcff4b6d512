import type {Database} from './database.ts';
import {foundation} from './migrations/001-foundation.ts';

/** Numbered and append-only: a data directory made by an older Parley is brought forward step by step. */
const migrations: readonly string[] = [foundation];

export function migrate(db: Database): void {
  const version = db.value('PRAGMA user_version') ?? 0;
  if (version > migrations.length) {
    throw new Error(
      `This data was written by a newer Parley (schema ${version}, this one knows ${migrations.length}).`,
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
