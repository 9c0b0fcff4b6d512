import {readFile, writeFile} from 'node:fs/promises';
import {builtinModules} from 'node:module';
import {join} from 'node:path';
import {type BuildOptions, build, type Plugin} from 'esbuild';
import {type PackagePatch, packagePatches, patchedFiles} from './package-patches.ts';

/** Provides `LazySegmenter` and `SmallPerformance` to all modules. */
const lazyGlobals = join(import.meta.dirname, 'lazy-globals.ts');
const unusedPackage = join(import.meta.dirname, 'unused-package.ts');

/** Maps the name of a file in the bundle, without its extension, to its source. */
type Entries = Readonly<Record<string, string>>;

export interface BundleOptions {
  /** The folder of the project. */
  readonly root: string;
  readonly entries: Entries;
  readonly outdir: string;
  /** The patches to apply to packages; all of them by default. */
  readonly patches?: readonly PackagePatch[];
  /** Constants of the bundle, as JavaScript. */
  readonly define?: Readonly<Record<string, string>>;
  /** Text before and after the code of a file. */
  readonly wrapper?: readonly [string, string];
  /** Imports that are left out, and the only sources that may have them: what runs of the bundle never reaches them. */
  readonly external?: {readonly imports: readonly string[]; readonly importers: readonly string[]} | undefined;
}

/**
 * Bundles each entry as one file: opening many takes longer than reading one. It is a CommonJS module, as the single file
 * needs. Returns the sources, those of which something is in the bundle, and the file of each entry.
 */
export async function bundle(options: BundleOptions) {
  const {entries, outdir, external} = options;
  const {metafile} = await build(settings(options));
  const sources = Object.entries(external === undefined ? {} : metafile.inputs);
  for (const [file, {imports}] of sources.filter(([path]) => !path.includes('node_modules/'))) {
    const missing = imports.find((each) => each.external === true && /^[#.]/.test(each.path));
    const isAllowed = missing?.kind === 'dynamic-import' && external?.importers.includes(file);
    if (missing !== undefined && !isAllowed) throw new Error(`${file} imports ${missing.path}, which is not bundled.`);
  }
  const files = Object.fromEntries(Object.keys(entries).map((name) => [name, join(outdir, `${name}.cjs`)]));
  await Promise.all(Object.values(files).map((file) => finishFile(file, options.wrapper)));
  const {patches = packagePatches} = options;
  const replaced = patches.filter(({isReplacement}) => isReplacement).map(({file}) => `node_modules/${file}`);
  const contained = Object.values(metafile.outputs)
    .flatMap(({inputs}) => Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0))
    .filter((path) => !replaced.includes(path));
  return {inputs: metafile.inputs, contained, files};
}

function settings({root, entries, outdir, define, patches = packagePatches, external}: BundleOptions) {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, join(root, source)])),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    outExtension: {'.js': '.cjs'},
    jsx: 'automatic',
    charset: 'ascii',
    // V8 keeps the source in memory.
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
    // Only the sources build; a bundle never does.
    external: ['esbuild', ...(external?.imports ?? [])],
    // Of marked-terminal: 1.4 MB, which V8 would keep in memory. Of ssh2: the passwords of private keys, and native code.
    alias: Object.fromEntries(
      ['cli-highlight', 'node-emoji', 'bcrypt-pbkdf', 'cpu-features'].map((name) => [name, unusedPackage]),
    ),
    define: {
      'process.env.NODE_ENV': '"production"',
      // Without Ink's developer tools, which are not installed, and the only places where it awaits while it loads.
      'process.env.DEV': '""',
      // Without undici's second parser, which is an experiment.
      esbuildDetection: 'true',
      'Intl.Segmenter': 'LazySegmenter',
      performance: 'SmallPerformance',
      'import.meta.dirname': '__dirname',
      // Only the sources find their files by it.
      'import.meta.url': '""',
      ...define,
    },
    inject: [lazyGlobals],
    plugins: [lazyBuiltins(), patchPackages(root, patches)],
  } satisfies BuildOptions;
}

/**
 * Wraps the code, and escapes the characters that esbuild leaves in regular expressions: V8 keeps a source with two bytes per
 * character if a single one is not Latin-1.
 */
async function finishFile(file: string, [before, after]: readonly [string, string] = ['', '']): Promise<void> {
  const text = await readFile(file, 'utf8');
  const escaped = text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await writeFile(file, `${before}${escaped}${after}`);
}

/** Modules of Node that every start uses. All others are loaded when one of their exports is first used. */
const eagerModules = new Set([
  ...['async_hooks', 'buffer', 'console', 'diagnostics_channel', 'events', 'fs', 'path'],
  ...[
    'process',
    'querystring',
    'stream',
    'stream/promises',
    'stream/web',
    'string_decoder',
    'timers',
    'timers/promises',
  ],
  ...['url', 'util', 'util/types', 'v8'],
]);

/**
 * Replaces imports of Node's modules such as `node:http` by an object that loads the module on first use: no start needs all of
 * them. Used at the top level of a module, they load at once.
 */
function lazyBuiltins(): Plugin {
  const lazyModules = new Set(
    [...builtinModules.map((name) => name.replace('node:', '')), 'sea', 'sqlite'].filter(
      (name) => !eagerModules.has(name),
    ),
  );
  return {
    name: 'lazy-builtins',
    setup(build) {
      build.onResolve({filter: /^(?:node:)?[a-z_0-9/]+$/}, ({path}) => {
        const name = path.replace('node:', '');
        return lazyModules.has(name) ? {path: name, namespace: 'lazy-builtin'} : undefined;
      });
      build.onLoad({filter: /.*/, namespace: 'lazy-builtin'}, ({path}) => ({loader: 'js', contents: lazyModule(path)}));
    },
  };
}

function lazyModule(name: string): string {
  const loaded: object = process.getBuiltinModule(`node:${name}`) ?? {};
  const members = Object.keys(loaded).map((key) => {
    // undici reads the constants of HTTP/2 while it loads. A copy saves it from loading the module, which takes 40 ms.
    if (name === 'http2' && key === 'constants') return `${key}: ${JSON.stringify(Reflect.get(loaded, key))}`;
    // undici reads these while it loads. It compares a body that is sent with the class: nothing here sends a received request on.
    if (name === 'http' && key === 'maxHeaderSize') return `${key}: ${JSON.stringify(Reflect.get(loaded, key))}`;
    if (name === 'http' && key === 'IncomingMessage') return `${key}: undefined`;
    // Packages call it and the module itself with conditions that hold: only a failure needs the module, which takes 6 ms to load.
    if (name === 'assert' && key === 'equal') return 'equal: (a, b, message) => a === b || load().equal(a, b, message)';
    return `get ${key}() { return load().${key}; }`;
  });
  const callable = name === 'assert' ? '(value, message) => value || load()(value, message)' : undefined;
  const exported = `{${members.join(', ')}}`;
  return `
    let loaded;
    const load = () => (loaded ??= process.getBuiltinModule('node:${name}'));
    module.exports = ${callable === undefined ? exported : `Object.defineProperties(${callable}, Object.getOwnPropertyDescriptors(${exported}))`};`;
}

/** Applies the patches to the packages in `root`/node_modules. Other copies of a package stay as they are. */
export function patchPackages(root: string, patches: readonly PackagePatch[]): Plugin {
  const texts = patchedFiles(root, patches);
  return {
    name: 'patch-packages',
    setup(build) {
      build.onLoad({filter: /[\\/]node_modules[\\/].*\.js$/}, ({path}) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : {contents, loader: 'js'};
      });
      // Ink imports `process`, which hides it from `define`: the code of its developer tools, which awaits, would stay.
      build.onLoad({filter: /[\\/]ink[\\/]build[\\/].*\.js$/}, async ({path}) => ({
        contents: (await readFile(path, 'utf8')).replace("import process from 'node:process';", ''),
        loader: 'js',
      }));
    },
  };
}
