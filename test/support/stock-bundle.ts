import {resolve} from 'node:path';
import {build} from 'esbuild';
import {patchPackages} from '#build/bundle.ts';
import type {PackagePatch} from '#build/package-patches.ts';

/**
 * Bundles an entry with stock packages, or with only some patches. It is an ES module: stock Yoga awaits something while it
 * loads.
 */
export async function stockBundle(
  entry: string,
  outfile: string,
  patches: readonly PackagePatch[] = [],
): Promise<string> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '""'},
    // CommonJS packages load Node's modules with `require`, which does not exist in an ES module.
    banner: {
      js: "import {createRequire as requireFrom} from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [patchPackages(resolve('.'), patches)],
  });
  return outfile;
}
