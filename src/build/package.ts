/**
 * npm run package
 *
 * Makes `dist/parley-linux-x64` and `dist/parley-linux-arm64`: one file each with the client, the server, the manual and the demo
 * organization, which runs without Node. Node's binaries come from the package registry, in the versions and with the checksums of
 * package-lock.json.
 */

import {rmSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {buildProgram, root} from './build-program.ts';
import {makeCodeCache} from './code-cache.ts';
import {type Architecture, makeSingleFile} from './single-file.ts';

const architectures: readonly Architecture[] = ['x64', 'arm64'];
const requested = process.argv.slice(2);

const folder = await buildProgram();
await makeCodeCache(folder);
for (const architecture of architectures.filter((each) => requested.length === 0 || requested.includes(each))) {
  const file = join(root, 'dist', `parley-linux-${architecture}`);
  // An older one must not be taken for one that could not be made.
  rmSync(file, {force: true});
  try {
    await makeSingleFile(folder, architecture, file);
    console.log(`${relative(root, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  } catch (error) {
    if (architecture === process.arch) throw error;
    console.error(`${relative(root, file)} was not made: ${error instanceof Error ? error.message : error}`);
  }
}
