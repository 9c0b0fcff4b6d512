/**
 * npm run bench:ssh [-- --people 40] [-- --quick]
 *
 * Starts the built program with `serve --ssh`, and opens the screens of as many people with a client of SSH. Prints the memory of the
 * server, the SSH process and the sessions, each in shares of what is shared (PSS); the time from log-in to content beside that of
 * a local start; and the time from key to bytes while everybody types three keys a second. The floors are bare Node, and an SSH
 * server that returns each byte. `--quick` types for 10 seconds instead of 20, and starts fewer times.
 */

import {fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {availableParallelism, loadavg, tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {type KeyPair, logIn, newKey, RemoteScreen} from '#test/bench/ssh/clients.ts';
import {typeEverywhere} from '#test/bench/ssh/typing.ts';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import {anonymousMiB, childrenOf, cpuSeconds, proportionalMiB} from '#test/bench/weight/process-figures.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {type BenchAccount, BenchApiClient, type BenchServer, startBenchServer} from './bench-server.ts';
import {ms, percentile, printTable} from './table.ts';

const {values} = parseArgs({
  options: {people: {type: 'string', default: '40'}, quick: {type: 'boolean', default: false}},
});
const people = Number(values.people);
const [seconds, starts] = values.quick ? [10, 3] : [20, 7];
const size = {cols: 120, rows: 40};
/** Two people write in each conversation. */
const conversation = (at: number): string => `conversation ${Math.floor(at / 2)}`;
const command = (at: number): string => `open '#load>${conversation(at)}'`;

const scratch = mkdtempSync(join(tmpdir(), 'parley-ssh-'));
const started: BenchServer[] = [];
try {
  builtProgram();
  const port = await freePort();
  const server = await startBenchServer(
    '--data',
    join(scratch, 'data'),
    '--world',
    'demo',
    '--bots',
    'off',
    '--ssh',
    String(port),
  );
  started.push(server);
  await run(server, port, await peopleOf(server));
} finally {
  for (const server of started) await server.stop();
  // Sessions save what they have after the server has ended.
  rmSync(scratch, {recursive: true, force: true, maxRetries: 50, retryDelay: 100});
}
process.exit();

async function run(server: BenchServer, port: number, accounts: readonly Person[]): Promise<void> {
  const bareNode = await pssOfBareNode();
  const empty = memoryOf(server);
  const contents = await measureStarts(server, port, accounts);
  const screens: RemoteScreen[] = [];
  for (const [at, {key}] of accounts.entries()) {
    const screen = await RemoteScreen.open(await logIn(port, key, at), command(at), size);
    await screen.waitFor(({text}) => text.includes('Message of'), 'messages');
    screen.keys('r');
    await screen.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
    screens.push(screen);
  }
  await sleep(5000);
  const rest = memoryOf(server);
  const floor = await echoFloor();
  const cpuBefore = cpuOf(server);
  const typed = await typeEverywhere(screens, seconds);
  const busy = memoryOf(server);
  const cpu = cpuOf(server).map((used, at) => (used - (cpuBefore[at] ?? 0)) / typed.keys);

  const mib = (value: number) => `${value.toFixed(1)} MiB`;
  const memoryRow = (name: string, figure: (memory: Memory) => number) => [
    name,
    ...[empty, rest, busy].map((memory) => mib(figure(memory))),
  ];
  printTable(
    `Memory (PSS), ${people} people`,
    ['', 'nobody connected', 'at rest', `typed for ${seconds} s`],
    [
      ['(floor: bare Node)', mib(bareNode), '', ''],
      memoryRow('server', (memory) => memory.server),
      memoryRow('SSH process', (memory) => memory.front),
      memoryRow('SSH process beyond bare Node', (memory) => memory.front - bareNode),
      memoryRow('a session', ({sessions}) => total(sessions) / sessions.length),
      memoryRow('all beyond the server', ({front, sessions}) => front + total(sessions)),
      memoryRow('of it anonymous, a session', ({anonymous}) => anonymous),
    ],
  );
  const middle = (samples: readonly number[]) =>
    percentile(
      [...samples].sort((one, other) => one - other),
      0.5,
    );
  const local = middle(contents.local);
  printTable(
    `Log-in to content (middle of ${starts})`,
    ['', 'content', 'ratio'],
    [
      ['local start, warm', ms(local), '1.00'],
      [
        'local start, warm, without the picture of the last end',
        ms(middle(contents.localWithoutPicture)),
        (middle(contents.localWithoutPicture) / local).toFixed(2),
      ],
      ['SSH, after the log-in', ms(middle(contents.remote)), (middle(contents.remote) / local).toFixed(2)],
    ],
  );
  const latencyRow = (name: string, samples: readonly number[], unanswered: number) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => ms(percentile(samples, share))),
    String(samples.length + unanswered),
    String(unanswered),
  ];
  printTable(
    `Key to bytes, ${people} people, three keys a second each (${availableParallelism()} cores)`,
    ['', 'p50', 'p95', 'p99', 'worst', 'keys', 'without an answer'],
    [
      latencyRow('(floor: SSH server that returns bytes)', floor.later, floor.unanswered),
      latencyRow('Parley, the first 6 seconds, when all begin at once', typed.beginning, 0),
      latencyRow('Parley, afterwards', typed.later, typed.unanswered),
    ],
  );
  printTable('CPU time of a key', ['', 'server', 'SSH process', 'session'], [['Parley', ...cpu.map(ms)]]);
  console.log(
    `\nLoad of the machine in the last minute: ${loadavg()[0]?.toFixed(1)}. Times need a machine without other work.`,
  );
}

/** Returns the CPU time that the server, the SSH process and all sessions have used, in milliseconds. */
function cpuOf({pid}: BenchServer): readonly number[] {
  const front = frontOf(pid);
  const sessions = childrenOf(front);
  return [cpuSeconds(pid), cpuSeconds(front), total(sessions.map(cpuSeconds))].map((used) => used * 1000);
}

function frontOf(pid: number): number {
  const front = childrenOf(pid).find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('ssh-front'));
  if (front === undefined) throw new Error('There is no SSH process.');
  return front;
}

interface Person {
  readonly account: BenchAccount;
  readonly key: KeyPair;
}

/** Creates people with keys, who are subscribed to one channel and have conversations there. */
async function peopleOf(server: BenchServer): Promise<readonly Person[]> {
  const [anybody] = server.accounts;
  if (anybody === undefined) throw new Error('The organization has no account.');
  const {members} = await new BenchApiClient(server, anybody).call('GET', '/users');
  const {delivery_email: username, email} = members.find((member: {is_owner: boolean}) => member.is_owner);
  const login = new BenchApiClient(server, anybody).call('POST', '/dev_fetch_api_key', {username: username ?? email});
  const administrator = new BenchApiClient(server, await login);
  const all: Person[] = [];
  for (let at = 0; at < people; at++) {
    const [address, password] = [`person${at}@example.com`, 'a long enough password'];
    await administrator.call('POST', '/users', {email: address, password, full_name: `Person ${at}`});
    const account = await administrator.call('POST', '/fetch_api_key', {username: address, password});
    const key = newKey();
    const person = new BenchApiClient(server, account);
    await person.call('POST', '/parley/ssh_keys', {key: key.public});
    await person.call('PATCH', '/settings', {enter_sends: true});
    all.push({account, key});
  }
  const principals = all.map(({account}) => account.user_id);
  await administrator.call('POST', '/users/me/subscriptions', {subscriptions: [{name: 'load'}], principals});
  for (let at = 0; at < people * 3; at++) {
    const person = at % people;
    const content = `Message of person ${person}. The tide is in, and the harbour is quiet.`;
    const params = {type: 'stream', to: 'load', topic: conversation(person), content};
    await administrator.call('POST', '/messages', params);
  }
  return all;
}

interface Memory {
  readonly server: number;
  readonly front: number;
  /** With the one that waits for somebody. */
  readonly sessions: readonly number[];
  readonly anonymous: number;
}

function memoryOf({pid}: BenchServer): Memory {
  const front = frontOf(pid);
  const sessions = childrenOf(front);
  return {
    server: proportionalMiB(pid),
    front: proportionalMiB(front),
    sessions: sessions.map((session) => proportionalMiB(session)),
    anonymous: total(sessions.map((session) => anonymousMiB(session))) / sessions.length,
  };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

async function pssOfBareNode(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000); console.log()'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await sleep(500);
  const found = proportionalMiB(child.pid ?? 0);
  child.kill();
  return found;
}

/** Measures starts of one person in turn, so that a busy machine disturbs all of them. */
async function measureStarts(server: BenchServer, port: number, [person]: readonly Person[]) {
  if (person === undefined) throw new Error('There is nobody.');
  const {account, key} = person;
  const home = join(scratch, 'home');
  const signIn = {site: server.url, email: account.email, apiKey: account.api_key};
  const {file, args, env, cwd} = parleyCommand({home, signIn});
  const local = async () => {
    const began = performance.now();
    const terminal = Terminal.open(file, args, {size, env, cwd});
    await terminal.waitFor(parleyProgram.isUsable, 'content');
    const took = performance.now() - began;
    await sleep(1000);
    await parleyProgram.quit(terminal);
    await terminal.close();
    return took;
  };
  const remote = async () => {
    const client = await logIn(port, key, 0);
    const began = performance.now();
    const screen = await RemoteScreen.open(client, 'open', size);
    await screen.waitFor(({text}) => text.includes('▌'), 'content');
    const took = performance.now() - began;
    await sleep(1000);
    screen.keys('Ctrl-C', 'Ctrl-C');
    await once(client.end(), 'close');
    // Until the next session is ready.
    await sleep(1000);
    return took;
  };
  const samples = {local: [] as number[], localWithoutPicture: [] as number[], remote: [] as number[]};
  for (let round = 0; round <= starts; round++) {
    const withPicture = await local();
    rmSync(join(home, '.cache/parley/first-frame'), {force: true});
    const found = {local: withPicture, localWithoutPicture: await local(), remote: await remote()};
    // The first time, nothing is on disk.
    if (round > 0) for (const [name, took] of Object.entries(found)) samples[name as keyof typeof samples].push(took);
  }
  return samples;
}

async function echoFloor() {
  const server = fork('test/bench/ssh/echo-server.ts', {stdio: ['ignore', 'pipe', 'inherit', 'ipc']});
  if (server.stdout === null) throw new Error('The server has no output.');
  const [port] = await once(server.stdout, 'data');
  const key = newKey();
  const screens: RemoteScreen[] = [];
  for (let at = 0; at < people; at++)
    screens.push(await RemoteScreen.open(await logIn(Number(port), key, at), 'echo', size));
  const typed = await typeEverywhere(screens, Math.min(seconds, 10));
  server.disconnect();
  return typed;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
