import {rmSync, statSync} from 'node:fs';
import type {Place} from './account-file-options.ts';
import {configure, Database} from './database.ts';
import {createPrivately, deleteFile} from './database-files.ts';
import {migrate} from './migrations.ts';
import {restore, type Salvaged, salvage, salvageHeadless} from './salvage.ts';
import {reasonOf} from './store-failures.ts';

/** Where the next file is made before it takes its place. */
export function replacementPath(path: string): string {
  return `${path}.fresh`;
}

/**
 * A fresh file beside the old one, with what could be saved from it: whoever is cut off before it is complete still has
 * the old one. Gives the words for what was saved.
 */
export function buildReplacement(place: Place, old: Database): string {
  const path = replacementPath(place.path);
  deleteFile(path);
  const pristine = openFresh(path, place.steps);
  let salvaged: Salvaged | undefined;
  try {
    salvaged = salvage(old);
  } finally {
    pristine.close();
  }
  salvaged ??= headless(place, path);
  if (salvaged !== undefined) fill(path, place.steps, salvaged);
  const log = statSync(`${path}-wal`, {throwIfNoEntry: false});
  if (log !== undefined && log.size > 0) throw new Error('The fresh file could not be completed');
  for (const part of ['-wal', '-shm']) rmSync(path + part, {force: true});
  return wordsFor(salvaged);
}

function openFresh(path: string, steps: readonly string[]): Database {
  createPrivately(path);
  const db = new Database(path);
  try {
    configure(db);
    migrate(db, steps);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function fill(path: string, steps: readonly string[], salvaged: Salvaged): void {
  const db = openFresh(path, steps);
  try {
    restore(db, salvaged);
  } finally {
    db.close();
  }
}

function headless(place: Place, pristinePath: string): Salvaged | undefined {
  const scratchPath = `${place.path}.scratch`;
  try {
    deleteFile(scratchPath);
    createPrivately(scratchPath);
    return salvageHeadless(place.path, pristinePath, scratchPath);
  } catch (error) {
    place.log(`Nothing could be saved from the damaged file: ${reasonOf(error)}`);
    return undefined;
  } finally {
    deleteFile(scratchPath);
  }
}

function wordsFor(salvaged: Salvaged | undefined): string {
  if (salvaged === undefined) return '';
  const counts = [
    counted(salvaged.outbox.length, 'unsent message', 'unsent messages'),
    counted(salvaged.draft.length, 'draft', 'drafts'),
  ].filter((words) => words !== undefined);
  return counts.length === 0 ? '' : ` with ${counts.join(' and ')} from it`;
}

function counted(count: number, one: string, many: string): string | undefined {
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? one : many}`;
}
