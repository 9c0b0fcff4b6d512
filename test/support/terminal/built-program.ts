import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';
import {builtProgram as builtProgramUrl, startFile} from '#build/built-program.js';

const cache = join('node_modules', '.cache');
let built: string | undefined;

/**
 * The start file of the built program, built first if its sources have changed. Tests of several processes ask at once: the
 * first one builds, the others wait for it. A lock of SQLite's is given back however its holder ends.
 */
export function builtProgram(): string {
  if (built !== undefined) return built;
  mkdirSync(cache, {recursive: true});
  const lock = new DatabaseSync(join(cache, 'parley-build.db'), {timeout: 120_000});
  try {
    lock.exec('BEGIN EXCLUSIVE');
    built = fileURLToPath(builtProgramUrl() ?? newProgram());
    return built;
  } finally {
    lock.close();
  }
}

function newProgram(): string {
  execFileSync(process.execPath, ['src/build/build.ts'], {stdio: ['ignore', 'ignore', 'inherit']});
  // Somebody may have saved a source since; what was built is good enough.
  const {folder}: {folder: string} = JSON.parse(readFileSync(join('dist', 'current.json'), 'utf8'));
  return startFile(folder);
}
