import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

/** Which layers each layer may import. Arrows point one way; `cli` wires everything together. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  std: [],
  wire: ['std'],
  content: ['std', 'wire'],
  server: ['std', 'wire', 'content'],
  cli: ['std', 'wire', 'content', 'server'],
};

const files = globSync('src/**/*.{ts,tsx}');

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
  expect(climbing).toEqual(['src/cli.ts']);
});

test('only wire/schema.ts knows the validator', () => {
  const importers = files.filter((file) => importsOf(file).includes('valibot'));
  expect(importers).toEqual(['src/wire/schema.ts']);
});

test('only the database skin knows SQLite', () => {
  const importers = files.filter((file) => importsOf(file).includes('node:sqlite'));
  expect(importers).toEqual(['src/server/db/database.ts']);
});
