import {mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {afterAll} from 'vitest';
import {bundle} from '#build/bundle.ts';
import {type PackagePatch, packagePatches} from '#build/package-patches.ts';

export type InkBuild = typeof import('./ink-build-entry.tsx');

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Unpatched Ink, and Ink with the output stage of `src/ui/ink`, each bundled like the program. */
export interface InkBuilds {
  readonly stock: InkBuild;
  readonly patched: InkBuild;
}

/** Flexible layouts need Yoga, which the program replaces. */
const patchesButLayout = packagePatches.filter(({packageName}) => packageName !== 'yoga-layout');

/** Bundles both builds. Call it at the top level of a test file, which deletes them at its end. */
export async function inkBuilds(): Promise<InkBuilds> {
  const entry = 'test/ui/ink/ink-build-entry.tsx';
  const [stock, patched] = await Promise.all([
    bundled<InkBuild>(entry, []),
    bundled<InkBuild>(entry, patchesButLayout),
  ]);
  return {stock, patched};
}

/** Bundles and imports an entry. The test file deletes the bundle at its end. */
export async function bundled<Build>(entry: string, patches: readonly PackagePatch[]): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
  // The program looks for its assets beside the folder of its bundles.
  symlinkSync(join(root, 'assets'), join(folder, 'assets'));
  const {files} = await bundle({
    root,
    entries: {ink: entry},
    outdir: join(folder, 'dist', 'bundle'),
    patches,
    format: 'esm',
  });
  // The module that was bundled above.
  return (await import(pathToFileURL(files.ink ?? '').href)) as Build;
}
