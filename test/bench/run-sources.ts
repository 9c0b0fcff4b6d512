/**
 * node test/bench/run-sources.ts [DESTINATION]
 *
 * Opens the screen from the sources, file by file, where the program would build a bundle: Node cannot run JSX, so this
 * translates it.
 */

import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'esbuild';
import '#build/patch-hook.ts';

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const {code} = transformSync(text, {loader: 'tsx', jsx: 'automatic'});
    return {source: code, format: 'module', shortCircuit: true};
  },
});

const [{openScreen}, {processIo}] = await Promise.all([import('#cli/screen/open-screen.tsx'), import('#cli/io.ts')]);
const [destination] = process.argv.slice(2);
const none = {isTriage: false, isExploring: false, isReadOnly: false, theme: undefined, color: undefined};
process.exitCode = await openScreen({destination, isAlternate: true, ...none}, processIo());
