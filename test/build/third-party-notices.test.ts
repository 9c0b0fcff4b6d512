import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {noticesOf, packagesOf, type ThirdParty, thirdPartyNotices} from '#build/third-party-notices.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const ink: ThirdParty = {name: 'ink', version: '8.0.0', licence: 'MIT', texts: ['Copyright (c) Ink\n']};

/** Creates a project of these files. */
function project(files: Readonly<Record<string, string>>): string {
  const root = scratchDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('notices: equal texts are printed once, below the names of all packages that have them', () => {
  const parts: ThirdParty[] = [
    ink,
    {...ink, name: 'react', texts: ['Copyright (c) Ink\r\n\r\n', 'A notice']},
    {...ink, name: 'toml', version: undefined, licence: 'BSD-3-Clause', texts: ['Copyright (c) TOML']},
  ];
  expect(thirdPartyNotices(parts)).toEqual([
    'ink 8.0.0 (MIT)\nreact 8.0.0 (MIT)\n\nCopyright (c) Ink',
    'react 8.0.0 (MIT)\n\nA notice',
    'toml (BSD-3-Clause)\n\nCopyright (c) TOML',
  ]);
});

test.each<[Partial<ThirdParty>, string]>([
  [{licence: 'GPL-3.0'}, 'its licence GPL-3.0 is not among Apache-2.0, BSD-2-Clause, BSD-3-Clause, ISC, MIT, MIT-0.'],
  [{licence: 'UNLICENSED'}, 'its licence UNLICENSED is not among '],
  [{licence: undefined}, 'its package.json names no licence.'],
  [{texts: []}, 'it has no licence file.'],
])('notices: a package with %j is refused by a sentence that names it', (difference, reason) => {
  const parts = [ink, {...ink, name: 'other', ...difference}];
  expect(() => thirdPartyNotices(parts)).toThrow(`other cannot be part of Parley’s packages: ${reason}`);
});

test('notices: packages are found by their bundled files, with licences of inner folders and of copied files', () => {
  const manifest = (name: string, version: string) => JSON.stringify({name, version, license: 'MIT'});
  const root = project({
    'node_modules/@x/outer/package.json': manifest('@x/outer', '1.0.0'),
    'node_modules/@x/outer/license.md': 'outer licence',
    'node_modules/@x/outer/NOTICE': 'outer notice',
    'node_modules/@x/outer/lib/inner/LICENSE': 'folder licence',
    'node_modules/@x/outer/lib/inner/a.js': '/*! Copied.\n * Permission is hereby granted, …\n */\n/* not a licence */',
    'node_modules/@x/outer/lib/unused/LICENSE': 'unused licence',
    'node_modules/@x/outer/node_modules/dep/package.json': manifest('dep', '2.0.0'),
    'node_modules/@x/outer/node_modules/dep/COPYING': 'dep licence',
    'node_modules/@x/outer/node_modules/dep/index.js': '',
    'node_modules/unused/package.json': manifest('unused', '3.0.0'),
    'src/main.ts': '',
  });
  const dep = 'node_modules/@x/outer/node_modules/dep/index.js';
  expect(packagesOf(root, ['src/main.ts', 'node_modules/@x/outer/lib/inner/a.js', dep, dep])).toEqual([
    {
      name: '@x/outer',
      version: '1.0.0',
      licence: 'MIT',
      texts: ['outer notice', 'outer licence', 'folder licence', ' Copied.\nPermission is hereby granted, …\n '],
    },
    {name: 'dep', version: '2.0.0', licence: 'MIT', texts: ['dep licence']},
  ]);
});

test('notices: they begin with the licence of Parley and name the crates inside of WebAssembly', () => {
  const root = project({
    LICENSE: 'own licence\n',
    'node_modules/wasm/package.json': '{"name": "wasm", "version": "1.0.0", "license": "ISC"}',
    'node_modules/wasm/LICENSE': 'wasm licence',
    'node_modules/wasm/x.wasm':
      '\0/index.crates.io-1949c/png-0.17.16/src/a.rs\0/index.crates.io-1949c/gif-0.13.3/src\0',
  });
  const [own, , wasm, crates, ...rest] = noticesOf(root, ['node_modules/wasm/x.wasm']).split(/\n\n-{80}\n\n/);
  expect([own, wasm, rest]).toEqual(['own licence', 'wasm 1.0.0 (ISC)\n\nwasm licence', []]);
  expect(crates).toMatch(/^wasm\/x\.wasm .*\n\ngif-0\.13\.3\npng-0\.17\.16\n$/s);
});
