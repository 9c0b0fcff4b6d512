import {type Database, isDatabaseError} from '#server/db/database.ts';
import {NewerSchema, newestSchema} from '#server/db/migrate.ts';
import {fileProblems} from './file-checks.ts';
import {rowChecks} from './row-checks.ts';

const maxIntegrityProblems = 5;

export interface CheckedData {
  /** Opened `asFound`. */
  readonly db: Database;
  /** The directory of the file store. */
  readonly files: string;
  /** The time of the database's state, in milliseconds. */
  readonly takenAt: number;
}

/** Yields a sentence for each problem of the data. Changes nothing. */
export async function* checkData({db, files, takenAt}: CheckedData): AsyncGenerator<string> {
  try {
    const broken = db.pluck<string>(`PRAGMA integrity_check(${maxIntegrityProblems})`).filter((text) => text !== 'ok');
    for (const text of broken) yield `The database is damaged: ${firstLine(text)}.`;
    if (broken.length > 0) return;
    const {schema} = db;
    if (schema === 0) yield 'The database is empty.';
    if (schema > newestSchema()) yield new NewerSchema(schema).message;
    if (schema === 0 || schema > newestSchema()) return;
    for (const {sql, problem, since = 1} of rowChecks()) {
      const count = since > schema ? 0 : (db.value(`SELECT count(*) FROM (${sql})`) ?? 0);
      if (count > 0) yield problem.replace('#', String(count));
    }
    if (!isIndexConsistent(db)) yield 'The search index does not match the messages.';
    yield* fileProblems(db, files, takenAt);
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    yield `The database is damaged: ${firstLine(error.message)}.`;
  }
}

/** Makes the entries that `deferred-message-work.ts` has yet to make. */
const pendingEntries = /* sql */ `
  INSERT INTO message_fts (rowid, content, topic, place)
    SELECT * FROM message_text WHERE id > (SELECT through FROM search_progress);`;
const outdatedEntries = /* sql */ `
  INSERT INTO message_fts (message_fts, rowid, content, topic, place) SELECT 'delete', * FROM search_outdated;
  INSERT INTO message_fts (rowid, content, topic, place)
    SELECT * FROM message_text WHERE id IN (SELECT id FROM search_outdated);`;

/** Compares the search index with the messages, as if no entries were waiting. Everything is undone afterwards. */
function isIndexConsistent(db: Database): boolean {
  class Undo extends Error {}
  try {
    db.transaction(() => {
      if (db.schema >= 6) db.exec(outdatedEntries);
      db.exec(pendingEntries);
      db.run(`INSERT INTO message_fts (message_fts, rank) VALUES ('integrity-check', 1)`);
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return true;
    if (isDatabaseError(error)) return false;
    throw error;
  }
  return true;
}

function firstLine(text: string): string {
  return (text.split('\n').filter((line) => !line.startsWith('***'))[0] ?? text).replace(/\.$/, '');
}
