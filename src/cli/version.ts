import {readProgramFile} from '#std/program-files.ts';

/** Set in the bundle. */
declare const PARLEY_BUILD: {readonly version: string; readonly commit: string} | undefined;

/** Returns the version of package.json. */
export function version(): string {
  if (typeof PARLEY_BUILD !== 'undefined') return PARLEY_BUILD.version;
  const manifest: {readonly version: string} = JSON.parse(readProgramFile('package.json').toString('utf8'));
  return manifest.version;
}

/** Returns what a report of a problem must name: the version, the commit that it was built from, and Node's version. */
export function versionLine(): string {
  const origin = typeof PARLEY_BUILD === 'undefined' ? 'sources' : `commit ${PARLEY_BUILD.commit}`;
  return `Parley ${version()} (${origin}, Node ${process.versions.node})`;
}
