import {basename, join} from 'node:path';
import type {Plugin} from 'esbuild';

/** Name of a file in the bundle, without `.js` → its source. */
export type Entries = Readonly<Record<string, string>>;

/** Imports on demand of these sources become imports of their own files in the bundle. */
export function loadedApart(root: string, apart: Entries): Plugin {
  const nameOf = new Map(Object.entries(apart).map(([name, source]) => [join(root, source), name]));
  const fileNames = new Set(Object.values(apart).map((source) => basename(source)));
  return {
    name: 'loaded-apart',
    setup(build) {
      build.onResolve({filter: /\.tsx?$/}, async ({path, kind, pluginData, ...where}) => {
        if (kind !== 'dynamic-import' || pluginData === asked || !fileNames.has(basename(path)))
          return undefined;
        const found = await build.resolve(path, {
          kind,
          pluginData: asked,
          importer: where.importer,
          resolveDir: where.resolveDir,
        });
        const name = nameOf.get(found.path);
        return name === undefined ? undefined : {path: `./${name}.js`, external: true};
      });
    },
  };
}

/** Marks our own question, so that it is not answered with itself. */
const asked = Symbol('asked');
