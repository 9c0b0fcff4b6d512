import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import ssh2 from 'ssh2';
import {afterAll, beforeAll, expect, onTestFinished} from 'vitest';
import {bundle} from '#build/bundle.ts';
import {makeCodeCache} from '#build/code-cache.ts';
import {type Architecture, makeSingleFile} from '#build/single-file.ts';
import {execute, newKey, openScreen} from '#test/cli/ssh/ssh-fixture.ts';
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

/** The npm package, packed and installed into this prefix. */
const prefix = join(made, 'prefix');
const installed = join(prefix, 'lib/node_modules/parley');

beforeAll(async () => {
  const folder = dirname(builtProgram());
  await makeCodeCache(folder);
  await makeSingleFile(folder, process.arch as Architecture, singleFile);
  const npm = (...args: string[]) => execFileSync('npm', args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
  const archive = npm('pack', '--silent', '--pack-destination', made).trim().split('\n').at(-1) ?? '';
  npm('install', '--silent', '--global', '--offline', '--prefix', prefix, join(made, archive));
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

/** Returns the name and version of each package of which something is in the bundle of the program, by esbuild's metafile. */
async function bundledPackages(): Promise<string[]> {
  const entries = {program: 'src/build/program-entry.ts', 'image-thread': 'src/terminal/images/image-thread.ts'};
  const {contained} = await bundle({root: process.cwd(), entries, outdir: scratchDirectory()});
  const folders = contained.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []);
  return [...new Set(folders)].map((folder) => {
    const {name, version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (`;
  });
}

slowTest(
  'packages: both contain the licence of each package in the bundle, and the single file that of Node',
  async () => {
    const packages = await bundledPackages();
    expect(packages.length).toBeGreaterThan(50);
    const inNpmPackage = readFileSync(join(installed, 'share/doc/parley/THIRD-PARTY-NOTICES'), 'utf8');
    const single = execFileSync(singleFile, ['licenses'], {env: {}, encoding: 'utf8'});
    const node = readFileSync(`node_modules/node-linux-${process.arch}/LICENSE`, 'utf8').replaceAll(/ +$/gm, '').trim();
    for (const notices of [inNpmPackage, single]) {
      expect(packages.filter((each) => !notices.includes(`\n${each}`))).toEqual([]);
      for (const name of globSync('*.txt', {cwd: 'assets/licences'})) {
        expect(notices).toContain(`\n${name.replace('.txt', '')} (`);
        expect(notices).toContain(readFileSync(join('assets/licences', name), 'utf8').trim());
      }
      expect(notices).toContain(readFileSync('LICENSE', 'utf8').trim());
    }
    expect(single).toContain(`\nNode.js ${process.versions.node}\n\n${node}\n`);
    expect(inNpmPackage).not.toContain(node);
  },
);

interface ServedAccount {
  readonly email: string;
  readonly api_key: string;
  readonly full_name: string;
}

interface Served {
  readonly url: string;
  readonly accounts: readonly ServedAccount[];
  readonly sshPort: number;
}

/** Starts a server with a package. */
async function serve(parley: string, folder: string, more: readonly string[] = [], env = {}): Promise<Served> {
  const readyFile = join(folder, 'ready.json');
  const data = ['--data', join(folder, 'data'), '--ready-file', readyFile];
  const args = ['serve', '--world', 'demo', '--bots', 'off', ...data, ...more];
  const child = spawn(parley, args, {env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [welcome] = await once(child.stdout, 'data');
  const sshPort = Number(/^SSH on port (\d+)/m.exec(String(welcome))?.[1]);
  return {...JSON.parse(readFileSync(readyFile, 'utf8')), sshPort};
}

slowTest(
  'packages: both serve the screen and the verbs over SSH, in processes that read only their own folder',
  async () => {
    const programs = [
      {parley: singleFile, env: {}},
      {parley: join(prefix, 'bin/parley'), env: {PATH: dirname(process.execPath)}},
    ];
    for (const {parley, env} of programs) {
      const folder = scratchDirectory();
      const {url, accounts, sshPort} = await serve(parley, folder, ['--ssh', '0'], env);
      const [person] = accounts;
      if (person === undefined) throw new Error('The organization has no account.');
      const key = newKey();
      const authorization = `Basic ${Buffer.from(`${person.email}:${person.api_key}`).toString('base64')}`;
      const added = await fetch(`${url}/api/v1/parley/ssh_keys`, {
        method: 'POST',
        headers: {authorization},
        body: new URLSearchParams({key: key.public}),
      });
      expect(added.status).toBe(200);
      const client = new ssh2.Client();
      onTestFinished(() => void client.end());
      client.connect({host: '127.0.0.1', port: sshPort, username: 'anybody', privateKey: key.private});
      await once(client, 'ready');
      const who = await execute(client, 'whoami --json');
      expect(JSON.parse(who.output)).toMatchObject({email: person.email});
      expect(await execute(client, 'export /tmp/x')).toMatchObject({code: 2, output: ''});
      const {terminal} = await openScreen(client, 'open');
      await terminal.waitFor('Inbox');
      terminal.keys('?');
      await terminal.waitFor('Keys');
      const sessions = readdirSync(join(folder, 'data/ssh/sessions'), {recursive: true});
      expect(sessions.length).toBeGreaterThan(1);
    }
  },
);

slowTest('single file: it contains the manual, the man page and completions, and names its commit and Node', () => {
  const run = (...args: string[]) => execFileSync(singleFile, args, {env: {}, encoding: 'utf8'});
  expect(() => run('ctl', 'status')).toThrow('No Parley with a control socket is running.');
  // Node's binary is stripped: it makes room for nearly all of the program.
  expect(statSync(singleFile).size).toBeLessThan(1.05 * statSync(process.execPath).size);
  expect(run('--version')).toMatch(/^Parley \S+ \(commit [0-9a-f]+\+?, Node \d+\.\d+\.\d+\)\n$/);
  expect(run('help', 'keys')).toContain('Keys');
  expect(run('man')).toContain('.TH');
  for (const shell of ['bash', 'zsh', 'fish']) expect(run('completion', shell)).toContain('parley');
});

slowTest(
  'npm package: installed from the packed file into an empty folder, it runs without other packages',
  async () => {
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    // Without the compiled code of a server that ran from it.
    const files = globSync('**/*', {cwd: installed}).filter((name) => !name.includes('-other-'));
    const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
    expect(bytes).toBeLessThan(19.5e6);
    expect(readFileSync(join(prefix, 'share/man/man1/parley.1'), 'utf8')).toContain('.TH');
    const home = scratchDirectory();
    const env = {PATH: dirname(process.execPath), HOME: home, LANG: 'C.UTF-8'};
    const parley = join(prefix, 'bin/parley');
    const run = (...args: string[]) => execFileSync(parley, args, {env, cwd: home, encoding: 'utf8'});
    expect(run('--version')).toContain('Parley');
    expect(run('licenses')).toBe(readFileSync(join(installed, 'share/doc/parley/THIRD-PARTY-NOTICES'), 'utf8'));
    const terminal = openTerminal(parley, ['demo', 'has:image'], {size, env, cwd: home});
    await terminal.waitFor('Neap & Spring');
    await terminal.waitFor(halfBlocks);
  },
);
