import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import ssh2, {type Client, type ClientChannel, type ConnectConfig} from 'ssh2';
import {expect, onTestFinished} from 'vitest';
import type {Limits} from '#cli/ssh/limits.ts';
import {startSsh} from '#cli/ssh/ssh-service.ts';
import {addSshKey} from '#server/actions/users/ssh-keys.ts';
import type {SshService} from '#server/context.ts';
import {findUser} from '#server/db/users.ts';
import type {ServerEvent} from '#server/http/server-events.ts';
import type {ServerOptions} from '#server/server.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {ChannelTerminal, type ChannelTerminalOptions} from './channel-terminal.ts';

interface KeyPair {
  readonly private: string;
  readonly public: string;
}

/** The library leaves out a leading zero of some keys. */
const blobLength = 51;

export function newKey(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    if (Buffer.from(pair.public.split(' ')[1] ?? '', 'base64').length === blobLength) return pair;
  }
}

/** Whether this machine has the client of OpenSSH. */
export const hasOpenSsh: boolean = (() => {
  try {
    execFileSync('ssh', ['-V'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
})();

interface SshFixture {
  readonly server: TestServer;
  /** The data directory. */
  readonly directory: string;
  readonly ssh: SshService;
  readonly meg: Person;
  readonly otto: Person;
  readonly megKey: KeyPair;
  readonly ottoKey: KeyPair;
  readonly log: readonly string[];
  readonly events: readonly ServerEvent[];
  /** Logs in with the library's client. */
  connect(key: KeyPair, options?: ConnectConfig): Promise<Client>;
  /** Opens the screen of a person with the client of OpenSSH. */
  openSsh(key: KeyPair, args?: readonly string[]): Terminal;
}

interface SshFixtureOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
}

/** An organization with two people who talk about tides, served over SSH. */
export async function sshFixture(options: ServerOptions = {}, more: SshFixtureOptions = {}): Promise<SshFixture> {
  return sshFixtureOn(await testServer({rateLimited: false, ...options}), scratchDirectory(), more);
}

/** The same on a server of a data directory. */
export async function sshFixtureOn(
  server: TestServer,
  directory: string,
  {clock = systemClock, limits = {}}: SshFixtureOptions = {},
): Promise<SshFixture> {
  builtProgram();
  const settings = {enter_sends: true};
  const [meg, otto] = [server.people.add('Meg Member', {settings}), server.people.add('Otto Other', {settings})];
  server.people.channel('harbour', [meg, otto]);
  const tide = {type: 'stream', to: 'harbour', topic: 'tides', content: 'The spring tide is at four.'};
  await server.as(otto).post('/messages', tide);
  const log: string[] = [];
  const events: ServerEvent[] = [];
  const ssh = await startSsh({
    server,
    directory,
    host: '127.0.0.1',
    port: 0,
    clock,
    limits,
    log: {line: (line, error) => log.push(`${line} ${error ?? ''}`), event: (event) => events.push(event)},
  });
  onTestFinished(async () => {
    const front = ssh.pid;
    ssh.stop();
    // Sessions save what they have after the SSH process has ended; the directory is removed next.
    await expect.poll(() => [...runningWith(directory), ...(isRunning(front) ? [front] : [])]).toEqual([]);
  });
  const [megKey, ottoKey] = [newKey(), newKey()];
  addKey(server, meg, megKey);
  addKey(server, otto, ottoKey);
  const connect = async (key: KeyPair, more: ConnectConfig = {}) => {
    const client = new ssh2.Client();
    onTestFinished(() => void client.end());
    const server = {host: '127.0.0.1', port: ssh.port, username: 'anybody', privateKey: key.private};
    // The default of 20 s is short on a loaded machine.
    const config = {...server, readyTimeout: 120_000, ...more};
    const ready = Promise.race([
      once(client, 'ready'),
      once(client, 'close').then(() => Promise.reject(new Error('The connection was closed.'))),
    ]);
    client.on('error', () => {});
    client.connect(config);
    await ready;
    return client;
  };
  const openSsh = (key: KeyPair, args: readonly string[] = []) => {
    const folder = scratchDirectory();
    const file = join(folder, 'key');
    writeFileSync(file, key.private, {mode: 0o600});
    const settingsOfClient = [
      ...['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(folder, 'known')}`],
      ...['-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes', '-F', 'none', '-i', file, '-p', String(ssh.port)],
    ];
    return openTerminal('ssh', [...settingsOfClient, ...args], {
      size: {cols: 100, rows: 30},
      env: {PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8'},
    });
  };
  return {server, directory, ssh, meg, otto, megKey, ottoKey, log, events, connect, openSsh};
}

function isRunning(pid: number | undefined): boolean {
  return pid !== undefined && existsSync(`/proc/${pid}`);
}

/** Returns the processes whose command line has a path. */
function runningWith(path: string): readonly number[] {
  const processes = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return processes.map(Number).filter((pid) => commandLineOf(pid).includes(path));
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}

export function addKey(server: TestServer, person: Person, key: KeyPair): void {
  server.context.runAction((act) => {
    const user = findUser(act.db, person.id);
    if (user !== undefined) addSshKey(act, user, `${key.public} ${person.fullName}`);
  });
}

/** Resolves when a connection has ended, whether the server closed it or its process was killed. */
export function whenClosed(client: Client): Promise<void> {
  return new Promise((resolve) => void client.once('close', () => resolve()));
}

/** Runs a verb; resolves with its output, its errors and its exit code. */
export function execute(client: Client, command: string, input = '') {
  return new Promise<{output: string; errors: string; code: number}>((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error !== undefined) return reject(error);
      // At once: a refusal may have come together with the channel.
      const code = once(channel, 'exit').then(([status]) => Number(status));
      const streams = Promise.all([text(channel), text(channel.stderr)]);
      channel.end(input);
      return Promise.all([streams, code]).then(
        ([[output, errors], status]) => resolve({output, errors, code: status}),
        reject,
      );
    });
  });
}

interface Shell {
  readonly channel: ClientChannel;
  readonly terminal: ChannelTerminal;
}

/** Opens the screen, or runs another command in a terminal. */
export async function openScreen(
  client: Client,
  command = 'open',
  options: Omit<ChannelTerminalOptions, 'cols' | 'rows'> = {},
): Promise<Shell> {
  const [cols, rows] = [100, 30];
  const pty = {term: 'xterm-256color', cols, rows};
  const channel = await new Promise<ClientChannel>((resolve, reject) =>
    client.exec(command, {pty, env: {LANG: 'C.UTF-8', TZ: 'UTC'}}, (error, opened) =>
      error === undefined ? resolve(opened) : reject(error),
    ),
  );
  return {channel, terminal: new ChannelTerminal(channel, channel, {cols, rows, ...options})};
}
