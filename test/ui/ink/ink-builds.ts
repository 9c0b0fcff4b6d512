import {mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {afterAll} from 'vitest';
import {bundle} from '#build/bundle.ts';

export type InkBuild = typeof import('./ink-build-entry.tsx');

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Unpatched Ink, and Ink with the output stage of `src/ui/ink`, each bundled like the program. */
export interface InkBuilds {
  readonly stock: InkBuild;
  readonly patched: InkBuild;
}

/** Bundles both builds. Call it at the top level of a test file, which deletes them at its end. */
export async function inkBuilds(): Promise<InkBuilds> {
  const entry = 'test/ui/ink/ink-build-entry.tsx';
  const [stock, patched] = await Promise.all([bundled<InkBuild>(entry, true), bundled<InkBuild>(entry)]);
  return {stock, patched};
}

/** Bundles and imports an entry, with patched packages or without. The test file deletes the bundle at its end. */
export async function bundled<Build>(entry: string, isStock = false): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
  // The program looks for its assets beside the folder of its bundles.
  symlinkSync(join(root, 'assets'), join(folder, 'assets'));
  const outdir = join(folder, 'dist', 'bundle');
  await bundle({
    root,
    entries: {ink: entry},
    outdir,
    ...(isStock && {patches: []}),
  });
  // The module that was bundled above.
  return (await import(pathToFileURL(join(outdir, 'ink.js')).href)) as Build;
}
