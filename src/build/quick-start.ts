import {readFile} from 'node:fs/promises';
import type {Plugin} from 'esbuild';
import {type Edit, edits} from './edits.ts';

/** Leaves out of the way to the first picture what packages do when they are loaded and nobody has asked for yet. */
export function quickStart(given: readonly Edit[] = edits): Plugin {
  return {
    name: 'quick-start',
    setup(build) {
      for (const edit of given) {
        build.onLoad({filter: edit.file}, async ({path}) => {
          const text = await readFile(path, 'utf8');
          const contents = edit.changes.reduce((changed, [from, to]) => changed.replace(from, to), text);
          const unmet = edit.changes.filter(([from]) => text.split(from).length !== 2);
          if (unmet.length > 0) return {errors: unmet.map(([from]) => ({text: otherText(path, from)}))};
          return {contents, loader: 'js'};
        });
      }
      // Ink looks for it when DEV is set; it is not among the packages.
      build.onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'nothing'}));
      build.onLoad({filter: /.*/, namespace: 'nothing'}, () => ({
        contents: 'export default {};',
        loader: 'js',
      }));
    },
  };
}

function otherText(path: string, from: string): string {
  return (
    `${path} has changed: “${from.slice(0, 60)}” is not in it once. ` +
    'Look at it again, then correct the table in src/build/edits.ts.'
  );
}
