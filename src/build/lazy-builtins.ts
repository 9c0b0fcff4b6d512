import {builtinModules} from 'node:module';
import type {Plugin} from 'esbuild';

/** Modules of Node that every start uses. All others are loaded when one of their exports is first used. */
const eagerModules = new Set([
  ...['async_hooks', 'buffer', 'console', 'diagnostics_channel', 'events', 'fs', 'fs/promises', 'os', 'path'],
  ...[
    'process',
    'querystring',
    'stream',
    'stream/promises',
    'stream/web',
    'string_decoder',
    'timers',
    'timers/promises',
  ],
  ...['url', 'util', 'util/types', 'v8'],
]);

/**
 * Replaces imports of Node's modules such as `node:http` by an object that loads the module on first use: no start needs all of
 * them. Used at the top level of a module, they load at once.
 */
export function lazyBuiltins(): Plugin {
  const lazyModules = new Set(
    [...builtinModules.map((name) => name.replace('node:', '')), 'sea', 'sqlite'].filter(
      (name) => !eagerModules.has(name),
    ),
  );
  return {
    name: 'lazy-builtins',
    setup(build) {
      build.onResolve({filter: /^(?:node:)?[a-z_0-9/]+$/}, ({path}) => {
        const name = path.replace('node:', '');
        return lazyModules.has(name) ? {path: name, namespace: 'lazy-builtin'} : undefined;
      });
      build.onLoad({filter: /.*/, namespace: 'lazy-builtin'}, ({path}) => ({loader: 'js', contents: lazyModule(path)}));
    },
  };
}

function lazyModule(name: string): string {
  const loaded: object = process.getBuiltinModule(`node:${name}`) ?? {};
  const members = Object.keys(loaded).map((key) =>
    // undici reads the constants of HTTP/2 while it loads. A copy saves it from loading the module, which takes 40 ms.
    name === 'http2' && key === 'constants'
      ? `${key}: ${JSON.stringify(Reflect.get(loaded, key))}`
      : `get ${key}() { return load().${key}; }`,
  );
  // Packages call it with conditions that hold: only a failure needs the module, which takes 6 ms to load.
  const callable = name === 'assert' ? '(value, message) => value || load()(value, message)' : undefined;
  const exported = `{${members.join(', ')}}`;
  return `
    let loaded;
    const load = () => (loaded ??= process.getBuiltinModule('node:${name}'));
    module.exports = ${callable === undefined ? exported : `Object.defineProperties(${callable}, Object.getOwnPropertyDescriptors(${exported}))`};`;
}
