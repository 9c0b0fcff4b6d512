import {existsSync, statSync} from 'node:fs';
import {errorText} from '#std/error-text.ts';
import {Database, realPath} from './database.ts';
import {checkUserDataTables, formatOf, migrations} from './migrations.ts';
import {isUnusableFileError} from './store-failures.ts';

interface StoreInspection {
  readonly state: 'ok' | 'missing' | 'corrupt' | 'newer' | 'unreadable';
  /** A sentence for the user. */
  readonly detail: string;
}

/** Checks the file of an account without changing it; thorough, so a large file takes a second. */
export function inspectStore(path: string): StoreInspection {
  const file = realPath(path);
  try {
    const stats = statSync(file, {throwIfNoEntry: false});
    if (stats === undefined) return {state: 'missing', detail: 'Nothing is saved yet.'};
    if (!stats.isFile()) return {state: 'unreadable', detail: `${file} is not a file.`};
    if (existsSync(`${file}-wal`)) return inspectFile(file, 'read');
  } catch (error) {
    return {state: 'unreadable', detail: `${file}: ${errorText(error)}.`};
  }
  // Without a log no process has the file open. If one opens it at this moment it may look damaged; a second
  // check decides.
  const inspection = inspectFile(file, 'immutable');
  return inspection.state === 'corrupt' ? inspectFile(file, 'read') : inspection;
}

function inspectFile(path: string, access: 'read' | 'immutable'): StoreInspection {
  let db: Database | undefined;
  try {
    db = new Database(path, access);
    return inspectContents(db);
  } catch (error) {
    return {
      state: isUnusableFileError(error) ? 'corrupt' : 'unreadable',
      detail: `${path}: ${errorText(error)}.`,
    };
  } finally {
    db?.close();
  }
}

function inspectContents(db: Database): StoreInspection {
  const format = formatOf(db);
  if (format > migrations.length) {
    const detail = `It has format ${format}; this version of Parley supports formats up to ${migrations.length}.`;
    return {state: 'newer', detail};
  }
  if (format === 0) return {state: 'ok', detail: 'It is empty.'};
  if (format === migrations.length) checkUserDataTables(db);
  const problem = db.first('PRAGMA quick_check(1)')?.quick_check;
  if (problem !== 'ok') return {state: 'corrupt', detail: String(problem)};
  const counts = ['message', 'outbox', 'draft'].map((table) => db.number(`SELECT count(*) FROM ${table}`));
  const [messages, unsent, drafts] = counts;
  const bytes = db.number('PRAGMA page_count') * db.number('PRAGMA page_size');
  const size = (bytes / 1_000_000).toFixed(1);
  return {state: 'ok', detail: `${messages} messages, ${unsent} unsent, ${drafts} drafts, ${size} MB.`};
}
