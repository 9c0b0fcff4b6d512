import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Plugin} from 'esbuild';
import {type Swap, swaps} from './swaps.ts';

/** Puts the output stage of `ui/ink/` in the place of Ink's. `root` is the folder of the project. */
export function inkStage(root: string, given: readonly Swap[] = swaps): Plugin {
  const byFile = new Map(given.map((swap) => [swap.file, swap]));
  return {
    name: 'ink-stage',
    setup(build) {
      const missing = new Set(byFile.keys());
      let hasInk = false;
      build.onResolve({filter: /^ui-ink:/}, ({path}) => ({
        path: join(root, 'src/ui/ink', path.slice('ui-ink:'.length)),
      }));
      build.onLoad({filter: /[\\/]ink[\\/]build[\\/][\w-]+\.js$/}, async ({path}) => {
        hasInk = true;
        const swap = byFile.get(basename(path));
        if (swap === undefined) return undefined;
        missing.delete(swap.file);
        const text = await readFile(path, 'utf8');
        if (sha256(text) !== swap.sha256) return {errors: [{text: otherInk(swap.file, sha256(text))}]};
        return {contents: swap.code(text), loader: 'js'};
      });
      build.onEnd((result) => {
        if (!hasInk || missing.size === 0 || result.errors.length > 0) return undefined;
        return {errors: Array.from(missing, (file) => ({text: otherInk(file, undefined)}))};
      });
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function otherInk(file: string, found: string | undefined): string {
  const change = found === undefined ? 'is gone' : `has changed (sha256 ${found})`;
  return (
    `ink/build/${file} ${change}, so the output stage in src/ui/ink may not fit this Ink. ` +
    'Compare the two, then correct the table in src/build/swaps.ts.'
  );
}
