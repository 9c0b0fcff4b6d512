import {existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer, connect as netConnect} from 'node:net';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {text} from 'node:stream/consumers';
import ssh2, {type Algorithms} from 'ssh2';
import {expect, onTestFinished, test} from 'vitest';
import {bundle} from '#build/bundle.ts';
import {sessionFlags} from '#build/launch-flags.ts';
import {startSessionProcess} from '#cli/ssh/session-process.ts';
import {isAcceptedVariable, splitCommand} from '#cli/ssh/ssh-command.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';
import {execute, newKey, sshFixture} from './ssh-fixture.ts';

test('attacks: without the refusals of the session, the permission model still lets it use nothing but its own folder', async () => {
  const data = scratchDirectory();
  const {files} = await bundle({
    root: process.cwd(),
    entries: {
      probe: 'test/cli/ssh/unrestricted-device.ts',
      'highlight-thread': 'src/content/highlight/highlight-thread.ts',
      'image-thread': 'src/terminal/images/image-thread.ts',
    },
    outdir: join(data, 'program'),
  });
  const [own, foreign, slot] = [join(data, 'people/1'), join(data, 'people/2'), join(data, 'slots/a')];
  for (const folder of [own, foreign, join(data, 'slots')]) mkdirSync(folder, {recursive: true});
  writeFileSync(join(foreign, 'drafts'), 'secret');
  writeFileSync(join(foreign, 'module.mjs'), '');
  writeFileSync(join(data, 'operator_key'), 'secret');
  new DatabaseSync(join(foreign, 'own.db')).exec('CREATE TABLE secret (value)');
  const operators = createServer().listen(join(data, 'clients.sock'));
  onTestFinished(() => void operators.close());
  const program = {file: process.execPath, args: [files.probe ?? '']};
  const child = startSessionProcess({program, flags: sessionFlags, folder: slot});
  // The folder of a person is put in place when they have logged in.
  symlinkSync(own, slot);
  child.stdin?.end(JSON.stringify({home: slot, foreign, data}));
  if (child.stdout === null || child.stderr === null) throw new Error('There are no streams');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // Of attempts that Node itself explains.
  expect(errors.replaceAll(/^.*(?:ExperimentalWarning|--trace-warnings).*\n/gm, '')).toBe('');
  const {ownFolder, ...others} = JSON.parse(output);
  expect(ownFolder).toBe('done');
  expect(Object.keys(others).length).toBeGreaterThan(40);
  const possible = Object.keys(others).filter((name) => others[name] !== 'refused');
  // The manual says so, and why the server should run as a user of its own.
  expect(possible).toEqual(['signalParent', 'connectToOperatorSocket']);
  expect(readdirSync(foreign).sort()).toEqual(['drafts', 'module.mjs', 'own.db']);
  expect(readFileSync(join(foreign, 'drafts'), 'utf8')).toBe('secret');
  expect(existsSync(join(own, 'own'))).toBe(true);
  expect(existsSync(join(own, 'copy'))).toBe(false);
});

test('attacks: a session is given no variable but those of the terminal', () => {
  const accepted = [
    ['TERM', 'xterm-256color'],
    ['LANG', 'de_DE.UTF-8@euro'],
    ['LC_ALL', 'C.UTF-8'],
    ['COLORTERM', 'truecolor'],
    ['TZ', 'America/Argentina/Buenos_Aires'],
  ] as const;
  for (const [name, value] of accepted) expect([name, isAcceptedVariable(name, value)]).toEqual([name, true]);
  const refused = [
    ['NODE_OPTIONS', '--require=/tmp/x'],
    ['LD_PRELOAD', '/tmp/x.so'],
    ['PATH', '/tmp'],
    ['HOME', '/root'],
    ['EDITOR', 'vi'],
    ['PARLEY_THEME', 'dark'],
    ['SSH_AUTH_SOCK', '/tmp/agent'],
    ['LC_ALL; rm', 'x'],
    ['LC_', 'x'],
    ['TERM', '../../etc/passwd'],
    ['TERM', 'x\u001b]52;c;x\u0007'],
    ['TERM', ''],
    ['LANG', '$(id)'],
    ['TZ', ':/etc/passwd'],
    ['TZ', '/etc/passwd'],
    ['TZ', 'Nowhere/Town'],
    ['TERM', 'x'.repeat(65)],
  ] as const;
  for (const [name, value] of refused) expect([name, isAcceptedVariable(name, value)]).toEqual([name, false]);
});

test('attacks: a command is split into words, and nothing in it has another meaning', () => {
  expect(splitCommand(`send --to '#a b>c' "it's \\"$HOME\\"" x\\ y $(id) \`id\` ; rm -rf / | cat > f *`)).toEqual([
    ...[
      'send',
      '--to',
      '#a b>c',
      'it\'s "$HOME"',
      'x y',
      '$(id)',
      '`id`',
      ';',
      'rm',
      '-rf',
      '/',
      '|',
      'cat',
      '>',
      'f',
      '*',
    ],
  ]);
  expect(splitCommand('  ')).toEqual([]);
  expect(splitCommand("''")).toEqual(['']);
  expect(splitCommand("send 'x")).toEqual({problem: expect.stringContaining('without a closing one')});
  expect(splitCommand('a\0b')).toEqual({problem: expect.stringContaining('not allowed')});
  expect(splitCommand('x'.repeat(70_000))).toEqual({problem: expect.stringContaining('too long')});
});

test('attacks: forwarding, agents, X11, subsystems and SFTP are refused, and the connection goes on', async () => {
  const {server, megKey, connect} = await sshFixture();
  const client = await connect(megKey);
  const failed = (start: (done: (error: Error | null | undefined) => void) => unknown) =>
    new Promise<boolean>((resolve) => void start((error) => resolve(error != null)));
  expect(await failed((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', server.port, done))).toBe(true);
  expect(await failed((done) => client.forwardIn('127.0.0.1', 0, done))).toBe(true);
  expect(await failed((done) => client.openssh_forwardOutStreamLocal('/run/x.sock', done))).toBe(true);
  expect(await failed((done) => client.openssh_forwardInStreamLocal('/tmp/x.sock', done))).toBe(true);
  expect(await failed((done) => client.sftp(done))).toBe(true);
  expect(await failed((done) => client.subsys('netconf', done))).toBe(true);
  expect(await failed((done) => client.exec('unread', {x11: {single: true, screen: 0}}, done))).toBe(true);
  expect(await execute(client, 'whoami')).toMatchObject({code: 0});
});

test('attacks: weak algorithms, passwords and keys of others do not log in', async () => {
  const {megKey, ottoKey, connect, events} = await sshFixture();
  const weak: readonly Algorithms[] = [
    {hmac: ['hmac-sha1'], cipher: ['aes128-ctr']},
    {hmac: ['hmac-sha2-256'], cipher: ['aes128-ctr']},
    {cipher: ['aes128-cbc']},
    {kex: ['diffie-hellman-group14-sha1']},
    {serverHostKey: ['ssh-rsa']},
    {compress: ['zlib']},
  ];
  for (const algorithms of weak)
    await expect(connect(megKey, {algorithms})).rejects.toThrow(/no matching|closed|handshake/i);
  await expect(connect(newKey(), {password: 'a long enough password'})).rejects.toThrow('authentication');
  // The public key of one person, signed with the private key of another.
  const foreign = ssh2.utils.parseKey(megKey.private);
  const own = ssh2.utils.parseKey(ottoKey.private);
  if (foreign instanceof Error || own instanceof Error) throw new Error('The keys are readable');
  const forged = Object.assign(Object.create(foreign), {sign: (data: Buffer) => own.sign(data)});
  const authHandler = [{type: 'publickey', username: 'meg', key: forged}] as never;
  await expect(connect(megKey, {authHandler})).rejects.toThrow('authentication');
  expect(events).toContainEqual(expect.objectContaining({event: 'refusal', code: 'wrong signature'}));
  expect(events.filter(({event}) => event === 'login')).toEqual([]);
});

slowTest('attacks: a client may try ten times, such as an agent with several keys', async () => {
  const {megKey, connect} = await sshFixture();
  const own = ssh2.utils.parseKey(megKey.private);
  const offering = (count: number) => {
    const others = Array.from({length: count}, () => ssh2.utils.parseKey(newKey().private));
    return [...others, own].map((key) => ({type: 'publickey', username: 'meg', key})) as never;
  };
  // The right key is tried twice: first without a signature.
  (await connect(megKey, {authHandler: offering(8)})).end();
  await expect(connect(megKey, {authHandler: offering(9)})).rejects.toThrow();
});

slowTest('attacks: a flood of connections without a log-in is refused, and who has logged in goes on', async () => {
  const {megKey, connect, ssh, events} = await sshFixture();
  const client = await connect(megKey);
  const sockets = Array.from({length: 30}, () => netConnect(ssh.port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await expect.poll(() => events.filter(({code}) => code === 'too many connections').length).toBeGreaterThanOrEqual(20);
  expect(await execute(client, 'whoami')).toMatchObject({code: 0});
});

slowTest('attacks: a person has at most ten sessions at once', async () => {
  const {megKey, ottoKey, connect} = await sshFixture();
  const clients = [await connect(megKey), await connect(megKey), await connect(megKey)];
  const tails = clients.flatMap((client) => [1, 2, 3, 4].map(() => client));
  const results = tails.map((client) => execute(client, 'tail'));
  const first = await Promise.race(results);
  expect(first).toMatchObject({code: 1, errors: expect.stringContaining('You have 10 sessions already')});
  expect(await execute(await connect(ottoKey), 'whoami')).toMatchObject({code: 0});
});
