import {execFileSync} from 'node:child_process';
import {globSync, readFileSync} from 'node:fs';
import {basename, dirname, join, parse} from 'node:path';
import {expect, test} from 'vitest';
import {heapFlags, launchFlags} from '#build/launch-flags.ts';
import {valueImportsOf} from '#test/support/value-imports.ts';

/** The layers that each layer may import. `cli` connects everything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  std: [],
  wire: ['std'],
  content: ['std', 'wire'],
  server: ['std', 'wire', 'content'],
  api: ['std', 'wire'],
  state: ['std', 'wire', 'content', 'api'],
  storage: ['std', 'state'],
  config: ['std'],
  terminal: ['std', 'content'],
  theme: ['std', 'content'],
  wording: ['std', 'wire', 'content', 'state'],
  ui: ['std', 'wire', 'content', 'state', 'terminal', 'theme', 'wording'],
  app: ['std', 'wire', 'content', 'api', 'state', 'config', 'terminal', 'theme', 'wording', 'ui'],
  commands: ['std', 'wire', 'content', 'state', 'ui', 'app', 'terminal', 'theme', 'wording'],
  // The bundle's entry is the program itself.
  build: ['std', 'cli', 'cli.ts'],
  cli: [
    ...['std', 'wire', 'content', 'server', 'api', 'state', 'storage', 'config'],
    ...['terminal', 'theme', 'wording', 'ui', 'app', 'commands', 'build'],
  ],
};

const files = globSync('src/**/*.{ts,tsx}').sort();

function layerOf(file: string): string {
  const [, folder = ''] = file.split('/');
  return folder === 'cli.ts' ? 'cli' : folder;
}

const allImports = new Map(files.map((file) => [file, readImports(file)]));

function readImports(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function importsOf(file: string): readonly string[] {
  return allImports.get(file) ?? [];
}

const valueGraph = importGraph('values');

test('imports: the source files are found', () => {
  expect(files.length).toBeGreaterThan(50);
});

test.each(Object.keys(mayImport))('imports: %s imports only the layers below it', (layer) => {
  const allowed = [layer, ...(mayImport[layer] ?? [])];
  const strays = files
    .filter((file) => layerOf(file) === layer)
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('#') && !allowed.includes(name.slice(1).split('/')[0] ?? ''))
        .map((name) => `${file} imports ${name}`),
    );
  expect(strays).toEqual([]);
});

test('imports: app/ and ui/ import nothing of api/ but types', () => {
  const importing = files.filter(
    (file) =>
      ['app', 'ui'].includes(layerOf(file)) &&
      /^import (?!type )[^;]*'#api\/|import\(\s*'#api\//m.test(readFileSync(file, 'utf8')),
  );
  expect(importing).toEqual([]);
});

test('imports: every folder of src is in the table of layers', () => {
  const unknown = files.map(layerOf).filter((layer) => !(layer in mayImport));
  expect([...new Set(unknown)]).toEqual([]);
});

test('imports: no circle of value imports', () => {
  expect(circlesOf(valueGraph)).toEqual([]);
});

test('imports: no circle of value or type imports spans two folders', () => {
  const circles = circlesOf(importGraph('all')).filter((circle) => new Set(circle.map(dirname)).size > 1);
  expect(circles).toEqual([]);
});

/** Folders and loose files of a layer can be put in an order in which each imports only those before it. */
test.each(Object.keys(mayImport))('imports: no circle of value imports between the folders of %s', (layer) => {
  const roomOf = (file: string) => file.split('/').slice(0, 3).join('/');
  const rooms = new Map<string, string[]>();
  for (const [file, imported] of valueGraph) {
    if (layerOf(file) !== layer) continue;
    const others = imported.filter((name) => layerOf(name) === layer).map(roomOf);
    rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), ...others]);
  }
  expect(rooms.size).toBeGreaterThan(2);
  expect(circlesOf(rooms)).toEqual([]);
});

/** The folders of ui/ and app/ that all parts of the screen use. What they need of a part is handed in. */
const generic = ['core', 'requests', 'hooks', 'ink', 'layout', 'lists', 'overlays', 'forms', 'text'];
/** What they may use besides: texts, finders and the undo history. */
const shared = ['format', 'search', 'undo'];

test.each(['ui', 'app'])(
  'imports: the generic folders of %s import no folder that names a part of the screen',
  (layer) => {
    const strays = files.flatMap((file) => {
      const [, own, folder = ''] = file.split('/');
      if (own !== layer || !generic.includes(folder)) return [];
      return importsOf(file)
        .filter(
          (name) => /^#(?:ui|app)\/.+\//.test(name) && ![...generic, ...shared].includes(name.split('/')[1] ?? ''),
        )
        .map((name) => `${file} imports ${name}`);
    });
    expect(strays).toEqual([]);
  },
);

test('tests: unit tests, which npm run check runs, start no server', () => {
  const tests = globSync(
    'test/{std,wire,content,state,storage,config,terminal,theme,wording,ui,app,commands}/**/*.test.{ts,tsx}',
  );
  const graph = importGraph('values', [...files, ...globSync('test/**/*.{ts,tsx}')]);
  const starters = new Set(['src/server/server.ts']);
  for (let before = 0; before < starters.size; ) {
    before = starters.size;
    for (const [file, imported] of graph) if (imported.some((name) => starters.has(name))) starters.add(file);
  }
  expect(starters.size).toBeGreaterThan(50);
  expect(tests.filter((file) => starters.has(file) && !file.includes('.integration.test.'))).toEqual([]);
});

/** Folders within a layer of test/ that test no folder of src/, but the server as a whole. */
const ofTheWholeServer = ['test/server/operations', 'test/server/recordings', 'test/server/safety'];

test('tests: the folder of a test is that of what it tests', () => {
  const tests = globSync('test/*/**/*.test.{ts,tsx}').filter((file) => layerOf(file) in mayImport);
  expect(tests.length).toBeGreaterThan(500);
  const folders = new Set(files.map(dirname));
  const strays = tests.filter((file) => {
    const folder = dirname(file).replace('test', 'src');
    const name = basename(file).replace(/(?:\.integration)?\.test\.tsx?$/, '');
    const namesakes = files.filter((other) => layerOf(other) === layerOf(file) && parse(other).name === name);
    if (namesakes.length > 0) return !namesakes.some((other) => dirname(other) === folder);
    return !folders.has(folder) && !ofTheWholeServer.includes(dirname(file));
  });
  expect(strays).toEqual([]);
});

/** Returns what each file imports: values only, or types as well. What is loaded later counts with the types. */
function importGraph(kind: 'values' | 'all', from = files): ReadonlyMap<string, readonly string[]> {
  const known = new Set(from);
  return new Map(
    from.map((file) => {
      const names = kind === 'all' ? importsOf(file) : valueImportsOf(file);
      const paths = names.map((name) => {
        if (name.startsWith('#test/')) return name.slice(1);
        return name.startsWith('#') ? `src/${name.slice(1)}` : join(dirname(file), name);
      });
      return [file, paths.filter((path) => known.has(path))];
    }),
  );
}

/** Returns the groups of two or more files in which each file reaches every other (Tarjan's algorithm). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  /** Visits a file and all that it reaches; returns the earliest file on the stack that it leads back to. */
  function visit(file: string): number {
    const own = order.size;
    order.set(file, own);
    stack.push(file);
    const earliest = (graph.get(file) ?? []).reduce((least, next) => {
      const met = order.get(next);
      if (met === undefined) return Math.min(least, visit(next));
      return stack.includes(next) ? Math.min(least, met) : least;
    }, own);
    if (earliest === own) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return earliest;
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

test('imports: what keys do and the verbs load no component, and so neither React nor Ink', () => {
  const reached = new Set(files.filter((file) => /^src\/(?:app|commands|cli\/verbs|cli\/plain)\//.test(file)));
  for (const file of reached) for (const name of valueGraph.get(file) ?? []) reached.add(name);
  expect(reached.size).toBeGreaterThan(300);
  expect([...reached].filter((file) => file.endsWith('.tsx'))).toEqual([]);
});

test('imports: a circle is found through several files, and a tree has none', () => {
  const graph = {a: ['b', 'd'], b: ['c'], c: ['a'], d: ['e', 'f'], e: ['f'], f: []};
  expect(circlesOf(new Map(Object.entries(graph)))).toEqual([['a', 'b', 'c']]);
});

test('output: the verbs write to standard output and standard error only through cli/io.ts, which removes control characters', () => {
  const writers = files.filter(
    (file) =>
      /^src\/cli[./]/.test(file) && /\b(?:std(?:out|err)\.write|console\.\w+)\(/.test(readFileSync(file, 'utf8')),
  );
  // The program's own texts, and those of the server, which has no CliIo.
  const exceptions = ['src/cli.ts', 'src/cli/serve/serve.ts', 'src/cli/verbs/interruption.ts'];
  expect(writers.filter((file) => !exceptions.includes(file))).toEqual(['src/cli/io.ts']);
});

test('imports: only wire/schema.ts imports the validator', () => {
  const importers = files.filter((file) => importsOf(file).includes('valibot'));
  expect(importers).toEqual(['src/wire/schema.ts']);
});

test('imports: only the two database files import SQLite', () => {
  const importers = files.filter((file) => importsOf(file).includes('node:sqlite'));
  expect(importers).toEqual(['src/server/db/database.ts', 'src/storage/database.ts']);
});

test('imports: outside of server/testing only server.ts imports the test equipment of the server', () => {
  const importers = files.filter((file) => importsOf(file).some((name) => name.startsWith('#server/testing/')));
  expect(importers).toEqual(['src/server/server.ts']);
});

test('imports: a server loads its test equipment, with the older feature levels, only on demand', () => {
  const loaded = new Set(['src/server/server.ts', 'src/cli/serve/serve.ts']);
  for (const file of loaded) for (const name of valueGraph.get(file) ?? []) loaded.add(name);
  expect(loaded).toContain('src/server/routes.ts');
  expect([...loaded].filter((file) => file.startsWith('src/server/testing/'))).toEqual([]);
});

test('imports: only api/ imports undici, and state/ imports no module of Node', () => {
  const importers = files.filter((file) => importsOf(file).some((name) => name.startsWith('undici')));
  expect([...new Set(importers.map(layerOf))]).toEqual(['api']);
  const outside = files.filter(
    (file) => layerOf(file) === 'state' && importsOf(file).some((name) => name.startsWith('node:')),
  );
  expect(outside).toEqual([]);
});

test('requests: ui/, app/ and commands/ call no endpoint; only kinds of records name theirs', () => {
  const callers = files.filter((file) => {
    if (!['ui', 'app', 'commands'].includes(layerOf(file))) return false;
    const text = readFileSync(file, 'utf8');
    return /\bapi\.(?!connection\b)\w|\{api\}/.test(text) && !text.includes('new RecordKind');
  });
  expect(callers).toEqual([]);
});

test('imports: only std/sorted-map.ts imports the B-tree', () => {
  const importers = files.filter((file) => importsOf(file).includes('sorted-btree'));
  expect(importers).toEqual(['src/std/sorted-map.ts']);
});

test('imports: feature levels are compared in wire/, api/ and server/ only', () => {
  const comparing = files.filter((file) => /import \{[^}]*\blevels\b[^}]*\} from/.test(readFileSync(file, 'utf8')));
  expect([...new Set(comparing.map(layerOf))].sort()).toEqual(['api', 'server', 'wire']);
});

test('clock: only std/clock.ts reads the time of the system, because the user may set it back', () => {
  const reading = files.filter((file) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(file, 'utf8')));
  expect(reading).toEqual(['src/std/clock.ts']);
});

test('V8: no flag is set after the start, because V8 may abort then', () => {
  const setting = globSync('src/**/*.{ts,tsx,js,cjs}').filter((file) =>
    /\bsetFlagsFromString\b/.test(readFileSync(file, 'utf8')),
  );
  expect(setting).toEqual([]);
});

test('temporary files: names in the temporary directory are random, and Node does not choose the folder of compiled code', () => {
  const predictable = globSync(['src/**/*.{ts,tsx,js,cjs}', 'test/bench/**/*.ts']).filter((file) =>
    /(?<!mkdtempSync\(join\()\btmpdir\(\)|\.enableCompileCache\(\)/.test(readFileSync(file, 'utf8')),
  );
  expect(predictable).toEqual([]);
});

/** What the root of the repository may contain, besides what .gitignore names. */
const rootEntries = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', 'package.json', 'package-lock.json'],
  ...['tsconfig.json', 'knip.json', '.biome.json', '.editorconfig', '.gitignore', '.npmrc', '.ci', '.github'],
  // A link to a folder is not ignored.
  ...['src', 'test', 'assets', 'node_modules'],
];

test('root: it contains only the listed files and folders, so that no program uses the checkout as its home directory', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const entries = new Set(listed.split('\0').map((path) => path.split('/', 1)[0] ?? ''));
  expect([...entries].filter((entry) => entry !== '' && !rootEntries.includes(entry))).toEqual([]);
});

test('V8: npm start and the bin of the package use the flags of the launcher', () => {
  const {scripts}: {scripts: {start: string}} = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts.start).toContain(`node ${launchFlags.join(' ')} src/build/start.ts`);
  const [firstLine] = readFileSync('src/parley.js', 'utf8').split('\n', 1);
  expect(firstLine).toBe(`#!/usr/bin/env -S node ${heapFlags.join(' ')}`);
});
