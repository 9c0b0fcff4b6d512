import {join} from 'node:path';
import {type BuildOptions, build, type Metafile} from 'esbuild';
import {inkStage} from './ink-stage.ts';
import {type Entries, loadedApart} from './loaded-apart.ts';
import {quickStart} from './quick-start.ts';

export interface BundleOptions {
  /** The folder of the project. */
  readonly root: string;
  readonly entries: Entries;
  /**
   * What the others import on demand, and what then has no use for them: it gets files of its own. Shared ones are cut so
   * small that to open them all takes longer than to read some text twice.
   */
  readonly apart?: Entries;
  readonly outdir: string;
  /** Ink's own output stage, for comparing. */
  readonly hasStockInk?: boolean;
}

/** The program as a few files of JavaScript: what a command does not need is in files that it does not load. */
export async function bundled(options: BundleOptions): Promise<Pick<Metafile, 'inputs' | 'outputs'>> {
  const {entries, apart = {}} = options;
  const each = [entries, ...Object.entries(apart).map(([name, source]) => ({[name]: source}))];
  const built = await Promise.all(each.map((part) => build(settings(part, options))));
  return {
    inputs: Object.assign({}, ...built.map(({metafile}) => metafile.inputs)),
    outputs: Object.assign({}, ...built.map(({metafile}) => metafile.outputs)),
  };
}

function settings(entries: Entries, {root, apart = {}, outdir, hasStockInk = false}: BundleOptions) {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, source]) => [name, join(root, source)]),
    ),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    // What is read is kept in memory, at two bytes a character where one of them is not Latin. Names stay, for traces.
    charset: 'ascii',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    // Sources build; a bundle never does.
    external: ['esbuild'],
    define: {'process.env.NODE_ENV': '"production"'},
    // CommonJS packages ask for Node's own modules by `require`, which a module has not.
    banner: {
      js: "import {createRequire as requireFrom} from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [loadedApart(root, apart), quickStart(), ...(hasStockInk ? [] : [inkStage(root)])],
  } satisfies BuildOptions;
}
