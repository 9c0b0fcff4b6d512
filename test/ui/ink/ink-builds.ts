import {mkdtempSync, rmSync} from 'node:fs';
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
  const outdir = mkdtempSync(join(tmpdir(), 'parley-test-'));
  afterAll(() => rmSync(outdir, {recursive: true, force: true}));
  const [stock, patched] = await Promise.all([
    buildInk(join(outdir, 'stock'), []),
    buildInk(join(outdir, 'patched'), patchesButLayout),
  ]);
  return {stock, patched};
}

async function buildInk(outdir: string, patches: readonly PackagePatch[]): Promise<InkBuild> {
  const {files} = await bundle({
    root,
    entries: {ink: 'test/ui/ink/ink-build-entry.tsx'},
    outdir,
    patches,
  });
  // The module that was bundled above.
  return (await import(pathToFileURL(files.ink ?? '').href)) as InkBuild;
}
