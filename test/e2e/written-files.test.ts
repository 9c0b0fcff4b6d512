import {execFile} from 'node:child_process';
import {readdirSync, statSync} from 'node:fs';
import {join, matchesGlob, relative} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished} from 'vitest';
import {acquireServerLease} from '#cli/embedded/client-socket.ts';
import {files} from '#cli/verbs/man-page.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';

/** Returns the server with a user, and functions that run the program with an empty home. */
async function machine() {
  const server = await testServer();
  const meg = server.people.member();
  server.people.channel('general', [meg]);
  const home = scratchDirectory();
  const demo = join(pathsOf({}, home).data, 'demo-small');
  onTestFinished(async () => {
    const lease = await acquireServerLease(demo, systemClock);
    if (lease === undefined) return;
    process.kill(Number(JSON.parse(lease.greeting).pid), 'SIGKILL');
    await lease.ended;
  });
  const run = (args: readonly string[], input = '') => {
    const {file, args: all, env, cwd} = parleyCommand({home, args});
    const started = promisify(execFile)(file, [...all], {env, cwd});
    started.child.stdin?.end(input);
    return started;
  };
  const open = (args: readonly string[] = []) => {
    const {file, args: all, env, cwd} = parleyCommand({home, args});
    return openTerminal(file, all, {env, cwd, size: {cols: 100, rows: 30}});
  };
  return {server, meg, home, run, open};
}

/** Ends the program as a shutdown does, whatever is open on the screen. */
async function quit(terminal: Terminal): Promise<void> {
  terminal.kill('SIGTERM');
  await terminal.waitForExit();
}

/** Returns the paths of all files and sockets below the folder. */
function pathsBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true});
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({parentPath, name}) => relative(folder, join(parentPath, name)));
}

/** Returns the paths that no row of the manual's table has. */
function undocumented(home: string): readonly string[] {
  const patterns = files()
    .flatMap(([paths]) => paths.split(', '))
    .map((path) => path.replace(/^~\//, '').replace(/\/$/, '/**'));
  // Not by two listings of the folder: a running program adds and removes files between them.
  return pathsBelow(home).filter((path) => !patterns.some((pattern) => matchesGlob(path, pattern)));
}

slowTest(
  'files: all that Parley writes is in the table of the manual and is private; a removed account leaves nothing',
  async () => {
    const {server, meg, home, run, open} = await machine();
    await run(['login', server.url, '--email', meg.email, '--key-stdin', '--name', 'work'], meg.apiKey);
    await run(['accounts', 'default', 'work']);
    await run(['send', '--to', '#general>tides', '-m', 'High water']);
    await run(['send', '--to', '#general>tides', '-m', 'Low water', '--queue']);
    const screen = open();
    await screen.waitFor('Inbox');
    await quit(screen);
    const demo = open(['demo']);
    await demo.waitFor('Inbox');
    const paths = pathsBelow(home);
    expect(paths).toEqual(
      expect.arrayContaining([
        '.config/parley/accounts/work.zuliprc',
        '.config/parley/default-account',
        expect.stringMatching(/^\.local\/share\/parley\/accounts\/meg.*\.db$/),
        expect.stringMatching(/^\.local\/share\/parley\/demo-small\//),
        '.local/state/parley/embedded.log',
      ]),
    );
    expect(undocumented(home)).toEqual([]);
    const shared = paths.filter((path) => {
      const stats = statSync(join(home, path), {throwIfNoEntry: false});
      return stats !== undefined && (stats.mode & 0o077) !== 0 && !path.endsWith('.cache');
    });
    expect(shared).toEqual([]);
    await quit(demo);
    await run(['accounts', 'remove', 'work', '--yes']);
    const left = pathsBelow(home).filter((path) => !path.includes('/demo-') && !path.endsWith('.log'));
    expect(left.filter((path) => /meg|work|default-account/.test(path))).toEqual([]);
  },
);
