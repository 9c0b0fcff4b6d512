import {mkdtempSync, rmSync} from 'node:fs';
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
  const outdir = mkdtempSync(join(tmpdir(), 'parley-test-'));
  afterAll(() => rmSync(outdir, {recursive: true, force: true}));
  const [stock, patched] = await Promise.all([
    buildInk(join(outdir, 'stock'), true),
    buildInk(join(outdir, 'patched'), false),
  ]);
  return {stock, patched};
}

async function buildInk(outdir: string, isStock: boolean): Promise<InkBuild> {
  await bundle({
    root,
    entries: {ink: 'test/ui/ink/ink-build-entry.tsx'},
    outdir,
    ...(isStock && {patches: []}),
  });
  // The module that was bundled above.
  return (await import(pathToFileURL(join(outdir, 'ink.js')).href)) as InkBuild;
}
