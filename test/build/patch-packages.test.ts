import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {packagePatches} from '#build/package-patches.ts';
import {checkPatches} from '#build/patch-packages.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {slowTest} from '#test/support/tier.ts';

const root = resolve('.');

test('patches: every patch fits the installed packages', async () => {
  expect(await checkPatches(root, packagePatches)).toEqual({fitting: packagePatches, mismatches: []});
});

test('patches: every patch changes the text of its file', () => {
  for (const {packageName, file, patch} of packagePatches) {
    const text = readFileSync(join(root, 'node_modules', packageName, file), 'utf8');
    expect(patch(text)).not.toBe(text);
  }
});

test('patches: a package with one changed or missing file gets none of its patches', async () => {
  const changed = packagePatches.map((patch) =>
    patch.file === 'build/output.js' ? {...patch, sha256: '0'.repeat(64)} : patch,
  );
  const {fitting, mismatches} = await checkPatches(root, [
    ...changed,
    {packageName: 'marked', file: 'lib/missing.js', sha256: '', patch: (text) => text},
  ]);
  expect(mismatches).toEqual(['node_modules/ink/build/output.js', 'node_modules/marked/lib/missing.js']);
  expect(fitting).toEqual(packagePatches.filter(({packageName}) => packageName !== 'ink' && packageName !== 'marked'));
});

slowTest(
  'patches: npm start with another Ink logs one line and opens the screen with stock Ink',
  async () => {
    const project = projectWithChangedInk();
    const terminal = openTerminal(process.execPath, [join(project, 'src/build/start.ts'), '--or-demo'], {
      size: {cols: 100, rows: 30},
      env: {PATH: process.env.PATH, HOME: scratchDirectory(), LANG: 'C.UTF-8'},
    });
    await terminal.waitFor('Using unpatched packages, which start more slowly: node_modules/ink/build/output.js');
    await terminal.waitFor('Neap & Spring');
  },
  120_000,
);

/** Copies the project with an Ink whose output.js has one more comment. All other packages are links. */
function projectWithChangedInk(): string {
  const project = scratchDirectory();
  for (const name of ['src', 'assets', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(root, name), join(project, name), {recursive: true});
  for (const name of packageNames()) {
    const target = join(project, 'node_modules', name);
    mkdirSync(dirname(target), {recursive: true});
    if (name === 'ink') cpSync(join(root, 'node_modules/ink'), target, {recursive: true});
    else symlinkSync(join(root, 'node_modules', name), target);
  }
  writeFileSync(join(project, 'node_modules/ink/build/output.js'), '// Changed.\n', {flag: 'a'});
  return project;
}

function packageNames(): string[] {
  return readdirSync(join(root, 'node_modules'))
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(root, 'node_modules', name)).map((inner) => `${name}/${inner}`) : [name],
    );
}
