// The start file of a program folder, where it is parley.cjs, and of the single file. It is not bundled.
'use strict';
const {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} = require('node:fs');
const {isAbsolute, join} = require('node:path');
const {isSea} = require('node:sea');
const {Script} = require('node:vm');

const attached = isSea() ? openAttachedFiles() : undefined;
const folder = attached === undefined ? __dirname : undefined;
// Compiled code fits one build of the program, one version of Node and its flags (launch-flags.ts). V8 compares less of the
// source than its checksum.
const isWordOf = (words) => (word) => words.split(' ').includes(word);
const isVerb = isWordOf('QUICK_WORDS')(process.argv[2]);
const isScreen = !isVerb && !process.argv.slice(2).some(isWordOf('QUICK_WORDS OTHER_WORDS'));
const isLimited = attached !== undefined || process.execArgv.some((flag) => flag.startsWith('--heap-growing-percent='));
// A session over SSH could save it only in the folder of a person.
const isSession = process.argv[2] === 'ssh-session';
const cacheNameOf = (kind) => `BUILD_ID-${process.version}-${process.arch}-${kind}${isLimited ? '-limited' : ''}.cache`;
// Sessions have options of their own where there is compiled code for them.
const kindOfProgram = isSession && process.execArgv.includes('--expose-gc') ? 'session' : 'other';
const kind = isVerb ? 'verb' : isScreen && !isSession ? 'screen' : kindOfProgram;

/** What a picture may not contain: control sequences other than positions, styles, hyperlinks and the colours of a theme. */
const foreignControl = /[\0-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[\d;:]*[Hm]|\]8;|\]1[012];#[\da-f]{6}\x1b\\|\\)/;
/** The bits of a mode that let others write, and that let others do anything. */
const [othersWrite, othersAll] = [0o022, 0o077];

/** What the first frame depends on beside the account's data. */
const pictureVariables =
  /^(?:PARLEY_.*|XDG_.*|LC_.*|HOME|LANG|TZ|TERM|TERM_.*|COLORTERM|COLORFGBG|NO_COLOR|FORCE_COLOR|TMUX|STY|SSH_TTY|ZULIP.*|CI|ACCESSIBLE)$/;

// The program itself would take longer to load than Node.
const [, , word, second, ...words] = process.argv;
if (['--version', '-v', '-V'].includes(word)) print(`Parley VERSION (commit COMMIT, Node ${process.versions.node})`);
else if (word === 'ssh-front') load('ssh-front.cjs').runSshFront();
else if (word !== 'ctl' || second !== 'status' || !printStatus()) runProgram();

/** Returns false when only the program can say what is wrong with the command line. */
function printStatus() {
  const result = load('quick-status.cjs').quickStatus(words);
  if (result === undefined) return false;
  process.exitCode = result.exitCode;
  print(result.text, result.exitCode === 0 ? 1 : 2);
  return true;
}

/** Runs a file that is bundled apart from the program; returns its exports. */
function load(name) {
  const file = {exports: {}};
  new Script(read(name).latin1Slice(), {filename: 'parley'}).runInThisContext()(
    file.exports,
    require,
    file,
    __filename,
    __dirname,
  );
  return file.exports;
}

/** A closed pipe is no failure, as in the program. */
function print(text, stream = 1) {
  try {
    writeSync(stream, `${text}\n`);
  } catch ({code, message}) {
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    writeSync(2, `The output cannot be written: ${message}.\n`);
  }
}

function runProgram() {
  const picture = isScreen && isOnTerminal() ? showPicture() : undefined;
  if (kind !== 'screen') return runBundle(isVerb ? 'verbs.cjs' : 'program.cjs', kind, {picture});
  return runBundle('screen.cjs', kind, {picture, runWhole: () => runBundle('program.cjs', 'other')});
}

/** `node:tty` loads 20 modules, of which `--version` and `ctl status` need none. */
function isOnTerminal() {
  const {isatty} = require('node:tty');
  return isatty(0) && isatty(1);
}

function runBundle(name, kindOfCache, launch) {
  const cacheName = cacheNameOf(kindOfCache);
  const cachedData = readSavedCache(cacheName);
  const script = new Script(read(name).latin1Slice(), {filename: 'parley', ...(cachedData && {cachedData})});
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true;
  const program = {exports: {}};
  script.runInThisContext()(program.exports, require, program, __filename, __dirname);
  const saveCompiledCode = isCompiled || isSession ? undefined : () => save(script, cacheName);
  return program.exports.start(folder, {attached, saveCompiledCode, ...launch});
}

/**
 * Shows the first frame of this start, which the last session saved when it ended, while the program is loaded. It is shown
 * once, and only if nothing has changed since: the program, its arguments, the terminal, the account's database.
 */
function showPicture() {
  const cacheFolder = userCacheFolder();
  const file = join(cacheFolder, 'first-frame');
  const {columns, rows} = process.stdout;
  const variables = Object.entries(process.env).filter(([name]) => pictureVariables.test(name));
  const key = JSON.stringify([cacheNameOf(kind), process.argv.slice(2), columns, rows, variables.sort()]);
  try {
    const [header, text] = readTrusted(cacheFolder, 'first-frame', othersAll).toString().split('\n', 2);
    rmSync(file);
    const {database, changedAt, capabilities, length, ...saved} = JSON.parse(header);
    const isCurrent =
      saved.key === key &&
      // Its writing may have been cut off.
      text?.length === length &&
      !foreignControl.test(text) &&
      statSync(database).mtimeMs === changedAt &&
      !existsSync(`${database}-wal`);
    return {key, file, ...(isCurrent && {capabilities, takeOver: paintPicture(text)})};
  } catch {
    return {key, file};
  }
}

/** Returns a function that the program calls when it takes over the terminal. If it never does, the terminal is restored. */
function paintPicture(text) {
  const signals = 'END_SIGNALS'.split(' ');
  const restore = () => {
    process.stdin.setRawMode(false);
    const colors = text.includes('\x1b]11;') ? '\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\' : '';
    writeSync(1, `\x1b[?25h\x1b[?1049l${colors}\x1b[23;0t`);
  };
  const end = () => process.exit(1);
  process.on('exit', restore);
  for (const signal of signals) process.on(signal, end);
  // As in the program.
  process.on('SIGUSR2', () => {});
  process.stdin.setRawMode(true);
  // The reply to the status query tells which keys were pressed after the picture was shown.
  writeSync(1, `\x1b[22;0t\x1b[?1049h\x1b[H\x1b[2J\x1b[?25l${text}\x1b[5n`);
  return () => {
    process.off('exit', restore);
    for (const signal of signals) process.off(signal, end);
  };
}

function read(name) {
  return attached === undefined ? readFileSync(join(folder, name)) : attached.read(name);
}

/**
 * Opens the files that follow the executable in the single file. Their table comes last, and then its length. Assets of Node
 * would be mapped into memory, where what was read of them stays.
 */
function openAttachedFiles() {
  // The running file, even if a newer one has replaced it.
  const descriptor = openSync('/proc/self/exe');
  const readAt = (position, length) => {
    const bytes = Buffer.allocUnsafe(length);
    readSync(descriptor, bytes, 0, length, position);
    return bytes;
  };
  const end = fstatSync(descriptor).size - 4;
  const tableLength = readAt(end, 4).readUInt32LE();
  const table = JSON.parse(readAt(end - tableLength, tableLength));
  return {names: Object.keys(table), read: (name) => readAt(...table[name])};
}

/** Returns the folders for compiled code: beside the program and, if that is not writable, the user's own. */
function cacheFolders() {
  return [join(folder, 'compiled'), userCacheFolder()];
}

/**
 * Reads a file that could do harm: compiled code is run, and a picture is written to the terminal. Throws unless the file and its
 * folder belong to the user (compiled code also to root, who may have installed the program) and are closed to others.
 */
function readTrusted(cacheFolder, name, forbidden) {
  checkTrusted(lstatSync(cacheFolder), constants.S_IFDIR, forbidden);
  const descriptor = openSync(
    join(cacheFolder, name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    checkTrusted(fstatSync(descriptor), constants.S_IFREG, forbidden);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function checkTrusted({uid, mode}, type, forbidden) {
  const isOwner = uid === process.getuid?.() || (uid === 0 && forbidden === othersWrite);
  if (!isOwner || (mode & constants.S_IFMT) !== type || (mode & forbidden) !== 0) throw new Error('not trusted');
}

/** As in config/paths.ts: relative paths are ignored. */
function userCacheFolder() {
  const {XDG_CACHE_HOME: cache = ''} = process.env;
  return join(isAbsolute(cache) ? cache : join(homeDirectory(), '.cache'), 'parley');
}

/** As in std/home-directory.ts. */
function homeDirectory() {
  const {HOME: home = ''} = process.env;
  if (isAbsolute(home)) return home;
  try {
    return require('node:os').userInfo().homedir;
  } catch {
    return '/';
  }
}

function readSavedCache(name) {
  const readers =
    folder === undefined
      ? [() => read(`compiled/${name}`)]
      : cacheFolders().map((each) => () => readTrusted(each, name, othersWrite));
  for (const each of readers) {
    const cache = readCache(each);
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
function save(script, cacheName) {
  if (folder !== undefined) cacheFolders().some((each) => saveIn(each, script, cacheName));
}

function saveIn(cacheFolder, script, cacheName) {
  const file = join(cacheFolder, cacheName);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(cacheFolder, {recursive: true, mode: 0o755});
    checkTrusted(lstatSync(cacheFolder), constants.S_IFDIR, othersWrite);
    writeFileSync(temporary, script.createCachedData(), {mode: 0o644, flag: 'wx'});
    renameSync(temporary, file);
    return true;
  } catch {
    return false;
  }
}
