import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {ConfigError, orConfigError} from './config-error.ts';
import {displayPath} from './paths.ts';
import {readZuliprc} from './zuliprc.ts';

const names = /^\.?zuliprc(?:[ ._(-].*)?$/;
const maxResults = 5;

/**
 * Returns the valid zuliprc files in the Downloads folder and the current directory. Files in the home
 * directory are used without asking, so they are not listed.
 */
export function findZuliprcs(home: string, cwd: string) {
  const directories = [...new Set([cwd, join(home, 'Downloads')])].filter((directory) => directory !== home);
  return directories
    .flatMap((directory) => filesIn(directory).map((name) => join(directory, name)))
    .flatMap((file) => foundIn(file, home))
    .slice(0, maxResults);
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => names.test(name))
      .sort();
  } catch {
    return [];
  }
}

function foundIn(file: string, home: string) {
  const zuliprc = orConfigError(() => readZuliprc(file, home));
  // A command in it would run, and the file may have come with a download or an archive.
  if (zuliprc instanceof ConfigError || zuliprc.key === undefined) return [];
  const {email, site} = zuliprc;
  return [{file, shown: displayPath(file, home), email, site}];
}
