import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {displayPath, expandPath, pathsOf} from '#config/paths.ts';
import {
  createPrivateFile,
  ensurePrivateDirectory,
  readSmallFile,
  repairSecretFile,
  replacePrivateFile,
  writePrivateFile,
} from '#config/private-files.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('paths: the XDG variables are used', () => {
  const env = {
    XDG_CONFIG_HOME: '/c',
    XDG_DATA_HOME: '/d',
    XDG_STATE_HOME: '/s',
    XDG_CACHE_HOME: '/k',
    XDG_RUNTIME_DIR: '/run/user/1',
  };
  expect(pathsOf(env, '/home/meg')).toEqual({
    config: '/c/parley',
    data: '/d/parley',
    state: '/s/parley',
    cache: '/k/parley',
    runtime: '/run/user/1/parley',
  });
});

test.each([{}, {XDG_CONFIG_HOME: '', XDG_DATA_HOME: 'data', XDG_STATE_HOME: './s', XDG_RUNTIME_DIR: 'run'}])(
  'paths: without XDG variables, or with relative ones (%j), everything is below the home directory',
  (env) => {
    expect(pathsOf(env, '/home/meg')).toEqual({
      config: '/home/meg/.config/parley',
      data: '/home/meg/.local/share/parley',
      state: '/home/meg/.local/state/parley',
      cache: '/home/meg/.cache/parley',
      runtime: '/home/meg/.local/state/parley/run',
    });
  },
);

test('paths: a path may start at home or at a base', () => {
  expect(expandPath('~/x', '/base', '/home/meg')).toBe('/home/meg/x');
  expect(expandPath('sub/x', '/base', '/home/meg')).toBe('/base/sub/x');
  expect(expandPath('/x', '/base', '/home/meg')).toBe('/x');
  expect(displayPath('/home/meg/x', '/home/meg')).toBe('~/x');
  expect(displayPath('/home/megan/x', '/home/meg')).toBe('/home/megan/x');
});

test('private files: a directory is made private, also when it was open before', () => {
  const directory = scratchDirectory();
  const open = join(directory, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  ensurePrivateDirectory(open);
  ensurePrivateDirectory(join(directory, 'a', 'b'));
  expect([modeOf(open), modeOf(join(directory, 'a')), modeOf(join(directory, 'a', 'b'))]).toEqual([
    0o700, 0o700, 0o700,
  ]);
});

test('private files: a file is private, replaces a less private one, and leaves no temporary file', () => {
  const directory = scratchDirectory();
  const file = join(directory, 'secret');
  writeFileSync(file, 'old', {mode: 0o644});
  writePrivateFile(file, 'new');
  expect([readFileSync(file, 'utf8'), modeOf(file), readdirSync(directory)]).toEqual(['new', 0o600, ['secret']]);
});

test('private files: a link to a file elsewhere stays a link', () => {
  const directory = scratchDirectory();
  const [real, link] = [join(directory, 'real'), join(directory, 'link')];
  writeFileSync(real, 'old');
  symlinkSync(real, link);
  writePrivateFile(link, 'new');
  expect(readFileSync(real, 'utf8')).toBe('new');
});

test('private files: a file that is written where others may make links replaces a link', () => {
  const directory = scratchDirectory();
  const [real, link, dangling] = [join(directory, 'real'), join(directory, 'link'), join(directory, 'dangling')];
  writeFileSync(real, 'old');
  symlinkSync(real, link);
  symlinkSync(join(directory, 'nowhere'), dangling);
  for (const path of [link, dangling]) {
    replacePrivateFile(path, 'new');
    expect([readFileSync(path, 'utf8'), lstatSync(path).isFile(), modeOf(path)]).toEqual(['new', true, 0o600]);
  }
  expect(readFileSync(real, 'utf8')).toBe('old');
  expect(readdirSync(directory).sort()).toEqual(['dangling', 'link', 'real']);
});

test('private files: of two writers that create a file, the second gets false and the first file stays', () => {
  const file = join(scratchDirectory(), 'x');
  expect([createPrivateFile(file, 'first'), createPrivateFile(file, 'second')]).toEqual([true, false]);
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['first', 0o600]);
});

test('private files: a secret that others can read is made private, with one notice', () => {
  const file = join(scratchDirectory(), 'zuliprc');
  writeFileSync(file, 'x');
  chmodSync(file, 0o640);
  expect(repairSecretFile(file)).toBe(
    `Other users could read ${file}, which contains your API key. Parley made it private.`,
  );
  expect(modeOf(file)).toBe(0o600);
  expect(repairSecretFile(file)).toBeUndefined();
});

test('private files: files that are not ours stay unchanged', () => {
  expect(repairSecretFile('/dev/null')).toBeUndefined();
  expect(existsSync('/dev/null')).toBe(true);
});

test('private files: a read error is one sentence', () => {
  const directory = scratchDirectory();
  expect(() => readSmallFile(join(directory, 'gone'))).toThrow(`There is no file ${directory}/gone.`);
  expect(() => readSmallFile(directory)).toThrow(`${directory} is a directory, not a file.`);
  expect(() => readSmallFile('/dev/zero', 1000)).toThrow('/dev/zero is too large to be a configuration file.');
});

test('private files: a write error is one sentence, and no temporary file is left', () => {
  const directory = scratchDirectory();
  writeFileSync(join(directory, 'file'), '');
  mkdirSync(join(directory, 'directory'));
  expect(() => ensurePrivateDirectory(join(directory, 'file', 'x'))).toThrow(
    `${directory}/file/x cannot be created: ENOTDIR`,
  );
  expect(() => writePrivateFile(join(directory, 'directory'), 'x')).toThrow(
    `${directory}/directory cannot be written: `,
  );
  expect(() => createPrivateFile(join(directory, 'gone', 'x'), 'x')).toThrow('cannot be written: ENOENT');
  expect(readdirSync(directory).sort()).toEqual(['directory', 'file']);
});
