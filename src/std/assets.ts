import {existsSync} from 'node:fs';
import {fileURLToPath} from 'node:url';

/** From the sources, from a bundle in a folder of its own, and from a bundle beside them. */
const places = ['../../assets/', '../assets/', './assets/'];

/** Where a file or folder of `assets/` lies. */
export function assetPath(name: string): string {
  const paths = places.map((place) => fileURLToPath(new URL(place + name, import.meta.url)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`assets/${name} is missing from this installation.`);
  return path;
}
