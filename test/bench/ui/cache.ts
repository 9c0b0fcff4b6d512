import {mkdirSync} from 'node:fs';
import {join, resolve} from 'node:path';

/** The folder for generated data that is reused between runs. */
export function cacheDirectory(): string {
  const directory = resolve(join('node_modules', '.cache', 'parley-bench', 'ui'));
  mkdirSync(directory, {recursive: true});
  return directory;
}
