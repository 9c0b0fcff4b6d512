// The start file of a program folder, where it is parley.cjs, and of the single file. It is not bundled.
'use strict';
const {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} = require('node:fs');
const {join} = require('node:path');
const {isSea, getRawAsset} = require('node:sea');
const {Script} = require('node:vm');

// In the single file, all other files are inside it.
const folder = isSea() ? undefined : __dirname;
// Compiled code fits one version of Node.
const cacheName = `compiled/${process.version}-${process.arch}.cache`;

if (folder === undefined || existsSync(join(folder, 'program.cjs'))) runProgram();
// With unpatched packages the bundle is an ES module.
else import('./program.mjs').then(({start}) => start(folder));

function runProgram() {
  const cachedData = readOptional(cacheName);
  const script = new Script(read('program.cjs').latin1Slice(), {filename: 'parley', ...(cachedData && {cachedData})});
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true;
  const program = {exports: {}};
  script.runInThisContext()(program.exports, require, program, __filename, __dirname);
  program.exports.start(folder, isCompiled ? undefined : () => save(script));
}

function read(name) {
  return folder === undefined ? Buffer.from(getRawAsset(name)) : readFileSync(join(folder, name));
}

function readOptional(name) {
  try {
    return read(name);
  } catch {
    return undefined;
  }
}

/** Saves the compiled code beside the program for the next start. */
function save(script) {
  if (folder === undefined) return;
  const file = join(folder, cacheName);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(join(folder, 'compiled'), {recursive: true});
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, file);
  } catch {
    // The folder is not writable: each start compiles what it needs.
  }
}
