import type {Database} from '#server/db/database.ts';
import {exportFile} from './upload-path.ts';

/** A file that a row refers to. The size is known for uploads only. */
export interface FileReference {
  readonly path: string;
  readonly size: number | null;
}

/** Collects the files of the file store that rows refer to, in a temporary table of this connection. */
export function collectFileReferences(db: Database): void {
  db.exec(/* sql */ `
    CREATE TEMP TABLE file_reference (path TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID;
    INSERT OR IGNORE INTO file_reference
      SELECT path_id, size FROM attachment
      UNION ALL SELECT 'avatars/' || avatar_file, NULL FROM user WHERE avatar_file IS NOT NULL
      UNION ALL SELECT file, NULL FROM realm_emoji
      UNION ALL SELECT json_extract(value, '$'), NULL FROM realm_setting
        WHERE name IN ('icon_file', 'logo_file', 'night_logo_file') AND value != 'null';
  `);
  // A copy that is checked may be of an older version.
  if (db.get(`SELECT 1 FROM sqlite_schema WHERE name = 'data_export'`) === undefined) return;
  for (const url of db.pluck<string>('SELECT url FROM data_export WHERE url IS NOT NULL')) {
    db.run('INSERT OR IGNORE INTO file_reference (path) VALUES (?)', exportFile(url));
  }
}

export function fileReferences(db: Database): Generator<FileReference> {
  return db.each<FileReference>('SELECT path, size FROM file_reference');
}

export function isFileReferenced(db: Database, path: string): boolean {
  return db.get('SELECT 1 FROM file_reference WHERE path = ?', path) !== undefined;
}
