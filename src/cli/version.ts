import {existsSync, readFileSync} from 'node:fs';

/** From the sources, from a bundle in a folder of its own, and from a bundle beside the manifest. */
const places = ['../../package.json', '../package.json', './package.json'];

function manifestVersion(): string {
  const file = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  const manifest: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0';
}

export const version = manifestVersion();
