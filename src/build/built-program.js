// Plain JavaScript, because it runs before anything is compiled: it decides whether a build is needed.
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const projectRoot = join(import.meta.dirname, '../..');

/** Returns a string that changes when the file changes. */
export function signature(file) {
  const stats = statSync(file, {throwIfNoEntry: false});
  return stats === undefined ? 'none' : `${Math.round(stats.mtimeMs)} ${stats.size}`;
}

/** Returns the URL of the built program's start file, or undefined when it is missing or older than its sources. */
export function builtProgram(root = projectRoot) {
  try {
    const {folder, sources} = JSON.parse(readFileSync(join(root, 'dist/current.json'), 'utf8'));
    for (const file of Object.keys(sources)) {
      if (signature(join(root, file)) !== sources[file]) return undefined;
    }
    return startFile(join(root, folder));
  } catch {
    // Not built yet, or partly removed.
    return undefined;
  }
}

export function startFile(folder) {
  const file = join(folder, 'parley.cjs');
  statSync(file);
  return pathToFileURL(file).href;
}
