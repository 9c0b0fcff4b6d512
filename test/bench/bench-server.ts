import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {Pool} from 'undici';

export interface BenchAccount {
  readonly email: string;
  readonly api_key: string;
  readonly user_id: number;
}

/** A server in another process, as users run it, without the rate limit. */
export interface BenchServer {
  readonly url: string;
  readonly accounts: readonly BenchAccount[];
  readonly pool: Pool;
  readonly readyMs: number;
  readonly pid: number;
  /** Returns the CPU time used so far in milliseconds. */
  cpuMs(): number;
  /** Returns the CPU time of the thread that serves requests, exactly. */
  threadCpuMs(): number;
  residentMiB(): number;
  /** Sends a signal: `SIGSTOP` pauses the server, `SIGCONT` resumes it. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

let serial = 0;
const cache = join('node_modules', '.cache', 'parley-bench');

export async function startBenchServer(...flags: string[]): Promise<BenchServer> {
  mkdirSync(cache, {recursive: true});
  const readyFile = join(cache, `ready-${process.pid}-${serial++}.json`);
  rmSync(readyFile, {force: true});
  const started = performance.now();
  const args = [
    'src/parley.js',
    'serve',
    '--create',
    '--port',
    '0',
    '--rate-limit',
    'off',
    '--ready-file',
    readyFile,
    ...flags,
  ];
  const child: ChildProcess = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']});
  if (child.stdout === null) throw new Error('The server process has no stdout');
  await once(child.stdout, 'data');
  const readyMs = performance.now() - started;
  const {url, accounts}: {url: string; accounts: BenchAccount[]} = JSON.parse(readFileSync(readyFile, 'utf8'));
  const pool = new Pool(url, {
    connections: 400,
    pipelining: 1,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  return {
    url,
    accounts,
    pool,
    readyMs,
    pid: child.pid ?? 0,
    cpuMs() {
      const [, fields = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
      const [user, system] = fields.split(' ').slice(11, 13).map(Number);
      return ((user ?? 0) + (system ?? 0)) * 10;
    },
    threadCpuMs() {
      const [nanoseconds] = readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ');
      return Number(nanoseconds) / 1e6;
    },
    residentMiB() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    signal(name) {
      child.kill(name);
    },
    async stop() {
      await pool.destroy();
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(readyFile, {force: true});
    },
  };
}

/** Returns the data directory of a generated world, which later runs reuse. */
export function worldDirectory(size: string): string {
  return join(cache, size);
}

/** Returns a port of loopback on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export class BenchApiClient {
  readonly #server: BenchServer;
  readonly #authorization: string;
  readonly account: BenchAccount;

  constructor(server: BenchServer, account: BenchAccount) {
    this.#server = server;
    this.account = account;
    this.#authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}`;
  }

  async text(method: Method, path: string, params: Record<string, unknown> = {}, gzip = false): Promise<string> {
    const {body} = await this.#request(method, path, params, gzip);
    return body.text();
  }

  async bytes(method: Method, path: string, params: Record<string, unknown>, gzip: boolean): Promise<number> {
    const {body} = await this.#request(method, path, params, gzip);
    return (await body.arrayBuffer()).byteLength;
  }

  // biome-ignore lint/suspicious/noExplicitAny: responses are not modelled
  async call(method: Method, path: string, params: Record<string, unknown> = {}): Promise<any> {
    const response = JSON.parse(await this.text(method, path, params));
    if (response.result !== 'success') throw new Error(`${method} ${path}: ${response.msg}`);
    return response;
  }

  #request(method: Method, path: string, params: Record<string, unknown>, gzip: boolean) {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const query = method === 'GET' && form.size > 0 ? `?${form}` : '';
    return this.#server.pool.request({
      method,
      path: `/api/v1${path}${query}`,
      headers: {
        authorization: this.#authorization,
        'user-agent': 'ParleyBench/1.0',
        ...(method !== 'GET' ? {'content-type': 'application/x-www-form-urlencoded'} : {}),
        ...(gzip ? {'accept-encoding': 'gzip'} : {}),
      },
      body: method !== 'GET' ? form.toString() : null,
    });
  }
}
