import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

/** Which layers each layer may import. Arrows point one way; `cli` wires everything together. */
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
  app: ['std', 'wire', 'content', 'api', 'state', 'terminal', 'theme'],
  commands: ['std', 'wire', 'content', 'state', 'app', 'terminal', 'theme'],
  ui: ['std', 'content', 'state', 'app', 'commands', 'terminal', 'theme'],
  // Bundles the program, so it names where that begins.
  build: ['std', 'cli.ts'],
  cli: [
    ...['std', 'wire', 'content', 'server', 'api', 'state', 'storage', 'config'],
    ...['terminal', 'theme', 'app', 'commands', 'ui', 'build'],
  ],
};

const files = globSync('src/**/*.{ts,tsx}').sort();

function layerOf(file: string): string {
  const [, folder = ''] = file.split('/');
  return folder === 'cli.ts' ? 'cli' : folder;
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

test('there is something to check', () => {
  expect(files.length).toBeGreaterThan(50);
});

test.each(Object.keys(mayImport))('%s imports only the layers below it', (layer) => {
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

test('every layer is in the table', () => {
  const unknown = files.map(layerOf).filter((layer) => !(layer in mayImport));
  expect([...new Set(unknown)]).toEqual([]);
});

test('nobody climbs with ../', () => {
  const climbing = files.filter((file) => importsOf(file).some((name) => name.startsWith('../')));
  expect(climbing).toEqual([]);
});

test('only wire/schema.ts knows the validator', () => {
  const importers = files.filter((file) => importsOf(file).includes('valibot'));
  expect(importers).toEqual(['src/wire/schema.ts']);
});

test('only the database skins know SQLite', () => {
  const importers = files.filter((file) => importsOf(file).includes('node:sqlite'));
  expect(importers).toEqual(['src/server/db/database.ts', 'src/storage/database.ts']);
});

test('only api/ knows undici, and state/ knows neither files nor sockets', () => {
  const importers = files.filter((file) => importsOf(file).includes('undici'));
  expect([...new Set(importers.map(layerOf))]).toEqual(['api']);
  const outside = files.filter(
    (file) => layerOf(file) === 'state' && importsOf(file).some((name) => name.startsWith('node:')),
  );
  expect(outside).toEqual([]);
});

test('one file knows the sorted tree', () => {
  const importers = files.filter((file) => importsOf(file).includes('sorted-btree'));
  expect(importers).toEqual(['src/std/sorted-map.ts']);
});

test('levels are compared in wire/, api/ and server/ only', () => {
  const comparing = files.filter((file) =>
    /import \{[^}]*\blevels\b[^}]*\} from/.test(readFileSync(file, 'utf8')),
  );
  expect([...new Set(comparing.map(layerOf))].sort()).toEqual(['api', 'server', 'wire']);
});
