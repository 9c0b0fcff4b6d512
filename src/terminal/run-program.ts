import {spawn} from 'node:child_process';
import {errorText} from '#std/error-text.ts';
import type {Env} from './env.ts';

/** The result of a program: its exit code, or the reason why it could not be started. */
type RunOutcome =
  | {readonly kind: 'ended'; readonly code: number; readonly output: string}
  | {readonly kind: 'failed'; readonly problem: string};

/** Runs a program without a shell and without the terminal, and writes `input` to it. */
export type RunProgram = (command: string, args: readonly string[], input?: string) => Promise<RunOutcome>;

/** Resolves also when `spawn` throws, because the system refuses the arguments: an address from a server may be too long. */
function runOutcome(start: (resolve: (outcome: RunOutcome) => void) => void): Promise<RunOutcome> {
  return new Promise(start).catch((error: unknown) => ({kind: 'failed', problem: errorText(error)}));
}

const maxRunMs = 5000;
const maxOutputLength = 64 * 1024;

/** Some programs (xclip) stay in the background and keep their output open: it is read no longer than this. */
const outputTimeoutMs = 100;

export function programRunner(env: Env): RunProgram {
  return (command, args, input = '') =>
    runOutcome((resolve) => {
      const child = spawn(command, args, {env, stdio: ['pipe', 'pipe', 'ignore'], timeout: maxRunMs});
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < maxOutputLength) output += text;
      });
      child.once('error', (error) => resolve({kind: 'failed', problem: error.message}));
      child.once('exit', () => setTimeout(() => child.stdout.destroy(), outputTimeoutMs).unref());
      child.once('close', (code) => resolve({kind: 'ended', code: code ?? 1, output}));
      // The program may end without reading its input.
      child.stdin.on('error', () => {}).end(input);
    });
}

/** Runs a program that uses the terminal. The caller must have released the terminal. */
export const runInTerminal: RunProgram = (command, args) =>
  runOutcome((resolve) => {
    const child = spawn(command, args, {stdio: 'inherit'});
    child.once('error', (error) => resolve({kind: 'failed', problem: error.message}));
    child.once('exit', (code) => resolve({kind: 'ended', code: code ?? 1, output: ''}));
  });

/** A program that opens a window fails within this time or has succeeded. */
const launchTimeoutMs = 1500;

/** Starts a program that outlives this one and needs no terminal. */
export const launchProgram: RunProgram = (command, args) =>
  runOutcome((resolve) => {
    const child = spawn(command, args, {stdio: 'ignore', detached: true});
    // After a busy moment the timer is due before the child's exit event, which must come first.
    const timer = setTimeout(() => setImmediate(resolve, {kind: 'ended', code: 0, output: ''}), launchTimeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({kind: 'failed', problem: error.message});
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({kind: 'ended', code: code ?? 1, output: ''});
    });
    child.unref();
  });

/** How a program with limits ended. `output` and `errors` are what it printed until then. */
export interface LimitedRun {
  readonly end: 'exited' | 'killed' | 'tooLong' | 'tooMuch' | 'notFound' | 'notStarted';
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

interface RunLimits {
  readonly env: Env;
  readonly cwd: string;
  readonly input: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

const maxErrorLength = 4096;

/**
 * Runs a program of the user in its own session, so that it can neither read the keys nor write to the screen, and so that a
 * limit ends it together with the programs that it started.
 */
export function runLimited([file = '', ...args]: readonly string[], limits: RunLimits): Promise<LimitedRun> {
  const {env, cwd, input, timeoutMs, maxOutputBytes, signal} = limits;
  return new Promise((resolve) => {
    let end: LimitedRun['end'] = 'exited';
    const chunks: Buffer[] = [];
    let [size, errors] = [0, ''];
    const child = spawn(file, args, {env, cwd, stdio: 'pipe', detached: true});
    // Programs that it started may keep them open.
    const closeOutput = () => [child.stdout.destroy(), child.stderr.destroy()];
    const stop = (reason: LimitedRun['end']) => {
      end = reason;
      endGroup(child.pid);
      closeOutput();
    };
    const timer = setTimeout(() => stop('tooLong'), timeoutMs);
    const onAbort = () => stop('killed');
    signal.addEventListener('abort', onAbort, {once: true});
    const finish = (code: number) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve({end, code, output: Buffer.concat(chunks).toString('utf8'), errors});
    };
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes) stop('tooMuch');
      else chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < maxErrorLength) errors += text.slice(0, maxErrorLength);
    });
    child.once('error', (error) => {
      end = 'code' in error && error.code === 'ENOENT' ? 'notFound' : 'notStarted';
      errors = error.message;
      if (child.pid === undefined) finish(1);
    });
    child.once('exit', () => setTimeout(closeOutput, outputTimeoutMs).unref());
    child.once('close', (code) => finish(code ?? 1));
    child.stdin.on('error', () => {}).end(input);
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
