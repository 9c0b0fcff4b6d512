import {createHash, randomUUID} from 'node:crypto';
import {existsSync, globSync, readdirSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {type BundleOptions, bundled} from './bundle.ts';
import {signature} from './fresh.js';

/** The folder of the project. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url));

/** What decides about a bundle and is not in it. */
const rules = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json'];

/** A terminal application and a tool that prints and ends have little in common but their beginning. */
const program: Parts = {
  entries: {parley: 'src/build/begin.ts'},
  apart: {screen: 'src/cli/screen/open-screen.ts'},
};

type Parts = Pick<BundleOptions, 'entries' | 'apart'>;

const makers = 'src/build/';

/**
 * Bundles the program into a folder of its own under `dist/` and makes it the current one. A program that still runs from an
 * older folder goes on loading its parts from there. Two at once do no harm: each folder is whole before it has its name.
 */
export async function buildProgram(project = root, parts = program): Promise<string> {
  const dist = join(project, 'dist');
  const making = join(dist, `.making-${randomUUID()}`);
  try {
    // Taken before anything is read: what changes meanwhile is found to have changed.
    const before = signatures(project);
    const {inputs} = await bundled({
      root: project,
      ...parts,
      outdir: making,
    });
    const sources = Object.fromEntries(
      Array.from(before).filter(
        ([file]) => file in inputs || file.startsWith(makers) || rules.includes(file),
      ),
    );
    const name = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 12);
    place(making, join(dist, name));
    writeFileSync(`${making}.json`, JSON.stringify({folder: `dist/${name}`, sources}));
    renameSync(`${making}.json`, join(dist, 'current.json'));
    removeOlder(dist, name);
    return join(dist, name);
  } finally {
    rmSync(making, {recursive: true, force: true});
  }
}

function signatures(project: string): Map<string, string> {
  const sources = globSync('src/**/*.{ts,tsx,js,json}', {cwd: project}).map((file) =>
    file.replaceAll('\\', '/'),
  );
  return new Map([...sources.sort(), ...rules].map((file) => [file, signature(join(project, file))]));
}

/** What is there already under this name was made from the same sources, and may be running. */
function place(from: string, to: string): void {
  try {
    if (!existsSync(to)) renameSync(from, to);
  } catch (error) {
    // Another build was a moment earlier.
    if (!existsSync(join(to, 'parley.js'))) throw error;
  }
}

const mostKept = 3;

/** Some programs may still run from the last few. */
function removeOlder(dist: string, current: string): void {
  const folders = readdirSync(dist, {withFileTypes: true})
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{12}$/.test(entry.name) && entry.name !== current)
    .map(({name}) => ({name, made: statSync(join(dist, name)).mtimeMs}))
    .sort((one, other) => other.made - one.made);
  for (const {name} of folders.slice(mostKept - 1)) rmSync(join(dist, name), {recursive: true, force: true});
}
