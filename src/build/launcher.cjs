// The start file of a program folder, where it is parley.cjs, and of the single file. It is not bundled.
'use strict';
const {existsSync, mkdirSync, readFileSync, renameSync, writeFileSync} = require('node:fs');
const {homedir} = require('node:os');
const {join} = require('node:path');
const {isSea, getRawAsset} = require('node:sea');
const {Script} = require('node:vm');

// In the single file, all other files are inside it.
const folder = isSea() ? undefined : __dirname;
// Compiled code fits one build of the program and one version of Node. V8 compares less of the source than its checksum.
const cacheName = `BUILD_ID-${process.version}-${process.arch}.cache`;

if (folder === undefined || existsSync(join(folder, 'program.cjs'))) runProgram();
// With unpatched packages the bundle is an ES module.
else import('./program.mjs').then(({start}) => start(folder));

function runProgram() {
  const cachedData = folder === undefined ? readCache(() => read(`compiled/${cacheName}`)) : readSavedCache();
  const script = new Script(read('program.cjs').latin1Slice(), {filename: 'parley', ...(cachedData && {cachedData})});
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true;
  const program = {exports: {}};
  script.runInThisContext()(program.exports, require, program, __filename, __dirname);
  program.exports.start(folder, isCompiled ? undefined : () => save(script));
}

function read(name) {
  return folder === undefined ? Buffer.from(getRawAsset(name)) : readFileSync(join(folder, name));
}

/** Returns the folders for compiled code: beside the program and, if that is not writable, the user's own. */
function cacheFolders() {
  return [join(folder, 'compiled'), join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley')];
}

function readSavedCache() {
  for (const each of cacheFolders()) {
    const cache = readCache(() => readFileSync(join(each, cacheName)));
    if (cache !== undefined) return cache;
  }
  return undefined;
}

function readCache(readFile) {
  try {
    return readFile();
  } catch {
    return undefined;
  }
}

/** Saves the compiled code for the next start. */
function save(script) {
  if (folder !== undefined) cacheFolders().some((each) => saveIn(each, script));
}

function saveIn(cacheFolder, script) {
  const file = join(cacheFolder, cacheName);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(cacheFolder, {recursive: true});
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, file);
    return true;
  } catch {
    return false;
  }
}
