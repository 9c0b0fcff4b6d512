import type {Env} from './env.ts';

/** The result of a program: its exit code, or the reason why it could not be started. */
export type RunOutcome =
  | {readonly kind: 'ended'; readonly code: number; readonly output: string}
  | {readonly kind: 'failed'; readonly problem: string};

/** Runs a program without a shell and without the terminal, and writes `input` to it. */
export type RunProgram = (command: string, args: readonly string[], input?: string) => Promise<RunOutcome>;

const maxRunMs = 5000;
const maxOutputLength = 64 * 1024;

/** Some programs (xclip) stay in the background and keep their output open: it is read no longer than this. */
const outputTimeoutMs = 100;

/** Loaded when needed: most starts run no program. */
const childProcess = () => process.getBuiltinModule('node:child_process');

export function programRunner(env: Env): RunProgram {
  return (command, args, input = '') =>
    new Promise((resolve) => {
      const child = childProcess().spawn(command, args, {env, stdio: ['pipe', 'pipe', 'ignore'], timeout: maxRunMs});
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
  new Promise((resolve) => {
    const child = childProcess().spawn(command, args, {stdio: 'inherit'});
    child.once('error', (error) => resolve({kind: 'failed', problem: error.message}));
    child.once('exit', (code) => resolve({kind: 'ended', code: code ?? 1, output: ''}));
  });

/** A program that opens a window fails within this time or has succeeded. */
const launchTimeoutMs = 1500;

/** Starts a program that outlives this one and needs no terminal. */
export const launchProgram: RunProgram = (command, args) =>
  new Promise((resolve) => {
    const child = childProcess().spawn(command, args, {stdio: 'ignore', detached: true});
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
