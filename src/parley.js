#!/usr/bin/env -S node --v8-pool-size=1 --optimize-for-size --heap-growing-percent=40 --initial-old-space-size=24 --wasm-tiering-budget=2000000000 --no-memory-reducer --invocation-count-for-maglev=5000
// Plain JavaScript without static imports, so that even a Node too old for the rest can read it and say so.
var wanted = [22, 19];
var version = process.versions.node.split('.').map(Number);
if (version[0] < wanted[0] || (version[0] === wanted[0] && version[1] < wanted[1])) {
  console.error(
    'Parley needs Node ' +
      wanted.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      '. In a checkout, "npx parley" and "npm start" bring their own.',
  );
  process.exitCode = 1;
} else {
  // A checkout may have a built program that is up to date. An installed package has only the built one.
  import('./build/built-program.js').then(
    ({builtProgram}) => {
      const program = builtProgram();
      return program === undefined ? runSources() : import(program);
    },
    () => import('../program/parley.cjs'),
  );
}

function runSources() {
  return import('./build/compile-cache.js')
    .then(({enableCompileCache}) => {
      enableCompileCache();
      return import('./build/patch-hook.ts');
    })
    .then(() => import('./cli.ts'))
    .then((cli) => cli.main(process.argv.slice(2)));
}
