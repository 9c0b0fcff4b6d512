/**
 * Runs after `npm install` and `npm ci`, with the Node of the machine: makes the Node of the lock file the one of
 * `node_modules/.bin`. npm 10 removes the link that it made itself, because the packages of the other platforms have a
 * file of the same name.
 */

import {existsSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

const folder = 'node_modules/.bin';
const binary = `../node-${process.platform}-${process.arch}/bin/node`;

if (existsSync(join(folder, binary))) {
  rmSync(join(folder, 'node'), {force: true});
  symlinkSync(binary, join(folder, 'node'));
} else if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)) {
  // npm does not report an optional package that it could not fetch, or that is not the one of the lock file.
  console.error('npm did not install the Node of package-lock.json. See “npm install --loglevel verbose”.');
  process.exitCode = 1;
}
