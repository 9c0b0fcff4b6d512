import {basename, join} from 'node:path';
import type {Plugin} from 'esbuild';

/** Turns dynamic imports of the sources in `separate` into imports of their separately bundled files. */
export function separateBundles(root: string, separate: Readonly<Record<string, string>>): Plugin {
  const nameOf = new Map(Object.entries(separate).map(([name, source]) => [join(root, source), name]));
  const fileNames = new Set(Object.values(separate).map((source) => basename(source)));
  return {
    name: 'separate-bundles',
    setup(build) {
      build.onResolve({filter: /\.tsx?$/}, async ({path, kind, pluginData, ...where}) => {
        if (kind !== 'dynamic-import' || pluginData === ownCall || !fileNames.has(basename(path))) return undefined;
        const resolved = await build.resolve(path, {
          kind,
          pluginData: ownCall,
          importer: where.importer,
          resolveDir: where.resolveDir,
        });
        const name = nameOf.get(resolved.path);
        return name === undefined ? undefined : {path: `./${name}.js`, external: true};
      });
    },
  };
}

/** Marks a resolve call of this plugin, so that the plugin does not handle its own call. */
const ownCall = Symbol('ownCall');
