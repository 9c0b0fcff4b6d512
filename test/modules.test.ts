import {globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {parseSync} from 'rolldown/utils';
import {expect, test} from 'vitest';

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
