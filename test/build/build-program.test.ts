import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {buildProgram} from '#build/build-program.ts';
import {builtProgram} from '#build/built-program.js';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/** Creates a project with one source file. */
function project(): {root: string; source: string; write: (says: string) => void} {
  const root = scratchDirectory();
  mkdirSync(join(root, 'src/build'), {recursive: true});
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json']) writeFileSync(join(root, file), '{}');
  writeFileSync(join(root, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(root, 'src/build/program-entry.ts'),
    "import {says} from './says.ts';\nexport const start = () => console.log(says);\n",
  );
  const source = join(root, 'src/build/says.ts');
  const write = (says: string) => writeFileSync(source, `export const says: string = '${says}';\n`);
  write('one');
  return {root, source, write};
}

function build(root: string): Promise<string> {
  return buildProgram({
    root,
    entries: {program: 'src/build/program-entry.ts', screen: 'src/build/program-entry.ts'},
    patches: [],
  });
}

function outputOf(program: string | undefined): string {
  return execFileSync(process.execPath, [fileURLToPath(program ?? '')], {encoding: 'utf8'}).trim();
}

test('build: a bundle is up to date until one of its sources changes', async () => {
  const {root, source, write} = project();
  expect(builtProgram(root)).toBeUndefined();
  await build(root);
  expect(outputOf(builtProgram(root))).toBe('one');
  write('three');
  expect(builtProgram(root)).toBeUndefined();
  await build(root);
  expect(outputOf(builtProgram(root))).toBe('three');
  utimesSync(source, new Date(0), new Date(0));
  expect(builtProgram(root)).toBeUndefined();
});

test('build: a bundle is stale when a source or the bundle itself is missing', async () => {
  const {root, source} = project();
  const folder = await build(root);
  renameSync(source, `${source}.away`);
  expect(builtProgram(root)).toBeUndefined();
  renameSync(`${source}.away`, source);
  expect(builtProgram(root)).toBeDefined();
  rmSync(folder, {recursive: true});
  expect(builtProgram(root)).toBeUndefined();
});

test('build: the last few bundles are kept for programs that run from them', async () => {
  const {root, write} = project();
  const first = await build(root);
  write('later');
  const second = await build(root);
  expect(second).not.toBe(first);
  expect(existsSync(join(first, 'parley.cjs'))).toBe(true);
  for (const says of ['a', 'bb', 'ccc', 'dddd']) {
    write(says);
    await build(root);
  }
  expect(readdirSync(join(root, 'dist')).filter((name) => name !== 'current.json')).toHaveLength(3);
});

test('build: two builds at once leave one complete bundle', async () => {
  const {root} = project();
  const folders = await Promise.all([build(root), build(root)]);
  expect(new Set(folders).size).toBe(1);
  expect(outputOf(builtProgram(root))).toBe('one');
});

test('build: a failed build leaves the last bundle unchanged', async () => {
  const {root, source} = project();
  const folder = await build(root);
  writeFileSync(source, 'export const says = ;');
  await expect(build(root)).rejects.toThrow(/says\.ts.*Unexpected/s);
  expect(existsSync(join(folder, 'parley.cjs'))).toBe(true);
  expect(readdirSync(join(root, 'dist')).sort()).toEqual([folder.split('/').at(-1), 'current.json'].sort());
});
