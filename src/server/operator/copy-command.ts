import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {object} from '#wire/schema.ts';
import {command} from './operator-command.ts';

const prefix = 'copy-';

/**
 * Copies the database into a new folder of the data directory and returns the folder's name. The folder exists as long
 * as the operator's connection; until then, no file is deleted, so that the copy finds all files that it refers to.
 */
export const copyCommands = {
  copyDatabase: command(object({}), async ({server, directory, progress, atEnd}) => {
    const folder = newCopyFolder(directory);
    atEnd(() => rmSync(folder, {recursive: true, force: true}));
    atEnd(server.files.holdDeletions());
    await server.db.copyTo(join(folder, 'parley.db'), progress);
    return {folder: basename(folder), takenAt: server.clock.now()};
  }),
};

/** Creates a folder that is removed at the next start of a server if its own process is killed. */
export function newCopyFolder(directory: string): string {
  return mkdtempSync(join(directory, prefix));
}

/** Removes copies that a killed server left. Only the process that has locked the database may call it. */
export function removeLeftCopies(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(prefix)) rmSync(join(directory, name), {recursive: true, force: true});
  }
}
