import {existsSync, statSync} from 'node:fs';
import {Database} from './database.ts';
import {realPath} from './database-files.ts';
import {checkUserDataTables, formatOf, migrations} from './migrations.ts';
import {errorMessage, isUnusableFileError} from './store-failures.ts';

export interface StoreInspection {
  readonly state: 'ok' | 'missing' | 'corrupt' | 'newer' | 'unreadable';
  /** A sentence. */
  readonly detail: string;
}

/** Looks at the file of an account without changing it; thorough, so a large one takes a second. */
export function inspectStore(path: string): StoreInspection {
  const place = realPath(path);
  try {
    const stats = statSync(place, {throwIfNoEntry: false});
    if (stats === undefined) return {state: 'missing', detail: 'Nothing is saved yet.'};
    if (!stats.isFile()) return {state: 'unreadable', detail: `${place} is not a file.`};
    if (existsSync(`${place}-wal`)) return inspected(place, 'read');
  } catch (error) {
    return {state: 'unreadable', detail: `${place}: ${errorMessage(error)}.`};
  }
  // Without a log nobody has it open. If somebody opens it this moment it may look damaged; a second look tells.
  const inspection = inspected(place, 'still');
  return inspection.state === 'corrupt' ? inspected(place, 'read') : inspection;
}

function inspected(path: string, access: 'read' | 'still'): StoreInspection {
  let db: Database | undefined;
  try {
    db = new Database(path, access);
    return contentsOf(db);
  } catch (error) {
    return {
      state: isUnusableFileError(error) ? 'corrupt' : 'unreadable',
      detail: `${path}: ${errorMessage(error)}.`,
    };
  } finally {
    db?.close();
  }
}

function contentsOf(db: Database): StoreInspection {
  const format = formatOf(db);
  if (format > migrations.length) {
    const detail = `It has format ${format}; this Parley knows formats up to ${migrations.length}.`;
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
