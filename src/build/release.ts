/**
 * npm run release [-- --tested]
 *
 * Tests the commit that `npm version` made, builds both kinds of packages into `dist/`, writes their checksums and prints the
 * commands that publish them. It publishes nothing. `--tested` says that `.ci/run` has passed for this commit already.
 */

import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename} from 'node:path';
import {changesOf} from './changelog.ts';

const {version}: {version: string} = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = [`dist/parley-${version}.tgz`, 'dist/parley-linux-x64', 'dist/parley-linux-arm64'];

try {
  checkCommit();
  if (!process.argv.includes('--tested')) run('.ci/run');
  // The packages name the commit that they were built from.
  checkCommit();
  for (const name of packages) rmSync(name, {force: true});
  run(process.execPath, 'src/build/package.ts');
  run('npm', 'pack', '--silent', '--pack-destination', 'dist');
  const missing = packages.filter((name) => !existsSync(name));
  if (missing.length > 0) throw new Error(`These packages were not made: ${missing.join(', ')}.`);
  const sums = packages.map((name) => `${sha256(name)}  ${basename(name)}\n`).join('');
  writeFileSync('dist/SHA256SUMS', sums);
  console.log(`\n${sums}\nNothing is published yet. To publish:

  git push --follow-tags
  npm publish ${packages[0]}

and add ${packages.join(', ')} and dist/SHA256SUMS to the release of the tag v${version}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Throws unless the checkout is the tagged commit of the version, with its changes described. */
function checkCommit(): void {
  if (git('status', '--porcelain') !== '') throw new Error('The checkout has changes that are not committed.');
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  if (!changesOf(changelog, version)) throw new Error(`CHANGELOG.md does not describe version ${version}.`);
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) {
    throw new Error(`This commit has no tag v${version}: “npm version” makes a commit with a tag.`);
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, {encoding: 'utf8'}).trim();
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, {stdio: 'inherit'});
}

function sha256(name: string): string {
  return createHash('sha256').update(readFileSync(name)).digest('hex');
}
