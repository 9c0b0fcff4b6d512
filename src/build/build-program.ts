import {execFileSync} from 'node:child_process';
import {createHash, randomUUID} from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {firstWords, isScreenVerb} from '#cli/verbs/verb-table.ts';
import {endSignals} from '#std/end-signals.ts';
import {noticesFile} from '#std/program-files.ts';
import {buildId} from './build-id.ts';
import {signature} from './built-program.js';
import {type BundleOptions, bundle} from './bundle.ts';
import {noticesOf} from './third-party-notices.ts';

/** The folder of the project. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** Files that determine a program folder without being bundled. */
const buildInputs = [
  'LICENSE',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];

/** `launcher.cjs` compiles the bundle as a function, with the parameters that Node gives to CommonJS modules. */
const wrapper = ['(function (exports, require, module, __filename, __dirname) {', '\n})'] as const;

/** Only the worker that highlights code loads them. */
const grammars = 'highlight.js/lib/languages/*';

const program = {
  root,
  entries: {program: 'src/build/program-entry.ts'},
  wrapper,
  external: {imports: [grammars], importers: []},
};

/** What a screen runs instead of the program: without the verbs and the server. */
const screen = {
  entries: {screen: 'src/build/program-entry.ts'},
  external: {
    imports: [
      grammars,
      ...['serve', 'ssh'].map((name) => `#cli/${name}/*`),
      '#cli/verbs/run-verb.ts',
      '#cli/verbs/load-verb.ts',
    ],
    importers: ['src/cli.ts', 'src/cli/screen/run-screen-verb.ts'],
  },
};

/** Each worker has its own file: it loads nothing of the rest. */
const workers = {
  entries: {
    'highlight-thread': 'src/content/highlight/highlight-thread.ts',
    'image-thread': 'src/terminal/images/image-thread.ts',
  },
};

/** The code of the image decoder. */
const decoder = 'node_modules/@cf-wasm/photon/dist/lib/photon_rs_bg.wasm';

/** What most verbs run instead of the program: without the screen and the server. */
const verbs = {
  entries: {verbs: 'src/build/program-entry.ts'},
  external: {
    imports: [
      grammars,
      ...['screen', 'serve', 'ssh', 'export', 'login', 'doctor', 'completion'].map((name) => `#cli/${name}/*`),
      ...['accounts', 'help', 'keys', 'man-page', 'render', 'rules', 'webhook'].map((name) => `./${name}.ts`),
    ],
    importers: ['src/cli.ts', 'src/cli/verbs/load-verb.ts'],
  },
};

/** The first words of the verbs that are not in `verbs.cjs`. */
const externalVerbs = [
  ...['accounts', 'completion', 'doctor', 'export', 'help', 'keys', 'licenses', 'login', 'man', 'render', 'rules'],
  ...['serve', 'webhook'],
];

/** What `parley ctl status` runs instead of the program. */
const quickStatus = {entries: {'quick-status': 'src/cli/control/quick-status.ts'}};

/** What `parley serve --ssh` runs to accept connections: no other start loads it. */
const sshFront = {entries: {'ssh-front': 'src/cli/ssh/ssh-front.ts'}};

/** The parts of `assets/` that the program reads. */
const assetFolders = ['content', 'demo', 'emoji', 'help', 'themes'];

/** The first words of the verbs in `verbs.cjs`. */
const quickWords = firstWords().filter((word) => !isScreenVerb(word) && !externalVerbs.includes(word));

/** The first words of the others that open no screen. */
const otherWords = ['--help', '-h', ...externalVerbs];

const buildScripts = 'src/build/';

/**
 * Builds the program in a new folder under `dist/` and makes it the current one. A program that still runs from an older
 * folder goes on loading its files from there. Two builds at once do no harm: a folder is complete before it gets its name.
 */
export async function buildProgram(options: Partial<BundleOptions> = {}): Promise<string> {
  const {root: project} = {...program, ...options};
  const dist = join(project, 'dist');
  const temporary = join(dist, `.building-${randomUUID()}`);
  try {
    // Taken before the sources are read, so that a change during the build makes the folder stale.
    const before = signatures(project);
    const inputs = await buildFolder(temporary, options);
    const sources = Object.fromEntries(
      Array.from(before).filter(
        ([file]) => inputs.has(file) || !file.startsWith('src/') || file.startsWith(buildScripts),
      ),
    );
    const name = createHash('sha256')
      .update(JSON.stringify([sources, buildInfo(project)]))
      .digest('hex')
      .slice(0, 12);
    moveIntoPlace(temporary, join(dist, name));
    writeFileSync(`${temporary}.json`, JSON.stringify({folder: `dist/${name}`, sources}));
    renameSync(`${temporary}.json`, join(dist, 'current.json'));
    removeOlder(dist, name);
    return join(dist, name);
  } finally {
    rmSync(temporary, {recursive: true, force: true});
  }
}

/** Writes all files of the program into a folder, from which it runs without the sources. Returns the sources. */
async function buildFolder(folder: string, options: Partial<BundleOptions> = {}): Promise<ReadonlySet<string>> {
  const {root: project} = {...program, ...options};
  const info = buildInfo(project);
  const shared = {...program, ...options, define: {PARLEY_BUILD: JSON.stringify(info)}, outdir: folder};
  const bundles = await Promise.all([
    bundle(shared),
    ...(options.entries === undefined
      ? [
          bundle({...shared, ...workers, wrapper: ['', ''], external: undefined}),
          bundle({...shared, ...screen}),
          bundle({...shared, ...verbs}),
          bundle({...shared, ...quickStatus}),
          bundle({...shared, ...sshFront}),
        ]
      : []),
  ]);
  const launcher = readFileSync(join(root, 'src/build/launcher.cjs'), 'utf8')
    .replace('BUILD_ID', buildId(folder))
    .replaceAll('QUICK_WORDS', quickWords.join(' '))
    .replace('OTHER_WORDS', otherWords.join(' '))
    .replace('END_SIGNALS', endSignals.join(' '))
    .replace('VERSION', info.version)
    .replace('COMMIT', info.commit);
  writeFileSync(join(folder, 'parley.cjs'), launcher, {mode: 0o755});
  const copied = options.entries === undefined ? [decoder] : [];
  for (const file of copied) cpSync(join(root, file), join(folder, 'photon.wasm'));
  const assets = assetFolders.map((name) => `assets/${name}/`).filter((each) => existsSync(join(project, each)));
  for (const each of assets) cpSync(join(project, each), join(folder, each), {recursive: true});
  const contained = [...bundles.flatMap((each) => each.contained), ...copied, ...assets];
  writeFileSync(join(folder, noticesFile), noticesOf(project, contained));
  return new Set(bundles.flatMap(({inputs}) => Object.keys(inputs)));
}

function buildInfo(project: string): {readonly version: string; readonly commit: string} {
  const {version = '0'}: {version?: string} = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return {version, commit: commitOf(project)};
}

/** Returns the commit of the checkout, with a mark when its files differ. Without git, `unknown`. */
function commitOf(project: string): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty=+', '--exclude=*'], {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

function signatures(project: string): Map<string, string> {
  const sources = globSync(['src/**/*.{ts,tsx,js,json}', 'assets/{content,demo,emoji,help,licences,themes}/**/*.*'], {
    cwd: project,
  });
  const files = [...sources.map((file) => file.replaceAll('\\', '/')).sort(), ...buildInputs];
  return new Map(files.map((file) => [file, signature(join(project, file))]));
}

/** Keeps an existing folder of this name: it was made from the same sources, and a program may run from it. */
function moveIntoPlace(from: string, to: string): void {
  try {
    if (!existsSync(to)) renameSync(from, to);
  } catch (error) {
    // Another build finished first.
    if (!existsSync(join(to, 'parley.cjs'))) throw error;
  }
}

const keptFolders = 3;

/** Removes old folders except the last few, from which programs may still run. */
function removeOlder(dist: string, current: string): void {
  const folders = readdirSync(dist, {withFileTypes: true})
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{12}$/.test(entry.name) && entry.name !== current)
    .map(({name}) => ({name, made: statSync(join(dist, name)).mtimeMs}))
    .sort((one, other) => other.made - one.made);
  for (const {name} of folders.slice(keptFolders - 1)) rmSync(join(dist, name), {recursive: true, force: true});
}
