/**
 * Helps Node to load the sources and tests: it removes types itself, but knows no JSX. Evaluated once in each worker, and after
 * the hooks of Vitest are registered, because the last hook is asked first.
 */

import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'rolldown/utils';
import {vi} from 'vitest';

const root = new URL('../../../', import.meta.url).href;
const packages = `${root}node_modules/`;

/** Added to the URLs of modules that test files import after a reload. */
let version = '';
let reloads = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const {parentURL} = context;
    const url = parentURL === undefined ? undefined : projectUrl(specifier, parentURL);
    if (parentURL === undefined || url === undefined) return nextResolve(specifier, context);
    return {url: `${url}${versionFor(parentURL)}`, shortCircuit: true};
  },
  load(url, context, nextLoad) {
    if (!/\.tsx(?:\?|$)/.test(url)) return nextLoad(url, context);
    return {source: compiled(fileURLToPath(url)), format: 'module', shortCircuit: true};
  },
});

/**
 * Returns the URL of a module of the project that another one imports. Node would look for the nearest `package.json` of each
 * import, and Vitest would report each to its main process.
 */
function projectUrl(specifier: string, parentUrl: string): string | undefined {
  if (!/\.tsx?$/.test(specifier)) return undefined;
  if (specifier.startsWith('#test/')) return `${root}${specifier.slice(1)}`;
  if (specifier.startsWith('#')) return `${root}src/${specifier.slice(1)}`;
  const isOwn = specifier.startsWith('.') && parentUrl.startsWith(root) && !parentUrl.startsWith(packages);
  return isOwn ? new URL(specifier, parentUrl).href : undefined;
}

/**
 * Returns what is added to the URL of an imported module: what the importing module has, so that no module is made of others of
 * several versions. Vitest loads test files with a query of its own.
 */
function versionFor(parentUrl: string): string {
  if (parentUrl.includes('?vitest=')) return version;
  return /\?reload=\d+$/.exec(parentUrl)?.[0] ?? '';
}

/** Returns a component as JavaScript. */
function compiled(file: string): string {
  const {code, map, errors} = transformSync(file, readFileSync(file, 'utf8'), {sourcemap: true});
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors.map(({message}) => message).join('; ')}`);
  const mapText = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${mapText}`;
}

/** Makes modules that test files import from now on new ones, with their own state, until the returned function is called. */
export function reloadModules(): () => void {
  // For the tests of mutants, whose modules Vite loads.
  vi.resetModules();
  reloads++;
  version = `?reload=${reloads}`;
  return () => {
    vi.resetModules();
    version = '';
  };
}
