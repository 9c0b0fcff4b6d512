import {join} from 'node:path';
import {type BuildOptions, build, type Metafile} from 'esbuild';
import {type PackagePatch, packagePatches} from './package-patches.ts';
import {checkPatches, patchPackages} from './patch-packages.ts';
import {separateBundles} from './separate-bundles.ts';

/** Maps the name of a file in the bundle, without `.js`, to its source. */
export type Entries = Readonly<Record<string, string>>;

export interface BundleOptions {
  /** The folder of the project. */
  readonly root: string;
  readonly entries: Entries;
  /**
   * Sources that the others import on demand and that share little with them. Each is bundled separately: shared code would be
   * split into so many files that opening them takes longer than reading some code twice.
   */
  readonly separate?: Entries;
  readonly outdir: string;
  /** The patches to apply to packages; all of them by default. An empty list gives a bundle of the stock packages. */
  readonly patches?: readonly PackagePatch[];
  /** Receives one line when a package differs from the version that its patches were written for. */
  readonly log?: (line: string) => void;
}

/** Bundles the program as a few files of JavaScript, so that a command loads only the files that it needs. */
export async function bundle(options: BundleOptions): Promise<Pick<Metafile, 'inputs' | 'outputs'>> {
  const {root, entries, separate = {}, patches = packagePatches, log} = options;
  const {fitting, mismatches} = await checkPatches(root, patches);
  if (mismatches.length > 0) {
    log?.(`Using unpatched packages, which start more slowly: ${mismatches.join(', ')} changed.`);
  }
  const each = [entries, ...Object.entries(separate).map(([name, source]) => ({[name]: source}))];
  const built = await Promise.all(each.map((part) => build(settings(part, options, fitting))));
  return {
    inputs: Object.assign({}, ...built.map(({metafile}) => metafile.inputs)),
    outputs: Object.assign({}, ...built.map(({metafile}) => metafile.outputs)),
  };
}

function settings(entries: Entries, {root, separate = {}, outdir}: BundleOptions, patches: readonly PackagePatch[]) {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)])),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    // V8 keeps the source in memory, with two bytes a character if one is not Latin-1. Names stay readable in stack traces.
    charset: 'ascii',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    // Only the sources build; a bundle never does.
    external: ['esbuild'],
    define: {'process.env.NODE_ENV': '"production"'},
    // CommonJS packages load Node's modules with `require`, which does not exist in an ES module.
    banner: {
      js: "import {createRequire as requireFrom} from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [separateBundles(root, separate), patchPackages(root, patches)],
  } satisfies BuildOptions;
}
