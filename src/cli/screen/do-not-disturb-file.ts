import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Device} from '#app/core/host.ts';
import {ensurePrivateDirectory, writePrivateFile} from '#config/private-files.ts';

/**
 * Keeps until when nothing may notify in a file, so that it holds for all accounts, for other Parleys of this user, and after a
 * restart. The file is read each time, because another Parley may have changed it.
 */
export function doNotDisturbFile(stateDirectory: string): Device['doNotDisturb'] {
  const file = join(stateDirectory, 'do-not-disturb');
  /** What could not be written holds until this program ends. */
  let unsaved: {readonly until: number} | undefined;
  return {
    until: () => {
      if (unsaved !== undefined) return unsaved.until;
      try {
        return Number(readFileSync(file, 'utf8')) || 0;
      } catch {
        return 0;
      }
    },
    set: (until) => {
      try {
        ensurePrivateDirectory(stateDirectory);
        writePrivateFile(file, `${until}\n`);
        unsaved = undefined;
      } catch {
        unsaved = {until};
      }
    },
  };
}
