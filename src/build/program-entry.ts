/** The bundle. `launcher.cjs` loads it and calls `start`. */

import {join} from 'node:path';
import {main} from '#cli.ts';
import {type Launch, setProgramFiles} from '#std/program-files.ts';

/** Runs the program with this process's arguments. Without a folder, its files are in the single file. */
export function start(folder: string | undefined, launch: Launch = {}): Promise<void> {
  setProgramFiles({folder, command: commandIn(folder), ...launch});
  return main(process.argv.slice(2));
}

function commandIn(folder: string | undefined) {
  return {file: process.execPath, args: folder === undefined ? [] : [join(folder, 'parley.cjs')]};
}
