import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {ApiClient, type Params, type Reply} from './api-client.ts';
import {killProcess} from './kill-process.ts';
import type {Person} from './people.ts';

interface ServeOptions {
  /** The directory of the ready file and, unless in memory, of the data. */
  readonly directory: string;
  readonly level: number;
  readonly inMemory?: boolean;
  /** False for tests that send more requests than servers allow. */
  readonly rateLimited?: boolean;
}

/** Names a new organization and its owner, as scripts have to. */
export const namedOrganization: readonly string[] = [
  ...['--org-name', 'Harbor', '--owner-name', 'Owner', '--owner-email', 'owner@parley.example'],
];

interface Account {
  readonly email: string;
  readonly api_key: string;
  readonly user_id: number;
  readonly full_name: string;
}

/** `parley serve --test-hooks` in a separate process; it can be killed and restarted at the same address. */
export class ServeProcess {
  readonly url: string;
  readonly port: number;
  readonly #options: ServeOptions;
  #child: ChildProcess | undefined;
  #owner: Person | undefined;
  #level: number;

  private constructor(options: ServeOptions, port: number) {
    this.#options = options;
    this.#level = options.level;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(options: ServeOptions): Promise<ServeProcess> {
    const server = ServeProcess.reserve(options, await steadyPort());
    await server.start();
    return server;
  }

  /** Creates a server that is not started yet but has an address. */
  static reserve(options: ServeOptions, port: number): ServeProcess {
    return new ServeProcess(options, port);
  }

  get level(): number {
    return this.#level;
  }

  get owner(): Person {
    if (this.#owner === undefined) throw new Error('The server was never started');
    return this.#owner;
  }

  async start(level = this.#level): Promise<void> {
    this.#level = level;
    const {directory, inMemory = false, rateLimited = true} = this.#options;
    const readyFile = join(directory, 'ready.json');
    rmSync(readyFile, {force: true});
    const data = join(directory, 'data');
    const storage = inMemory ? ['--memory'] : ['--data', data, ...(existsSync(data) ? [] : namedOrganization)];
    const flags = ['--world', 'empty', '--bots', 'off', '--rate-limit', rateLimited ? 'on' : 'off', '--test-hooks'];
    const numbers = ['--port', `${this.port}`, '--feature-level', `${level}`, '--ready-file', readyFile];
    const child = spawn(process.execPath, ['src/parley.js', 'serve', ...storage, ...flags, ...numbers], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {...process.env, ...compiledOnce},
    });
    this.#child = child;
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`parley serve ended at once (${code ?? signal})`);
    });
    await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => {});
    const {accounts}: {accounts: readonly Account[]} = JSON.parse(readFileSync(readyFile, 'utf8'));
    const [account] = accounts;
    if (account === undefined) throw new Error('The server has no account');
    const {email, api_key: apiKey, user_id: id, full_name: fullName} = account;
    this.#owner = {id, email, fullName, apiKey};
  }

  /** Sends SIGKILL; resolves when the process has exited. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) await killProcess(child);
  }

  as(person: Person): ApiClient {
    return new ApiClient(this.url, person);
  }

  async hook(name: string, body: Params = {}): Promise<Reply> {
    const response = await fetch(`${this.url}/test-hooks/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name}: ${text}`);
    return JSON.parse(text);
  }

  /** Creates a member of the organization as its owner. */
  async person(fullName: string): Promise<Person> {
    const email = `${fullName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`;
    const password = 'a long enough password';
    const {user_id: id} = await this.as(this.owner).post('/users', {email, password, full_name: fullName});
    const {api_key: apiKey} = await new ApiClient(this.url, undefined).post('/fetch_api_key', {
      username: email,
      password,
    });
    return {id, email, fullName, apiKey};
  }

  /** Creates a public channel with these subscribers as the owner; returns its id. */
  async channel(name: string, people: readonly Person[]): Promise<number> {
    const owner = this.as(this.owner);
    const principals = people.map(({id}) => id);
    await owner.post('/users/me/subscriptions', {subscriptions: [{name}], principals});
    return (await owner.get('/get_stream_id', {stream: name})).stream_id;
  }
}

/** Environment for programs that are started repeatedly: caches compiled sources, which most of a start is spent on. */
export const compiledOnce = {NODE_COMPILE_CACHE: join('node_modules', '.cache', 'parley-test')};

const firstPort = 10_000;
const lastPort = 32_000;

/**
 * Returns a free port below the range of outgoing connections: no one takes it while its server is down, and a client
 * that connects then never reaches itself.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
