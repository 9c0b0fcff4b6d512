import {join} from 'node:path';
import type {RecordedStart} from '#cli/warm-up/run-recorded-start.tsx';
import {main} from '#cli.ts';
import {setProgramFiles} from '#std/program-files.ts';

/** The bundle. `launcher.cjs` loads it and calls `start`. */

/**
 * Runs the program with this process's arguments. Without a folder, its files are in the single file. `saveCompiledCode` is given
 * when this start had to compile the bundle.
 */
export function start(folder: string | undefined, saveCompiledCode?: () => void): Promise<void> {
  setProgramFiles({folder, command: commandIn(folder), saveCompiledCode});
  return main(process.argv.slice(2));
}

/** Runs what most starts run, without a terminal, so that the compiled code contains it. */
export async function warmUp(folder: string, recorded: RecordedStart): Promise<void> {
  setProgramFiles({folder, command: commandIn(folder)});
  const {runRecordedStart} = await import('#cli/warm-up/run-recorded-start.tsx');
  await runRecordedStart(recorded);
}

function commandIn(folder: string | undefined) {
  return {file: process.execPath, args: folder === undefined ? [] : [join(folder, 'parley.cjs')]};
}
