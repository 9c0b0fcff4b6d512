import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, expect, onTestFinished} from 'vitest';
import {makeCodeCache} from '#build/code-cache.ts';
import {type Architecture, makeSingleFile} from '#build/single-file.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';

const size = {cols: 100, rows: 30};
/** A row of an image. */
const halfBlocks = /▀{8}/;

const made = mkdtempSync(join(tmpdir(), 'parley-test-'));
const singleFile = join(made, 'parley');
afterAll(() => rmSync(made, {recursive: true, force: true}));

beforeAll(async () => {
  const folder = dirname(builtProgram());
  await makeCodeCache(folder);
  await makeSingleFile(folder, process.arch as Architecture, singleFile);
}, 300_000);

slowTest('single file: two people chat with it from an empty folder, without Node, PATH and environment', async () => {
  const empty = scratchDirectory();
  const parley = join(empty, 'parley');
  // By another process: a process that a parallel test starts inherits this one's open files, and a file that is open for
  // writing cannot be run.
  execFileSync('cp', [singleFile, parley]);
  const {url, accounts} = await serve(parley, empty);
  const [first, second] = accounts;
  if (first === undefined || second === undefined) throw new Error('The organization has fewer than two accounts.');
  /** Opens the conversation with the other one in a terminal. */
  const open = ({email, api_key: apiKey}: ServedAccount, {full_name: peer}: ServedAccount) => {
    const home = join(empty, email);
    mkdirSync(home);
    writeZuliprc(join(home, 'zuliprc'), {site: url, email, apiKey});
    const env = {HOME: home, PARLEY_ENTER_SENDS: 'yes', LANG: 'C.UTF-8'};
    return {home, terminal: openTerminal(parley, [`@${peer}`], {size, cwd: empty, env})};
  };
  const [one, other] = [open(first, second), open(second, first)];
  // The last message of their conversation in the demo world.
  for (const {terminal} of [one, other]) await terminal.waitFor('I will be charming');
  const sent = execFileSync(parley, ['send', '--to', `@${second.full_name}`, '-m', 'from the single file'], {
    env: {HOME: one.home},
    encoding: 'utf8',
  });
  expect(sent).not.toContain('rror');
  await other.terminal.waitFor('from the single file');
  other.terminal.keys('r');
  await other.terminal.waitUntil(({cursor}) => cursor.visible, 'cursor in the composer');
  other.terminal.type('and back');
  other.terminal.keys('Enter');
  await one.terminal.waitFor('and back');
  // The decoder of images is in the file, too.
  const images = openTerminal(parley, ['has:image'], {size, cwd: empty, env: {HOME: one.home, LANG: 'C.UTF-8'}});
  await images.waitFor(halfBlocks);
});

interface ServedAccount {
  readonly email: string;
  readonly api_key: string;
  readonly full_name: string;
}

interface Served {
  readonly url: string;
  readonly accounts: readonly ServedAccount[];
}

/** Starts a server with the single file. */
async function serve(parley: string, folder: string): Promise<Served> {
  const readyFile = join(folder, 'ready.json');
  const args = ['serve', '--world', 'demo', '--bots', 'off', '--data', join(folder, 'data'), '--ready-file', readyFile];
  const child = spawn(parley, args, {env: {}, cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  await once(child.stdout, 'data');
  return JSON.parse(readFileSync(readyFile, 'utf8'));
}

slowTest('single file: it contains the manual, the man page and completions, and names its commit and Node', () => {
  const run = (...args: string[]) => execFileSync(singleFile, args, {env: {}, encoding: 'utf8'});
  expect(() => run('ctl', 'status')).toThrow('No Parley with a control socket is running.');
  expect(statSync(singleFile).size).toBeLessThan(statSync(process.execPath).size);
  expect(run('--version')).toMatch(/^Parley \S+ \(commit [0-9a-f]+\+?, Node \d+\.\d+\.\d+\)\n$/);
  expect(run('help', 'keys')).toContain('Keys');
  expect(run('man')).toContain('.TH');
  for (const shell of ['bash', 'zsh', 'fish']) expect(run('completion', shell)).toContain('parley');
});

slowTest(
  'npm package: installed from the packed file into an empty folder, it runs without other packages',
  async () => {
    const folder = scratchDirectory();
    const npm = (...args: string[]) =>
      execFileSync('npm', args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
    const archive = npm('pack', '--silent', '--pack-destination', folder).trim().split('\n').at(-1) ?? '';
    npm('install', '--silent', '--global', '--offline', '--prefix', join(folder, 'prefix'), join(folder, archive));
    const installed = join(folder, 'prefix/lib/node_modules/parley');
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    const bytes = globSync('**/*', {cwd: installed}).reduce(
      (sum, name) => sum + statSync(join(installed, name)).size,
      0,
    );
    expect(bytes).toBeLessThan(15e6);
    expect(readFileSync(join(folder, 'prefix/share/man/man1/parley.1'), 'utf8')).toContain('.TH');
    const home = join(folder, 'home');
    mkdirSync(home);
    const env = {PATH: dirname(process.execPath), HOME: home, LANG: 'C.UTF-8'};
    const parley = join(folder, 'prefix/bin/parley');
    expect(execFileSync(process.execPath, [parley, '--version'], {env, cwd: home, encoding: 'utf8'})).toContain(
      'Parley',
    );
    const terminal = openTerminal(process.execPath, [parley, 'demo', 'has:image'], {size, env, cwd: home});
    await terminal.waitFor('Neap & Spring');
    await terminal.waitFor(halfBlocks);
  },
);
