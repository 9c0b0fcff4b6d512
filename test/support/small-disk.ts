import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';

/** Only an administrator of the machine may make a small disk. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** Makes an empty disk of 16 MiB, which `fill` fills. */
export function smallDisk() {
  const path = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', path]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', path]);
    rmSync(path, {recursive: true});
  });
  const fill = () => expect(() => writeFileSync(join(path, 'filler'), Buffer.alloc(2 ** 25))).toThrow('ENOSPC');
  return {path, fill};
}
