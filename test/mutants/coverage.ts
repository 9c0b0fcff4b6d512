import {createHash} from 'node:crypto';
import {existsSync, globSync, readFileSync, rmSync} from 'node:fs';
import {createVitest, type TestSpecification} from 'vitest/node';

export const folder = 'node_modules/.cache/parley-mutants';

/** Tests that run other processes, which have no switches, or that are about the files of the project. */
const unasked = /^test\/(?:e2e|build|given-server|support|cli\/serve|cli\/process|[^/]*\.test)/;

export interface CoveringTest {
  readonly file: string;
  readonly project: string;
  readonly name: string;
}

/** Which mutants the tests of one file reach, as `switches.ts` writes it. */
export interface Hits {
  readonly file: string;
  readonly project: string;
  /** The checksum of the test file. */
  readonly checksum: string;
  /** The checksums of the sources. */
  readonly sources: Readonly<Record<string, string>>;
  /** The numbers of mutants by source, by test. */
  readonly byTest: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns the checksum of what numbers the mutants: with another planter, a number means another mutant. */
export function planterChecksum(): string {
  const files = ['plant-mutants.ts', 'sql-mutants.ts'].map((name) => new URL(name, import.meta.url));
  return checksumOf(files.map((file) => readFileSync(file, 'utf8')).join());
}

function hitsFolder(): string {
  return `${folder}/hits-${planterChecksum()}`;
}

export function hitsFileOf(testFile: string, project: string): string {
  return `${hitsFolder()}/${project}:${testFile.replaceAll('/', ':')}.json`;
}

/** The tests to ask: those below the folders, or all; or only unit tests of them. */
interface AskedTests {
  readonly folders: readonly string[];
  readonly areUnits: boolean;
  /**
   * How many of them are asked about a mutant: those in the same folder first, of these unit tests, and first those of which
   * much is in its source. Many lines are reached by a thousand tests.
   */
  readonly most: number;
}

/** What decides which tests reach a mutant. */
interface ReachedMutant {
  readonly source: string;
  readonly checksum: string;
  readonly reach: number;
  readonly isEvaluatedOnce: boolean;
}

/**
 * Returns a function that returns the tests which reach a mutant, the best ones first. Test files below `asked` whose reach is not known run once;
 * with `isRenewed` all of them.
 */
export async function coverage(asked: AskedTests, isRenewed: boolean) {
  if (isRenewed) rmSync(folder, {recursive: true, force: true});
  const present = await collect(asked);
  const files = globSync(`${hitsFolder()}/*.json`).sort();
  const known: readonly Hits[] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const all = known
    .filter(({file, project}) => present.has(hitsFileOf(file, project)))
    .flatMap(({file, project, sources, byTest}) =>
      Object.entries(byTest).map(([name, reached]) => {
        const total = Object.values(reached).reduce((sum, ids) => sum + ids.length, 0);
        return {test: {file, project, name}, sources, reached, total};
      }),
    );
  return ({source, reach, checksum, isEvaluatedOnce}: ReachedMutant): readonly CoveringTest[] => {
    const importers = isEvaluatedOnce ? importersOf(source) : [];
    const reaching = all.flatMap(({test, sources, reached, total}) => {
      const ids = reached[source] ?? [];
      // A table is read by functions of its file, or of files that import it. The numbers of a changed source mean other
      // mutants: all tests that reach the source are asked.
      const isReached = isEvaluatedOnce || sources[source] !== checksum ? ids.length > 0 : ids.includes(reach);
      const inImporters = importers.reduce((sum, name) => sum + (reached[name]?.length ?? 0), 0);
      if (!isReached && inImporters === 0) return [];
      // Tests that reach only importers of a table may read other parts of it, or none.
      const isBeside = test.file.startsWith(`test/${folderOf(source)}/`);
      const rank = (isBeside ? 4 : 0) + (ids.length > 0 ? 2 : 0) + (isUnit(test.file) ? 1 : 0);
      return [{test, rank: rank + (ids.length > 0 ? ids.length : inImporters) / total}];
    });
    const best = reaching.sort((a, b) => b.rank - a.rank);
    return best.slice(0, asked.most).map(({test}) => test);
  };
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}

/** Returns the sources that import a source. */
function importersOf(source: string): string[] {
  const name = source.slice(source.lastIndexOf('/') + 1);
  return globSync('**/*.{ts,tsx}', {cwd: 'src'}).filter((file) => {
    const text = readFileSync(`src/${file}`, 'utf8');
    return text.includes(`'#${source}'`) || (folderOf(file) === folderOf(source) && text.includes(`'./${name}'`));
  });
}

function isUnit(file: string): boolean {
  return !/\.integration\.|^test\/(?:server|api|cli|contract|stories|zulip-compat)\//.test(file);
}

function isAsked({folders, areUnits}: Omit<AskedTests, 'most'>, testFile: string): boolean {
  if (unasked.test(testFile) || (areUnits && !isUnit(testFile))) return false;
  return folders.length === 0 || folders.some((start) => testFile.startsWith(start));
}

/** Learns what the asked tests reach if that is not known, and returns where each of them has it. */
async function collect(asked: AskedTests): Promise<ReadonlySet<string>> {
  process.env.PARLEY_MUTANT_HITS = folder;
  const options = {config: 'test/mutants/vitest.config.ts', watch: false, reporters: [{}]};
  const vitest = await createVitest('test', options);
  const all = (await vitest.globTestSpecifications()).filter((one) => isAsked(asked, pathOf(one)));
  const missing = all.filter((one) => !isKnown(pathOf(one), one.project.name));
  if (missing.length > 0) {
    console.log(`Running ${missing.length} test files once to learn what they reach …`);
    await vitest.runTestSpecifications(missing);
  }
  await vitest.close();
  delete process.env.PARLEY_MUTANT_HITS;
  return new Set(all.map((one) => hitsFileOf(pathOf(one), one.project.name)));
}

/** Whether it is known what the tests of a file reach, as the file is now. */
function isKnown(file: string, project: string): boolean {
  const path = hitsFileOf(file, project);
  if (!existsSync(path)) return false;
  const {checksum}: Hits = JSON.parse(readFileSync(path, 'utf8'));
  return checksum === checksumOf(readFileSync(file, 'utf8'));
}

function pathOf({moduleId}: TestSpecification): string {
  return moduleId.slice(process.cwd().length + 1);
}
