import {userInfo} from 'node:os';
import {expect, onTestFinished, test, vi} from 'vitest';
import {homeDirectory} from '#std/home-directory.ts';

test.each([
  ['empty', '', userInfo().homedir],
  ['relative', 'here', userInfo().homedir],
  ['absolute', '/home/meg', '/home/meg'],
])('home directory: HOME is %s, the folder is absolute', (_, home, expected) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('HOME', home);
  expect(homeDirectory()).toBe(expected);
});
