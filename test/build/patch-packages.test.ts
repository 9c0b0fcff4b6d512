import {spawnSync} from 'node:child_process';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import yoga from 'yoga-layout';
import {patchPackages} from '#build/bundle.ts';
import {packagePatches, patchedFiles} from '#build/package-patches.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const root = resolve('.');

test('patches: every patch fits the installed packages and changes its file', () => {
  const files = patchedFiles(root);
  expect(files.size).toBe(packagePatches.length);
  for (const [path, text] of files) expect(text).not.toBe(readFileSync(path, 'utf8'));
});

test('patches: sources refuse to start with another version of a patched file, and name it', () => {
  const project = scratchDirectory();
  for (const name of ['src', 'package.json']) cpSync(join(root, name), join(project, name), {recursive: true});
  for (const {file} of packagePatches) cpSync(join(root, 'node_modules', file), join(project, 'node_modules', file));
  const start = () => spawnSync(process.execPath, ['src/parley.js', '--version'], {cwd: project, encoding: 'utf8'});
  expect(start()).toMatchObject({status: 0, stderr: ''});
  writeFileSync(join(project, 'node_modules/ink/build/output.js'), '// Changed.\n', {flag: 'a'});
  const sentence = 'node_modules/ink/build/output.js is not the version that Parley patches: run “npm ci”.';
  expect(start()).toMatchObject({status: 1, stdout: '', stderr: `${sentence}\n`});
  expect(() => patchPackages(project, packagePatches)).toThrow(new Error(sentence));
});

test('patches: tests load the patched packages', () => {
  expect(yoga.Node.create().constructor.name).toBe('RectangleNode');
});
