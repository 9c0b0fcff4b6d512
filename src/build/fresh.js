// Plain JavaScript, so that it is read before anything is compiled: it decides what is.
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const own = join(import.meta.dirname, '../..');

/** What a source is known by; one that is not there is known by that. */
export function signature(file) {
  const found = statSync(file, {throwIfNoEntry: false});
  return found === undefined ? 'none' : `${Math.round(found.mtimeMs)} ${found.size}`;
}

/** The start file of the bundle as a URL, when nothing that it was made from has changed since. */
export function freshProgram(root = own) {
  try {
    const {folder, sources} = JSON.parse(readFileSync(join(root, 'dist/current.json'), 'utf8'));
    for (const file of Object.keys(sources)) {
      if (signature(join(root, file)) !== sources[file]) return undefined;
    }
    return startFile(join(root, folder));
  } catch {
    // Not built yet, or half removed.
    return undefined;
  }
}

export function startFile(folder) {
  const file = join(folder, 'parley.js');
  statSync(file);
  return pathToFileURL(file).href;
}
