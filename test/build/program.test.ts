import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {freshProgram} from '#build/fresh.js';
import {buildProgram} from '#build/program.ts';
import {scratchDirectory} from '#test/support/scratch.ts';

/** A project of one source, beside its rules. */
function project(): {root: string; source: string; write: (says: string) => void} {
  const root = scratchDirectory();
  mkdirSync(join(root, 'src/build'), {recursive: true});
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json'])
    writeFileSync(join(root, file), '{}');
  writeFileSync(join(root, 'package.json'), '{"type": "module"}');
  writeFileSync(join(root, 'src/build/begin.ts'), "import {says} from './says.ts';\nconsole.log(says);\n");
  const source = join(root, 'src/build/says.ts');
  const write = (says: string) => writeFileSync(source, `export const says: string = '${says}';\n`);
  write('one');
  return {root, source, write};
}

/** Without a screen. */
function built(root: string): Promise<string> {
  return buildProgram(root, {entries: {parley: 'src/build/begin.ts'}});
}

function said(program: string | undefined): string {
  return execFileSync(process.execPath, [fileURLToPath(program ?? '')], {encoding: 'utf8'}).trim();
}

test('a bundle is fresh until one of its sources changes', async () => {
  const {root, source, write} = project();
  expect(freshProgram(root)).toBeUndefined();
  await built(root);
  expect(said(freshProgram(root))).toBe('one');
  write('three');
  expect(freshProgram(root)).toBeUndefined();
  await built(root);
  expect(said(freshProgram(root))).toBe('three');
  utimesSync(source, new Date(0), new Date(0));
  expect(freshProgram(root)).toBeUndefined();
});

test('a source or a bundle that is gone makes no fresh program', async () => {
  const {root, source} = project();
  const folder = await built(root);
  renameSync(source, `${source}.away`);
  expect(freshProgram(root)).toBeUndefined();
  renameSync(`${source}.away`, source);
  expect(freshProgram(root)).toBeDefined();
  rmSync(folder, {recursive: true});
  expect(freshProgram(root)).toBeUndefined();
});

test('programs that run from an older bundle keep it for a while', async () => {
  const {root, write} = project();
  const first = await built(root);
  write('later');
  const second = await built(root);
  expect(second).not.toBe(first);
  expect(existsSync(join(first, 'parley.js'))).toBe(true);
  for (const says of ['a', 'bb', 'ccc', 'dddd']) {
    write(says);
    await built(root);
  }
  expect(readdirSync(join(root, 'dist')).filter((name) => name !== 'current.json')).toHaveLength(3);
});

test('two builds at once leave one whole program', async () => {
  const {root} = project();
  const folders = await Promise.all([built(root), built(root)]);
  expect(new Set(folders).size).toBe(1);
  expect(said(freshProgram(root))).toBe('one');
});

test('a build that fails leaves the last program as it was', async () => {
  const {root, source} = project();
  const folder = await built(root);
  writeFileSync(source, 'export const says = ;');
  await expect(built(root)).rejects.toThrow(/says\.ts.*Unexpected/s);
  expect(existsSync(join(folder, 'parley.js'))).toBe(true);
  expect(readdirSync(join(root, 'dist')).sort()).toEqual([folder.split('/').at(-1), 'current.json'].sort());
});
