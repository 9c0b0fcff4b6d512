import {existsSync, readFileSync} from 'node:fs';
import {once} from '#std/once.ts';

/** The paths of package.json from the sources, from a bundle in its own folder, and from a bundle beside it. */
const manifestPaths = ['../../package.json', '../package.json', './package.json'];

/** Returns the program's version, as package.json has it. */
export const version = once((): string => {
  const file = manifestPaths.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  const manifest: unknown = file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0';
});
