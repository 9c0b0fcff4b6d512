import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {killProcess} from '#test/support/kill-process.ts';
import {compiledOnce} from '#test/support/serve-process.ts';

const script = fileURLToPath(new URL('./store-process-child.ts', import.meta.url));

/** A separate process on a store; see `store-process-child.ts`. */
export class StoreProcess {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #exit: Promise<unknown>;
  /** All lines of its output so far. */
  readonly output: string[] = [];

  constructor(path: string, role: string, argument = '', limits = '') {
    const command = `${limits} exec "$0" "$@"`;
    const args = [
      '-c',
      command,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      script,
      path,
      role,
      argument,
    ];
    this.#process = spawn('sh', args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {...process.env, ...compiledOnce},
    });
    this.#process.stdin.on('error', () => {}); // It may be killed before it has read.
    this.#exit = once(this.#process, 'exit');
    this.#lines = createInterface({input: this.#process.stdout})[Symbol.asyncIterator]();
    onTestFinished(() => killProcess(this.#process));
  }

  static async ready(path: string, role: string, argument = '', limits = ''): Promise<StoreProcess> {
    const child = new StoreProcess(path, role, argument, limits);
    await child.until('ready');
    return child;
  }

  /** Starts its role. */
  start(): void {
    this.#process.stdin.write('go\n');
  }

  /** Waits for the first line with this prefix; undefined when the process ends before. */
  async until(beginning: string): Promise<string | undefined> {
    for (;;) {
      const {value, done} = await this.#lines.next();
      if (done) return undefined;
      this.output.push(value);
      if (value.startsWith(beginning)) return value;
    }
  }

  async lines(count: number): Promise<void> {
    for (let line = 0; line < count; line++) await this.until('');
  }

  /** Kills it with SIGKILL; resolves when it has ended and its output is read. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exit;
    await this.until('nothing begins like this');
  }

  pause(): void {
    this.#process.kill('SIGSTOP');
  }

  async end(): Promise<void> {
    this.#process.stdin.end();
    await this.#exit;
  }

  /** Returns the rest of the lines that begin with this word. */
  outputAfter(word: string): string[] {
    return this.output.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  }
}
