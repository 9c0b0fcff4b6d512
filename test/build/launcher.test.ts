import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {endSignals} from '#std/end-signals.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {fewOf} from '#test/support/tier.ts';

/** A program that says whether its compiled code was loaded, and saves it if not. */
const source = `(function (exports) {
  exports.start = (folder, {saveCompiledCode}) => {
    console.log(saveCompiledCode === undefined ? 'loaded' : 'compiled');
    saveCompiledCode?.();
  };
})`;

/** Only root can make files of another user. */
const isRoot = process.getuid?.() === 0;

/** Creates a program folder as the build does. */
function programFolder(buildId: string, program = source): string {
  const folder = scratchDirectory();
  const launcher = readFileSync(resolve('src/build/launcher.cjs'), 'utf8');
  writeFileSync(
    join(folder, 'parley.cjs'),
    launcher
      .replace('BUILD_ID', buildId)
      .replaceAll('QUICK_WORDS', 'unread send')
      .replace('OTHER_WORDS', 'serve')
      .replace('END_SIGNALS', endSignals.join(' ')),
  );
  for (const name of ['screen.cjs', 'program.cjs']) writeFileSync(join(folder, name), program);
  return folder;
}

function run(folder: string, cache: string, ...args: string[]): string {
  const env = {XDG_CACHE_HOME: cache};
  return execFileSync(process.execPath, [join(folder, 'parley.cjs'), ...args], {env, encoding: 'utf8'}).trim();
}

test('launcher: compiled code is saved beside the program and loaded by the next start', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
  expect(readdirSync(join(folder, 'compiled'))).toEqual([`one-${process.version}-${process.arch}-screen.cache`]);
  expect(readdirSync(cache)).toEqual([]);
});

test('launcher: a relative XDG_CACHE_HOME is ignored, nothing is written below the working directory', () => {
  const [folder, home, cwd] = [programFolder('one'), scratchDirectory(), scratchDirectory()];
  writeFileSync(join(folder, 'compiled'), '');
  const env = {XDG_CACHE_HOME: 'cache', HOME: home};
  execFileSync(process.execPath, [join(folder, 'parley.cjs')], {env, cwd});
  expect(readdirSync(cwd)).toEqual([]);
  expect(readdirSync(join(home, '.cache'))).toEqual(['parley']);
});

test('launcher: compiled code is saved in the cache folder of the user when the program folder is not writable', () => {
  const [folder, other, cache] = [programFolder('one'), programFolder('two'), scratchDirectory()];
  // A file in place of the folder: the tests may run as a user who may write everywhere.
  for (const each of [folder, other]) writeFileSync(join(each, 'compiled'), '');
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
  expect(run(other, cache)).toBe('compiled');
});

test('launcher: a damaged file of compiled code is replaced', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  mkdirSync(join(folder, 'compiled'));
  writeFileSync(join(folder, 'compiled', `one-${process.version}-${process.arch}-screen.cache`), 'damaged');
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
});

const unsafeCode: (readonly [string, (file: string) => void])[] = [
  ['that others may write', (file: string) => chmodSync(file, 0o666)],
  ['in a folder that others may write', (file: string) => chmodSync(dirname(file), 0o777)],
  [
    'behind a link',
    (file: string) => {
      renameSync(file, `${file}-elsewhere`);
      symlinkSync(`${file}-elsewhere`, file);
    },
  ],
  ...(isRoot ? [['of another user', (file: string) => chownSync(file, 12345, 12345)] as const] : []),
];

test.each(fewOf(unsafeCode))('launcher: compiled code %s is not run', (_, spoil) => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  expect(run(folder, cache)).toBe('compiled');
  const [name = ''] = readdirSync(join(folder, 'compiled'));
  spoil(join(folder, 'compiled', name));
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
});

test('launcher: a verb and a screen run their own bundles, other command lines run the program', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  for (const kind of ['verb', 'screen']) {
    writeFileSync(
      join(folder, `${kind.replace('verb', 'verbs')}.cjs`),
      source.replaceAll("'loaded'", `'${kind} loaded'`),
    );
  }
  expect([run(folder, cache, 'send'), run(folder, cache, 'unread', '--json')]).toEqual(['compiled', 'verb loaded']);
  expect([run(folder, cache, 'serve'), run(folder, cache, '--json', 'send')]).toEqual(['compiled', 'loaded']);
  expect([run(folder, cache, 'open'), run(folder, cache, 'open')]).toEqual(['compiled', 'screen loaded']);
  // A session over SSH also runs verbs.
  expect(run(folder, cache, 'ssh-session')).toBe('loaded');
  const kinds = readdirSync(join(folder, 'compiled')).map((name) => /-([a-z]+)\.cache/.exec(name)?.[1]);
  expect(kinds.sort()).toEqual(['other', 'screen', 'verb']);
});

test('launcher: a screen that cannot open runs the program in place of its bundle', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  writeFileSync(join(folder, 'screen.cjs'), '(function (exports) { exports.start = (_, {runWhole}) => runWhole(); })');
  expect([run(folder, cache, 'open'), run(folder, cache, 'open')]).toEqual(['compiled', 'loaded']);
});

test('launcher: the version is printed without loading the program', () => {
  const folder = programFolder('one', 'throw new Error("loaded")');
  for (const option of ['--version', '-v', '-V']) {
    expect(run(folder, scratchDirectory(), option)).toContain(`Node ${process.versions.node})`);
  }
});

test('launcher: the version is printed without the modules of streams and sockets, which take longer than the rest', () => {
  const folder = programFolder('one', 'throw new Error("loaded")');
  const script = join(folder, 'print-modules.cjs');
  writeFileSync(
    script,
    `process.on('exit', () => require('node:fs').writeSync(1, process.moduleLoadList.join('\\n')));`,
  );
  const args = ['--require', script, join(folder, 'parley.cjs'), '--version'];
  const modules = execFileSync(process.execPath, args, {env: {}, encoding: 'utf8'}).split('\n');
  expect(modules).toContain('NativeModule vm');
  expect(modules.filter((name) => /^NativeModule (?:net|stream|tty)$/.test(name))).toEqual([]);
});

/** A program that saves a picture and ends at the key a, and only ends at q. It takes over the terminal if its argument says so. */
const paintingSource = `(function (exports, require) {
  const {statSync, writeFileSync} = require('node:fs');
  exports.start = (folder, {picture}) => {
    const database = folder + '/parley.cjs';
    if (process.argv[2] === 'takes-over') picture.takeOver?.();
    process.stdin.on('data', (text) => {
      if (String(text).includes('q')) process.exit(0);
      // The terminal's reply to the query is not a key.
      if (!String(text).includes('a')) return;
      const shown = 'The picture';
      const header = {key: picture.key, database, changedAt: statSync(database).mtimeMs, length: shown.length};
      writeFileSync(picture.file, JSON.stringify(header) + '\\n' + shown, {mode: 0o600});
      process.exit(0);
    });
  };
})`;

function paintingProgram() {
  const [folder, cache] = [programFolder('one', paintingSource), scratchDirectory()];
  mkdirSync(join(cache, 'parley'), {mode: 0o700});
  const env = {XDG_CACHE_HOME: cache, TERM: 'xterm-256color'};
  return {
    folder,
    picture: join(cache, 'parley', 'first-frame'),
    open: (...args: string[]) => openTerminal(process.execPath, [join(folder, 'parley.cjs'), ...args], {env}),
  };
}

async function savePicture(terminal: Terminal): Promise<void> {
  terminal.type('a\r');
  await terminal.waitForExit();
}

/** Ways in which others could have written a picture, and a picture that this program would not write. */
const unsafePictures: Readonly<Record<string, (file: string) => void>> = {
  'a file of another user': (file) => chownSync(file, 12345, 12345),
  'a folder of another user': (file) => chownSync(dirname(file), 12345, 12345),
  'a file that others may write': (file) => chmodSync(file, 0o620),
  'a file that others may read': (file) => chmodSync(file, 0o604),
  'a folder that others may open': (file) => chmodSync(dirname(file), 0o755),
  'a link': (file) => {
    renameSync(file, `${file}-elsewhere`);
    symlinkSync(`${file}-elsewhere`, file);
  },
  'a linked folder': (file) => {
    renameSync(dirname(file), `${dirname(file)}-elsewhere`);
    symlinkSync(`${dirname(file)}-elsewhere`, dirname(file));
  },
};

describe.each(Object.entries(unsafePictures))('launcher: %s', (name, spoil) => {
  test.runIf(isRoot || !name.includes('another user'))('is not shown as a picture, and is kept', async () => {
    const {open, picture} = paintingProgram();
    await savePicture(open());
    spoil(picture);
    const terminal = open();
    terminal.type('q\r');
    await terminal.waitForExit();
    expect(terminal.transcript()).not.toContain('The picture');
    expect(readFileSync(picture, 'utf8')).toContain('The picture');
  });
});

test.each([
  ['a copy to the clipboard', '\x1b]52;c;aGk=\x07', false],
  ['a query', '\x1bP+q544e\x1b\\', false],
  ['a control character of eight bits', '\x9b5n', false],
  ['the background of a theme', '\x1b]11;#2e3440\x1b\\', true],
  ['a query for the background', '\x1b]11;?\x1b\\', false],
  ['a mode', '\x1b[?1000h', false],
  ['a style', '\x1b[1;38;5;3m', true],
  ['a hyperlink', '\x1b]8;id=1;https://example.com\x1b\\', true],
])('launcher: a picture with %s is shown only if a frame may contain it', async (_, sequence, isShown) => {
  const {open, picture} = paintingProgram();
  await savePicture(open());
  const text = `${sequence}The picture`;
  const [header = ''] = readFileSync(picture, 'utf8').split('\n');
  writeFileSync(picture, `${JSON.stringify({...JSON.parse(header), length: text.length})}\n${text}`);
  const terminal = open();
  terminal.type('q\r');
  await terminal.waitForExit();
  expect(terminal.transcript().includes(`${sequence}The picture`)).toBe(isShown);
});

test.each([
  ['in its header', (saved: string) => saved.slice(0, 20)],
  ['after its header', (saved: string) => saved.slice(0, saved.indexOf('\n'))],
  ['before its text', (saved: string) => saved.slice(0, saved.indexOf('\n') + 1)],
  ['in its text', (saved: string) => saved.slice(0, -3)],
])('launcher: a picture whose writing was cut off %s is not shown', async (_where, cut) => {
  const {open, picture} = paintingProgram();
  await savePicture(open());
  writeFileSync(picture, cut(readFileSync(picture, 'utf8')));
  const terminal = open();
  terminal.type('q\r');
  await terminal.waitForExit();
  expect(terminal.transcript()).not.toMatch(/The pic|undefined/);
  expect(terminal.transcript()).not.toContain('\x1b[?1049h');
});

test('launcher: the picture of the first frame is shown once, and only while the database is unchanged', async () => {
  const {folder, open} = paintingProgram();
  const database = join(folder, 'parley.cjs');
  // As if another program had written to the database, or had been killed while it was open.
  const written = () => utimesSync(database, new Date(), new Date());
  const killed = () => writeFileSync(`${database}-wal`, '');
  for (const [at, change] of [undefined, undefined, undefined, written, killed].entries()) {
    change?.();
    const isShown = at > 0 && change === undefined;
    const terminal = open();
    if (isShown) await terminal.waitFor('The picture');
    terminal.type('a\r');
    await terminal.waitForExit();
    expect(terminal.transcript().includes('The picture')).toBe(isShown);
    expect(terminal.modes.altScreen).toBe(false);
  }
});

test.each(endSignals)(
  'launcher: %s before the program has taken over the terminal leaves it as it was',
  async (signal) => {
    const {open} = paintingProgram();
    await savePicture(open());
    const second = open();
    await second.waitFor('The picture');
    second.kill(signal);
    await second.waitForExit();
    expect(second.modes.altScreen).toBe(false);
    expect(second.cursor.visible).toBe(true);
  },
);
