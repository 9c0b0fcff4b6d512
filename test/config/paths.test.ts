import {
  chmodSync,
  existsSync,
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
  writePrivateFile,
} from '#config/private-files.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('the XDG variables decide', () => {
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
  'without them, or with relative ones (%j), everything is below the home directory, never in a shared one',
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

test('paths in files and variables may start at home or at a base', () => {
  expect(expandPath('~/x', '/base', '/home/meg')).toBe('/home/meg/x');
  expect(expandPath('sub/x', '/base', '/home/meg')).toBe('/base/sub/x');
  expect(expandPath('/x', '/base', '/home/meg')).toBe('/x');
  expect(displayPath('/home/meg/x', '/home/meg')).toBe('~/x');
  expect(displayPath('/home/megan/x', '/home/meg')).toBe('/home/megan/x');
});

test('a private directory is closed to others, also when it was open before', () => {
  const place = scratchDirectory();
  const open = join(place, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  ensurePrivateDirectory(open);
  ensurePrivateDirectory(join(place, 'a', 'b'));
  expect([modeOf(open), modeOf(join(place, 'a')), modeOf(join(place, 'a', 'b'))]).toEqual([
    0o700, 0o700, 0o700,
  ]);
});

test('a private file is closed to others, replaces a looser one, and leaves nothing beside it', () => {
  const place = scratchDirectory();
  const file = join(place, 'secret');
  writeFileSync(file, 'old', {mode: 0o644});
  writePrivateFile(file, 'new');
  expect([readFileSync(file, 'utf8'), modeOf(file), readdirSync(place)]).toEqual(['new', 0o600, ['secret']]);
});

test('a link to a file kept elsewhere stays a link', () => {
  const place = scratchDirectory();
  const [real, link] = [join(place, 'real'), join(place, 'link')];
  writeFileSync(real, 'old');
  symlinkSync(real, link);
  writePrivateFile(link, 'new');
  expect(readFileSync(real, 'utf8')).toBe('new');
});

test('of two who create the same file the second is told, and the first one stays', () => {
  const file = join(scratchDirectory(), 'x');
  expect([createPrivateFile(file, 'first'), createPrivateFile(file, 'second')]).toEqual([true, false]);
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['first', 0o600]);
});

test('a secret that others can read is closed, with a line that says so once', () => {
  const file = join(scratchDirectory(), 'zuliprc');
  writeFileSync(file, 'x');
  chmodSync(file, 0o640);
  expect(repairSecretFile(file)).toBe(`Others could read ${file}, which holds your key; now only you can.`);
  expect(modeOf(file)).toBe(0o600);
  expect(repairSecretFile(file)).toBeUndefined();
});

test('what is no file of ours to change is left alone', () => {
  expect(repairSecretFile('/dev/null')).toBeUndefined();
  expect(existsSync('/dev/null')).toBe(true);
});

test('what cannot be read is said in a sentence', () => {
  const place = scratchDirectory();
  expect(() => readSmallFile(join(place, 'gone'))).toThrow(`There is no file ${place}/gone.`);
  expect(() => readSmallFile(place)).toThrow(`${place} is a directory, not a file.`);
  expect(() => readSmallFile('/dev/zero', 1000)).toThrow('/dev/zero is too large to be what it should be.');
});

test('what cannot be written is said in a sentence, and nothing is left beside it', () => {
  const place = scratchDirectory();
  writeFileSync(join(place, 'file'), '');
  mkdirSync(join(place, 'directory'));
  expect(() => ensurePrivateDirectory(join(place, 'file', 'x'))).toThrow(
    `${place}/file/x cannot be made: ENOTDIR`,
  );
  expect(() => writePrivateFile(join(place, 'directory'), 'x')).toThrow(
    `${place}/directory cannot be written: `,
  );
  expect(() => createPrivateFile(join(place, 'gone', 'x'), 'x')).toThrow('cannot be written: ENOENT');
  expect(readdirSync(place).sort()).toEqual(['directory', 'file']);
});
