import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {afterAll} from 'vitest';
import {packagePatches} from '#build/package-patches.ts';
import {stockBundle} from '#test/support/stock-bundle.ts';

export type InkBuild = typeof import('./ink-build-entry.tsx');

/** Stock Ink, and Ink with the output stage of `src/ui/ink`. Both have Yoga, which flexible layouts need. */
export interface InkBuilds {
  readonly stock: InkBuild;
  readonly patched: InkBuild;
}

const outputStage = packagePatches.filter(({file}) => file.startsWith('ink/'));

/** Bundles both builds. Call it at the top level of a test file, which deletes them at its end. */
export async function inkBuilds(): Promise<InkBuilds> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
  const [stock, patched] = await Promise.all(
    [[], outputStage].map(async (patches, nth) => {
      const file = await stockBundle('test/ui/ink/ink-build-entry.tsx', join(folder, `${nth}.mjs`), patches);
      // The module that was bundled above.
      return (await import(pathToFileURL(file).href)) as InkBuild;
    }),
  );
  if (stock === undefined || patched === undefined) throw new Error('A build is missing.');
  return {stock, patched};
}
