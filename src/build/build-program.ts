import {createHash, randomUUID} from 'node:crypto';
import {existsSync, globSync, readdirSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {signature} from './built-program.js';
import {type BundleOptions, bundle} from './bundle.ts';

/** The folder of the project. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** Files that determine a bundle without being part of it. */
const buildInputs = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json'];

/** The screen and the command-line verbs share little code, so the screen is bundled separately. */
const program = {
  root,
  entries: {parley: 'src/build/bundle-entry.ts'},
  separate: {screen: 'src/cli/screen/open-screen.ts'},
};

const buildScripts = 'src/build/';

/**
 * Bundles the program into a new folder under `dist/` and makes it the current one. A program that still runs from an older
 * folder goes on loading its files from there. Two builds at once do no harm: a folder is complete before it gets its name.
 */
export async function buildProgram(options: Partial<BundleOptions> = {}): Promise<string> {
  const {root: project} = {...program, ...options};
  const dist = join(project, 'dist');
  const temporary = join(dist, `.building-${randomUUID()}`);
  try {
    // Taken before the sources are read, so that a change during the build makes the bundle stale.
    const before = signatures(project);
    const {inputs} = await bundle({...program, ...options, outdir: temporary});
    const sources = Object.fromEntries(
      Array.from(before).filter(
        ([file]) => file in inputs || file.startsWith(buildScripts) || buildInputs.includes(file),
      ),
    );
    const name = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 12);
    moveIntoPlace(temporary, join(dist, name));
    writeFileSync(`${temporary}.json`, JSON.stringify({folder: `dist/${name}`, sources}));
    renameSync(`${temporary}.json`, join(dist, 'current.json'));
    removeOlder(dist, name);
    return join(dist, name);
  } finally {
    rmSync(temporary, {recursive: true, force: true});
  }
}

function signatures(project: string): Map<string, string> {
  const sources = globSync('src/**/*.{ts,tsx,js,json}', {cwd: project}).map((file) => file.replaceAll('\\', '/'));
  return new Map([...sources.sort(), ...buildInputs].map((file) => [file, signature(join(project, file))]));
}

/** Keeps an existing folder of this name: it was made from the same sources, and a program may run from it. */
function moveIntoPlace(from: string, to: string): void {
  try {
    if (!existsSync(to)) renameSync(from, to);
  } catch (error) {
    // Another build finished first.
    if (!existsSync(join(to, 'parley.js'))) throw error;
  }
}

const keptBundles = 3;

/** Removes old bundles except the last few, from which programs may still run. */
function removeOlder(dist: string, current: string): void {
  const folders = readdirSync(dist, {withFileTypes: true})
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{12}$/.test(entry.name) && entry.name !== current)
    .map(({name}) => ({name, made: statSync(join(dist, name)).mtimeMs}))
    .sort((one, other) => other.made - one.made);
  for (const {name} of folders.slice(keptBundles - 1)) rmSync(join(dist, name), {recursive: true, force: true});
}
