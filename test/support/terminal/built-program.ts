import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';
import {builtProgram as builtProgramUrl, startFile} from '#build/built-program.js';

const cache = join('node_modules', '.cache');
let built: string | undefined;

/**
 * Returns the start file of the built program, which is built first if its sources have changed. When tests
 * of several processes call it at once, the first builds and the others wait. A lock of SQLite is released
 * however its holder ends.
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
  // A source may have changed since; the last build is good enough.
  const {folder}: {folder: string} = JSON.parse(readFileSync(join('dist', 'current.json'), 'utf8'));
  return startFile(folder);
}
