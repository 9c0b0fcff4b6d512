import {rmSync, statSync} from 'node:fs';
import type {AccountFileOptions} from './account-file-options.ts';
import {configureDatabase, Database} from './database.ts';
import {createPrivateFile, deleteDatabaseFiles} from './database-files.ts';
import {migrate} from './migrations.ts';
import {restoreRows, type SalvagedRows, salvageRows, salvageWithoutHeader} from './salvage.ts';
import {errorMessage} from './store-failures.ts';

/** Where the next file is made before it takes its place. */
export function replacementPath(path: string): string {
  return `${path}.fresh`;
}

/**
 * A fresh file beside the old one, with what could be saved from it: whoever is cut off before it is complete still has
 * the old one. Gives the words for what was saved.
 */
export function buildReplacement(place: AccountFileOptions, old: Database): string {
  const path = replacementPath(place.path);
  deleteDatabaseFiles(path);
  const pristine = openFresh(path, place.migrationSteps);
  let salvaged: SalvagedRows | undefined;
  try {
    salvaged = salvageRows(old);
  } finally {
    pristine.close();
  }
  salvaged ??= salvageWithFreshHeader(place, path);
  if (salvaged !== undefined) fill(path, place.migrationSteps, salvaged);
  const log = statSync(`${path}-wal`, {throwIfNoEntry: false});
  if (log !== undefined && log.size > 0) throw new Error('The fresh file could not be completed');
  for (const part of ['-wal', '-shm']) rmSync(path + part, {force: true});
  return wordsFor(salvaged);
}

function openFresh(path: string, steps: readonly string[]): Database {
  createPrivateFile(path);
  const db = new Database(path);
  try {
    configureDatabase(db);
    migrate(db, steps);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function fill(path: string, steps: readonly string[], salvaged: SalvagedRows): void {
  const db = openFresh(path, steps);
  try {
    restoreRows(db, salvaged);
  } finally {
    db.close();
  }
}

function salvageWithFreshHeader(place: AccountFileOptions, pristinePath: string): SalvagedRows | undefined {
  const scratchPath = `${place.path}.scratch`;
  try {
    deleteDatabaseFiles(scratchPath);
    createPrivateFile(scratchPath);
    return salvageWithoutHeader(place.path, pristinePath, scratchPath);
  } catch (error) {
    place.log(`Nothing could be saved from the damaged file: ${errorMessage(error)}`);
    return undefined;
  } finally {
    deleteDatabaseFiles(scratchPath);
  }
}

function wordsFor(salvaged: SalvagedRows | undefined): string {
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
