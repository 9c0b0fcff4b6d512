import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

/** The folder relative to the sources, to a bundle in its own folder, and to a bundle beside it. */
const folders = ['../../assets/', '../assets/', './assets/'];

/** Returns the path of a file or folder of `assets/`. */
export function assetPath(name: string): string {
  const paths = folders.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`assets/${name} is missing from this installation.`);
  return path;
}
