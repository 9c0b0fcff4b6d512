/**
 * Runs before `npm pack`: builds what the package contains beside `src/parley.js`. The program needs no other package, because it
 * is bundled.
 */

import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {buildProgram, root} from './build-program.ts';
import {codeCachePaths, makeCodeCache} from './code-cache.ts';
import {launchFlags} from './launch-flags.ts';

const folder = join(root, 'program');
const shared = join(root, 'share');

for (const each of [folder, shared]) rmSync(each, {recursive: true, force: true});
const built = await buildProgram();
await makeCodeCache(built);
const compiled = join(built, 'compiled');
// Programs that ran from the built folder with another Node left their compiled code there.
cpSync(built, folder, {recursive: true, filter: (path) => !path.startsWith(compiled)});
// Without that of sessions over SSH, which few need: they start with the options of a screen then. The server and rare verbs save
// theirs when they first run.
for (const path of codeCachePaths(built, ['screen', 'verb'])) cpSync(join(built, path), join(folder, path));

/** Files that the program itself prints, by their paths in `share/`. */
const printed = {
  'man/man1/parley.1': ['man'],
  'doc/parley/THIRD-PARTY-NOTICES': ['licenses'],
  'bash-completion/completions/parley': ['completion', 'bash'],
  'zsh/site-functions/_parley': ['completion', 'zsh'],
  'fish/vendor_completions.d/parley.fish': ['completion', 'fish'],
};
for (const [path, args] of Object.entries(printed)) {
  mkdirSync(join(shared, path, '..'), {recursive: true});
  writeFileSync(
    join(shared, path),
    execFileSync(process.execPath, [...launchFlags, join(folder, 'parley.cjs'), ...args]),
  );
}
