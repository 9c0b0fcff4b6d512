import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import type {Plugin} from 'esbuild';
import {type PackagePatch, unusedPackages} from './package-patches.ts';

/** Applies the patches to the packages in `root`/node_modules. Other copies of a package stay as they are. */
export function patchPackages(root: string, patches: readonly PackagePatch[]): Plugin {
  const patchByPath = new Map(patches.map((patch) => [pathOf(root, patch), patch]));
  return {
    name: 'patch-packages',
    setup(build) {
      build.onResolve({filter: /^(?:ui-ink|std):/}, ({path}) => {
        const [folder = '', file = ''] = path.split(':');
        return {path: join(root, 'src', folder.replace('-', '/'), file)};
      });
      build.onLoad({filter: /[\\/]node_modules[\\/].*\.js$/}, async ({path}) => {
        const patch = patchByPath.get(path);
        return patch && {contents: patch.patch(await readFile(path, 'utf8')), loader: 'js'};
      });
      const unused = new RegExp(`^(?:${Object.keys(unusedPackages).join('|')})$`);
      build.onResolve({filter: unused}, ({path}) => ({path, namespace: 'unused'}));
      build.onLoad({filter: unused, namespace: 'unused'}, ({path}) => ({
        contents: unusedPackages[path] ?? '',
        loader: 'js',
      }));
    },
  };
}

/**
 * Splits the patches into those that fit the installed packages and the files that differ from what a patch was written
 * for. A package with one such file gets none of its patches, because they may depend on each other.
 */
export async function checkPatches(
  root: string,
  patches: readonly PackagePatch[],
): Promise<{readonly fitting: readonly PackagePatch[]; readonly mismatches: readonly string[]}> {
  const isFitting = await Promise.all(patches.map((patch) => matches(root, patch)));
  const unfit = patches.filter((_, at) => isFitting[at] !== true);
  const unfitPackages = new Set(unfit.map(({packageName}) => packageName));
  return {
    fitting: patches.filter(({packageName}) => !unfitPackages.has(packageName)),
    mismatches: unfit.map((patch) => relative(root, pathOf(root, patch))),
  };
}

async function matches(root: string, patch: PackagePatch): Promise<boolean> {
  try {
    const content = await readFile(pathOf(root, patch));
    return createHash('sha256').update(content).digest('hex') === patch.sha256;
  } catch {
    // The file does not exist in the installed version.
    return false;
  }
}

function pathOf(root: string, {packageName, file}: PackagePatch): string {
  return join(root, 'node_modules', packageName, file);
}
