import {realpathSync} from 'node:fs';

/**
 * Returns where the links of a path lead, or the path itself if only it may be written to: a session over SSH knows its folder by a
 * link. Throws if nothing is there.
 */
export function targetPath(path: string): string {
  const target = realpathSync(path);
  return process.permission?.has('fs.write', target) === false ? path : target;
}
