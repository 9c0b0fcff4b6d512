import {rmSync, statSync} from 'node:fs';
import {errorText} from '#std/error-text.ts';
import type {AccountFileOptions} from './account-file-options.ts';
import {configureDatabase, Database} from './database.ts';
import {createPrivateFile, deleteDatabaseFiles} from './database-files.ts';
import {migrate} from './migrations.ts';
import {restoreRows, type SalvagedRows, salvageRows, salvageWithoutHeader} from './salvage.ts';

/** Returns the path where a new file is built before it replaces the old one. */
export function replacementPath(path: string): string {
  return `${path}.fresh`;
}

/**
 * Builds a new file beside the old one from the rows that can be saved; an interruption leaves the old one in
 * place. Returns text that names what was saved.
 */
export function buildReplacement(options: AccountFileOptions, old: Database): string {
  const path = replacementPath(options.path);
  deleteDatabaseFiles(path);
  const emptyDatabase = openNew(path, options.migrationSteps);
  let salvaged: SalvagedRows | undefined;
  try {
    salvaged = salvageRows(old);
  } finally {
    emptyDatabase.close();
  }
  salvaged ??= salvageWithFreshHeader(options, path);
  if (salvaged !== undefined) insertSalvaged(path, options.migrationSteps, salvaged);
  const log = statSync(`${path}-wal`, {throwIfNoEntry: false});
  if (log !== undefined && log.size > 0) throw new Error('The new file could not be completed');
  for (const part of ['-wal', '-shm']) rmSync(path + part, {force: true});
  return salvagedText(salvaged);
}

function openNew(path: string, steps: readonly string[]): Database {
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

function insertSalvaged(path: string, steps: readonly string[], salvaged: SalvagedRows): void {
  const db = openNew(path, steps);
  try {
    restoreRows(db, salvaged);
  } finally {
    db.close();
  }
}

function salvageWithFreshHeader(options: AccountFileOptions, emptyPath: string): SalvagedRows | undefined {
  const scratchPath = `${options.path}.scratch`;
  try {
    deleteDatabaseFiles(scratchPath);
    createPrivateFile(scratchPath);
    return salvageWithoutHeader(options.path, emptyPath, scratchPath);
  } catch (error) {
    options.log(`Nothing could be recovered from the damaged file: ${errorText(error)}`);
    return undefined;
  } finally {
    deleteDatabaseFiles(scratchPath);
  }
}

function salvagedText(salvaged: SalvagedRows | undefined): string {
  if (salvaged === undefined) return '';
  const counts = [
    countText(salvaged.outbox.length, 'unsent message', 'unsent messages'),
    countText(salvaged.draft.length, 'draft', 'drafts'),
  ].filter((text) => text !== undefined);
  return counts.length === 0 ? '' : ` with ${counts.join(' and ')}`;
}

function countText(count: number, singular: string, plural: string): string | undefined {
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? singular : plural}`;
}
