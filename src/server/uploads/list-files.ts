import {readdir} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * Yields the paths of all files below a directory, folder by folder in the order of their names; nothing if it does not
 * exist.
 */
export async function* listFiles(directory: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(directory, below), {withFileTypes: true}).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(directory, path);
    else if (entry.isFile()) yield path;
  }
}
