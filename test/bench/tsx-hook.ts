/** Node cannot run JSX, so this translates it. Imported before anything that loads a component. */

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
