import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {afterAll} from 'vitest';
import {bundle} from '#build/bundle.ts';

export type InkBuild = typeof import('./ink-build-entry.tsx');

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Ink as it comes, and Ink with our output stage, each bundled as the program is. For the top of a test file. */
export async function inkBuilds(): Promise<{stock: InkBuild; swapped: InkBuild}> {
  const outdir = mkdtempSync(join(tmpdir(), 'parley-test-'));
  afterAll(() => rmSync(outdir, {recursive: true, force: true}));
  const [stock, swapped] = await Promise.all([
    stage(join(outdir, 'stock'), true),
    stage(join(outdir, 'swapped'), false),
  ]);
  return {stock, swapped};
}

async function stage(outdir: string, isStock: boolean): Promise<InkBuild> {
  await bundle({
    root,
    entries: {stage: 'test/ui/ink/ink-build-entry.tsx'},
    outdir,
    ...(isStock && {patches: []}),
  });
  // The type of what was bundled.
  return (await import(pathToFileURL(join(outdir, 'stage.js')).href)) as InkBuild;
}
