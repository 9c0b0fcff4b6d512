import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {doNotDisturbFile} from '#cli/screen/do-not-disturb-file.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

test('do not disturb: it holds in another program and after a restart, until it is turned off', () => {
  const directory = join(scratchDirectory(), 'state');
  const [one, other] = [doNotDisturbFile(directory), doNotDisturbFile(directory)];
  expect(one.until()).toBe(0);
  one.set(1_800_000_000_000);
  expect([one.until(), other.until(), doNotDisturbFile(directory).until()]).toEqual(Array(3).fill(1_800_000_000_000));
  other.set(0);
  expect(one.until()).toBe(0);
});

test('do not disturb: a damaged file is none, and a file that cannot be written holds in this program', () => {
  const directory = scratchDirectory();
  writeFileSync(join(directory, 'do-not-disturb'), 'soon\n');
  expect(doNotDisturbFile(directory).until()).toBe(0);
  const blocked = join(directory, 'blocked');
  mkdirSync(join(blocked, 'do-not-disturb'), {recursive: true});
  const file = doNotDisturbFile(blocked);
  file.set(1_800_000_000_000);
  expect(file.until()).toBe(1_800_000_000_000);
  // Once it can be written again, it is what the file says.
  rmSync(join(blocked, 'do-not-disturb'), {recursive: true});
  file.set(1_900_000_000_000);
  doNotDisturbFile(blocked).set(0);
  expect(file.until()).toBe(0);
});
