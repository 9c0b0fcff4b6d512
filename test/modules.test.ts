import {globSync, readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {parseSync} from 'rolldown/utils';
import {expect, test} from 'vitest';
import {verbNames} from '#cli/verbs/verb-table.ts';
import {getOrCreate} from '#std/get-or-create.ts';

/** How the modules of the program and of the tests import each other, and what nobody imports. */

const files = globSync('{src,test}/**/*.{ts,tsx}').sort();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const modules = new Map([...texts].map(([file, text]) => [file, parseSync(file, text).module]));

/** Returns the file that an import names; undefined for a package. */
function importedFile(file: string, name: string): string | undefined {
  if (name.startsWith('#test/')) return name.slice(1);
  if (name.startsWith('#')) return `src/${name.slice(1)}`;
  return name.startsWith('.') ? join(dirname(file), name) : undefined;
}

/** Returns the names of modules in a file, as it writes them: static imports, exports from others, and `import()`. */
function importedNames(file: string): string[] {
  const {staticImports, staticExports, dynamicImports} = modules.get(file) ?? expect.unreachable(file);
  const text = texts.get(file) ?? '';
  const loaded = dynamicImports.map(({moduleRequest: {start, end}}) => text.slice(start, end).replaceAll("'", ''));
  const exported = staticExports.flatMap(({entries}) => entries.map(({moduleRequest}) => moduleRequest?.value ?? ''));
  return [...staticImports.map(({moduleRequest}) => moduleRequest.value), ...exported, ...loaded];
}

test('imports: a file imports a module by one statement', () => {
  const repeated = files.flatMap((file) => {
    const names = modules.get(file)?.staticImports.map(({moduleRequest}) => moduleRequest.value) ?? [];
    return names.filter((name, index) => names.indexOf(name) < index).map((name) => `${file} imports ${name} again`);
  });
  expect(repeated).toEqual([]);
});

test('imports: the same folder is ./x.ts, another folder is named from its layer', () => {
  const strays = files.flatMap((file) =>
    importedNames(file)
      .filter((name) => {
        const imported = importedFile(file, name);
        if (imported === undefined || !/^(?:src|test)\//.test(imported)) return false;
        return name.startsWith('./') !== (dirname(imported) === dirname(file));
      })
      .map((name) => `${file} imports ${name}`),
  );
  expect(strays).toEqual([]);
});

/** Exports that are used without an import statement. */
const usedOtherwise = new Set([
  // Patched packages, the bundle and its launcher, a program that a test writes.
  ...['src/ui/ink/output.ts Output', 'src/ui/ink/frame-writer.ts frameWriter', 'src/ui/ink/rectangles.ts rectangles'],
  ...['src/build/program-entry.ts start'],
  ...['src/build/lazy-globals.ts LazySegmenter', 'src/build/lazy-globals.ts SmallPerformance'],
  ...['src/build/unused-package.ts highlight', 'src/cli/control/quick-status.ts quickStatus'],
  'src/cli/ssh/ssh-front.ts runSshFront',
  'src/cli.ts hideSqliteWarning',
  // Each list adds its id.
  'src/ui/lists/list-state.ts ListIds',
  // A test observes which inputs selectors read.
  'src/std/memo.ts observeMemos',
]);

/** Returns the files that import each export, as `file name`. */
function usersOfExports(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const use = (file: string, imported: string | undefined, names: Iterable<string>) => {
    for (const name of names) getOrCreate(found, `${imported} ${name}`, () => new Set<string>()).add(file);
  };
  for (const [file, {staticImports, staticExports, dynamicImports}] of modules) {
    const text = texts.get(file) ?? '';
    for (const {moduleRequest, entries} of staticImports) {
      const imported = importedFile(file, moduleRequest.value);
      for (const {importName, localName} of entries) {
        if (importName.kind === 'Name') use(file, imported, [importName.name ?? '']);
        else use(file, imported, isUsedWhole(localName.value, text) ? exportsOf(imported) : wordsOf(file));
      }
    }
    for (const {moduleRequest, importName} of staticExports.flatMap(({entries}) => entries)) {
      if (moduleRequest) use(file, importedFile(file, moduleRequest.value), [importName.name ?? '']);
    }
    for (const {moduleRequest} of dynamicImports) {
      use(file, importedFile(file, text.slice(moduleRequest.start + 1, moduleRequest.end - 1)), wordsOf(file));
    }
  }
  return found;
}

/** Returns the names that a file may take from modules that it imports as a whole. */
function wordsOf(file: string): readonly string[] {
  if (file !== 'src/cli/verbs/load-verb.ts') return texts.get(file)?.match(/\w+/g) ?? [];
  return verbNames.map((name) => name.replace(/[ -](.)/, (_, letter: string) => letter.toUpperCase()));
}

/** Returns whether a namespace is used other than by `namespace.name`. Its import is one such mention. */
function isUsedWhole(namespace: string, text: string): boolean {
  return (text.match(new RegExp(`\\b${namespace}\\b(?!\\.)`, 'g')) ?? []).length > 1;
}

/** Returns the names that a file exports, except the default one. */
function exportsOf(file = ''): string[] {
  const exported = modules.get(file)?.staticExports.flatMap(({entries}) => entries) ?? [];
  return exported.flatMap(({exportName}) => exportName.name ?? []);
}

/** Returns all exports as `file name`. */
function allExports(): string[] {
  const own = files.filter((file) => !file.endsWith('.d.ts'));
  return own
    .flatMap((file) => exportsOf(file).map((name) => `${file} ${name}`))
    .filter((each) => !usedOtherwise.has(each));
}

const users = usersOfExports();

test('exports: another file uses each of them', () => {
  expect(allExports().filter((each) => !users.has(each))).toEqual([]);
});

/** A test may import what its file alone uses otherwise: a part of the file that is best tested alone. */
test('exports: the program uses each of its own; tests alone are not enough', () => {
  const unused = allExports().filter((each) => {
    const [file = '', name = ''] = each.split(' ');
    if (file.startsWith('test/')) return false;
    if ([...(users.get(each) ?? [])].some((user) => user.startsWith('src/'))) return false;
    return (texts.get(file)?.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length < 2;
  });
  expect(unused).toEqual([]);
});

test('files: each is imported, or another file says that it is run', () => {
  const imported = new Set(files.flatMap((file) => importedNames(file).map((name) => importedFile(file, name))));
  const others = ['package.json', 'src/README.md', 'test/README.md', 'src/build/launcher.cjs'];
  const readers = new Map([...texts, ...others.map((file): [string, string] => [file, readFileSync(file, 'utf8')])]);
  const unknown = files.filter((file) => {
    if (imported.has(file) || /\.test\.tsx?$|\.d\.ts$/.test(file)) return false;
    // A script that is run by hand says so itself, with its path.
    if (texts.get(file)?.includes(file)) return false;
    const folder = dirname(file);
    const fromOthers = join(basename(folder), basename(file));
    return ![...readers].some(([other, text]) =>
      text.includes(dirname(other) === folder && other !== file ? basename(file) : fromOthers),
    );
  });
  expect(unknown).toEqual([]);
});

test('packages: each dependency is imported, or is a tool', () => {
  const {devDependencies}: {devDependencies: object} = JSON.parse(readFileSync('package.json', 'utf8'));
  const tools = ['@biomejs/biome', 'typescript', 'node-binary'];
  const unused = Object.keys(devDependencies).filter(
    (name) =>
      !tools.includes(name) && !name.startsWith('@types/') && !texts.values().some((text) => text.includes(`'${name}`)),
  );
  expect(unused).toEqual([]);
});
