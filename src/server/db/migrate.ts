import type {Database} from './database.ts';
import {foundation} from './migrations/001-foundation.ts';
import {historicalMessages} from './migrations/002-historical-messages.ts';
import {messageHtml} from './migrations/003-message-html.ts';
import {unreadByDefault} from './migrations/004-unread-by-default.ts';
import {administration} from './migrations/005-administration.ts';
import {deferredReindexing} from './migrations/006-deferred-reindexing.ts';
import {groupNames} from './migrations/007-group-names.ts';
import {searchStems} from './migrations/008-search-stems.ts';

/** The schema versions, append-only: a database of an older Parley is migrated step by step. */
const migrations: readonly string[] = [
  foundation,
  historicalMessages,
  messageHtml,
  unreadByDefault,
  administration,
  deferredReindexing,
  groupNames,
  searchStems,
];

/** Returns the version of the schema that this Parley writes. */
export function newestSchema(): number {
  return migrations.length;
}

/** The error when the schema is one that this Parley does not know. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';

  constructor(version: number) {
    super(
      `This data was written by a newer Parley (schema ${version}, this one knows ${migrations.length}). Update Parley.`,
    );
  }
}

/** Brings the schema to the newest version, step by step. */
export function migrate(db: Database): void {
  const version = db.schema;
  if (version > migrations.length) throw new NewerSchema(version);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
