import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** Returns the checksum of the bundle in a folder. */
export function buildId(folder: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'program.cjs')))
    .digest('hex')
    .slice(0, 12);
}
