import {readFile} from 'node:fs/promises';
import type {Plugin} from 'esbuild';
import {type PackagePatch, patchedFiles} from './package-patches.ts';

/** Applies the patches to the packages in `root`/node_modules. Other copies of a package stay as they are. */
export function patchPackages(root: string, patches: readonly PackagePatch[]): Plugin {
  const texts = patchedFiles(root, patches);
  return {
    name: 'patch-packages',
    setup(build) {
      build.onLoad({filter: /[\\/]node_modules[\\/].*\.js$/}, ({path}) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : {contents, loader: 'js'};
      });
      // Ink imports `process`, which hides it from `define`: the code of its developer tools, which awaits, would stay.
      build.onLoad({filter: /[\\/]ink[\\/]build[\\/].*\.js$/}, async ({path}) => ({
        contents: (await readFile(path, 'utf8')).replace("import process from 'node:process';", ''),
        loader: 'js',
      }));
    },
  };
}
