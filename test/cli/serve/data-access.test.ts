import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, chownSync, mkdirSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {canMount} from '#test/support/small-disk.ts';
import {isSlowTier} from '#test/support/tier.ts';
import {demoDirectory, serverOf} from './operator-fixture.ts';

/** A user number that no list of users has: it has no name and no home directory. */
const stranger = 54_321;

/** Only root may run programs as another user; the sources must be readable to everybody. */
const canBeOther = process.getuid?.() === 0;

/** Runs the program as a user without a home directory, and returns its exit code and output. */
async function asStranger(...args: string[]) {
  const child = spawn(process.execPath, ['src/parley.js', ...args], {
    uid: stranger,
    gid: stranger,
    env: {PATH: process.env.PATH, TMPDIR: strangerFolder()},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return {code, out, err};
}

/** Returns a new folder that the other user owns and reaches. */
function strangerFolder(): string {
  const outer = scratchDirectory();
  chmodSync(outer, 0o755);
  const folder = join(outer, 'own');
  mkdirSync(folder);
  chownSync(folder, stranger, stranger);
  return folder;
}

/** Lets everybody read a data directory. */
function share(data: string): void {
  chmodSync(dirname(data), 0o755);
  execFileSync('chmod', ['-R', 'a+rX', data]);
}

/** Makes a folder read-only, also for root. */
function mountReadOnly(path: string): void {
  execFileSync('mount', ['--bind', path, path]);
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
  execFileSync('mount', ['-o', 'remount,ro,bind', path]);
}

const verbs = (data: string, out: string): string[][] => [
  ['serve', 'check', '--data', data],
  ['serve', 'backup', out, '--data', data],
  ['serve', 'user', 'list', '--data', data],
  ['serve', 'org', 'show', '--data', data],
  ['serve', 'export', join(out, 'export'), '--data', data],
];

test.runIf(isSlowTier && canBeOther)(
  'data access: data that may not be read is not called absent or damaged',
  async () => {
    const data = await demoDirectory();
    chmodSync(dirname(data), 0o755);
    chmodSync(data, 0o700);
    for (const args of verbs(data, strangerFolder())) {
      expect([args[1], await asStranger(...args)]).toEqual([
        args[1],
        {
          code: 1,
          out: '',
          err: expect.stringMatching(
            /^You are not allowed to use .*parley\.db\. Run the command as the user who owns it\.\n$/,
          ),
        },
      ]);
    }
    expect(await asStranger('serve', 'check', '--data', '/nowhere')).toMatchObject({
      err: 'There is no organization in /nowhere.\n',
    });
  },
);

test.runIf(isSlowTier && canBeOther)(
  'data access: data of another user that may be read is checked and backed up, and a change is refused',
  async () => {
    const data = await demoDirectory();
    share(data);
    const out = strangerFolder();
    const [check, backup, list, show] = await Promise.all(
      verbs(data, out)
        .slice(0, 4)
        .map((args) => asStranger(...args)),
    );
    expect(check).toMatchObject({code: 0, out: expect.stringContaining(' is whole.\n'), err: ''});
    expect(backup).toMatchObject({code: 0, out: expect.stringMatching(/^Backed up to /), err: ''});
    for (const refused of [list, show]) {
      expect(refused).toMatchObject({code: 1, err: expect.stringMatching(/^You are not allowed to use /)});
    }
    const server = await serverOf(data);
    share(data);
    expect(await asStranger('serve', 'check', '--data', data)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Another Parley is serving /),
    });
    await server.close();
  },
);

test.runIf(isSlowTier && canMount && canBeOther)(
  'data access: a read-only file system is named, and its data is checked and backed up',
  async () => {
    const data = await demoDirectory();
    mountReadOnly(data);
    const out = join(scratchDirectory(), 'backups');
    const run = async (...args: string[]) => {
      const child = spawn(process.execPath, ['src/parley.js', ...args], {stdio: ['ignore', 'pipe', 'pipe']});
      const [printed, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      return {code, out: printed, err};
    };
    const isReadOnly = {code: 1, out: '', err: expect.stringMatching(/ is on a read-only file system\.\n$/)};
    const [check, backup, list, show, exported] = verbs(data, out);
    expect(await run(...(check ?? []))).toMatchObject({code: 0, out: expect.stringContaining(' is whole.\n')});
    expect(await run(...(backup ?? []))).toMatchObject({code: 0, err: ''});
    expect(await run(...(list ?? []))).toEqual(isReadOnly);
    expect(await run(...(show ?? []))).toEqual(isReadOnly);
    expect(await run(...(exported ?? []))).toMatchObject({code: 0});
    expect(await run('serve', '--data', data)).toEqual(isReadOnly);
    expect(await run('serve', '--world', 'demo', '--data', join(data, 'a', 'new'))).toEqual(isReadOnly);
    expect(await run('serve', 'backup', join(data, 'a', 'b'), '--data', data)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/ is on a read-only file system\. Nothing was written\.\n$/),
    });
    expect(readdirSync(data)).not.toContain('a');
  },
);

test.runIf(isSlowTier && canBeOther)(
  'data access: a user without a home directory gets sentences from every kind of verb, and no stack trace',
  async () => {
    const data = join(strangerFolder(), 'data');
    for (const args of [
      ['--help'],
      ['whoami'],
      ['accounts'],
      ['doctor'],
      ['send', '--to', 'me', '-m', 'x'],
      ['ctl', 'status'],
      ['serve', 'check', '--data', data],
      ['keys'],
    ]) {
      const {code, err} = await asStranger(...args);
      expect([args, code, err]).toEqual([
        args,
        expect.any(Number),
        expect.not.stringMatching(/^\s+at |SystemError|Node\.js v/m),
      ]);
    }
  },
);
