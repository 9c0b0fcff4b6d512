/** Applies the patches of packages to what this process loads. Imported before anything that loads a patched package. */

import {registerHooks} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {patchedFiles} from './package-patches.ts';

try {
  const files = patchedFiles(join(import.meta.dirname, '../..'));
  const sources = new Map([...files].map(([path, text]) => [pathToFileURL(path).href, text]));
  registerHooks({
    load(url, context, nextLoad) {
      const source = sources.get(url);
      return source === undefined ? nextLoad(url, context) : {source, format: 'module', shortCircuit: true};
    },
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
