// Plain JavaScript, because it runs before compiled code is loaded: stripping types alone would take 60 ms.
import {lstatSync, mkdirSync} from 'node:fs';
import nodeModule from 'node:module';
import {join} from 'node:path';

const projectRoot = join(import.meta.dirname, '../..');

/**
 * Keeps the compiled sources in a private folder of the checkout for the next start, of which compiling and stripping types is the
 * most. Node's own choice is a folder in the temporary directory, where another user may put code before. Without a folder that is
 * the user's alone nothing is kept.
 */
export function enableCompileCache(root = projectRoot) {
  const folder = join(root, 'node_modules', '.cache', 'parley-compiled');
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    const stats = lstatSync(folder);
    const isPrivate = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
    if (isPrivate) nodeModule.enableCompileCache(folder);
  } catch {
    // The checkout is not writable: it starts without a cache.
  }
}
