import type {Database} from '#server/db/database.ts';
import {metaValue, storeMeta} from '#server/db/meta.ts';
import {type Infer, object, s} from '#wire/schema.ts';

/** The last backup that was good when it was made. */
export const backupFact = object({path: s.string(), taken_at: s.string(), verified: s.boolean()});

export type BackupFact = Infer<typeof backupFact>;

const key = 'last_backup';

export function storeBackupFact(db: Database, fact: BackupFact): void {
  storeMeta(db, key, JSON.stringify(fact));
}

/** Returns undefined if there was no backup yet. */
export function lastBackup(db: Database): BackupFact | undefined {
  const text = metaValue(db, key);
  return text === undefined ? undefined : JSON.parse(text);
}
