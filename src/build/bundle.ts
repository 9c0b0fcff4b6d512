import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {type BuildOptions, build, type Metafile} from 'esbuild';
import {lazyBuiltins} from './lazy-builtins.ts';
import {type PackagePatch, packagePatches} from './package-patches.ts';
import {checkPatches, patchPackages} from './patch-packages.ts';

/** Maps the name of a file in the bundle, without its extension, to its source. */
export type Entries = Readonly<Record<string, string>>;

export interface BundleOptions {
  /** The folder of the project. */
  readonly root: string;
  readonly entries: Entries;
  readonly outdir: string;
  /** The patches to apply to packages; all of them by default. An empty list gives a bundle of the stock packages. */
  readonly patches?: readonly PackagePatch[];
  /** Receives one line when a package differs from the version that its patches were written for. */
  readonly log?: (line: string) => void;
  /** Constants of the bundle, as JavaScript. */
  readonly define?: Readonly<Record<string, string>>;
  /** CommonJS if all packages are patched, by default. */
  readonly format?: 'cjs' | 'esm';
  /** Text before and after the code of a CommonJS file. */
  readonly wrapper?: readonly [string, string];
}

export interface Bundle {
  readonly inputs: Metafile['inputs'];
  /** The file of each entry. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Bundles each entry as one file: opening many takes longer than reading one. It is a CommonJS module, as the single file
 * needs. Unpatched packages await something while they load, so with them it is an ES module.
 */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const {root, entries, outdir, patches = packagePatches, log} = options;
  const {fitting, mismatches} = await checkPatches(root, patches);
  if (mismatches.length > 0) {
    log?.(`Using unpatched packages, which start more slowly: ${mismatches.join(', ')} changed.`);
  }
  const {format = packagePatches.every((patch) => fitting.includes(patch)) ? 'cjs' : 'esm'} = options;
  const {metafile} = await build({...settings(options, fitting), ...(format === 'cjs' ? commonJs(options) : esModule)});
  const extension = format === 'cjs' ? 'cjs' : 'mjs';
  const files = Object.fromEntries(Object.keys(entries).map((name) => [name, join(outdir, `${name}.${extension}`)]));
  await Promise.all(Object.values(files).map((file) => finishFile(file, options.wrapper)));
  return {inputs: metafile.inputs, files};
}

function settings({root, entries, outdir, define}: BundleOptions, patches: readonly PackagePatch[]) {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)])),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    charset: 'ascii',
    // V8 keeps the source in memory.
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    // Only the sources build; a bundle never does.
    external: ['esbuild'],
    define: {'process.env.NODE_ENV': '"production"', ...define},
    plugins: [lazyBuiltins(), patchPackages(root, patches)],
  } satisfies BuildOptions;
}

function commonJs({define}: BundleOptions) {
  return {
    format: 'cjs',
    outExtension: {'.js': '.cjs'},
    define: {
      'process.env.NODE_ENV': '"production"',
      'import.meta.dirname': '__dirname',
      // Only the sources find their files by it.
      'import.meta.url': '""',
      ...define,
    },
  } satisfies BuildOptions;
}

const esModule = {
  format: 'esm',
  outExtension: {'.js': '.mjs'},
  // CommonJS packages load Node's modules with `require`, which does not exist in an ES module.
  banner: {
    js: "import {createRequire as requireFrom} from 'node:module'; const require = requireFrom(import.meta.url);",
  },
} satisfies BuildOptions;

/**
 * Wraps the code, and escapes the characters that esbuild leaves in regular expressions: V8 keeps a source with two bytes per
 * character if a single one is not Latin-1.
 */
async function finishFile(file: string, [before, after]: readonly [string, string] = ['', '']): Promise<void> {
  const text = await readFile(file, 'utf8');
  const escaped = text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await writeFile(file, file.endsWith('.cjs') ? `${before}${escaped}${after}` : escaped);
}
