import type {Clock} from '#std/clock.ts';
import {ConfigError} from './config-error.ts';
import type {Env} from './paths.ts';

export interface KeyCommandEnvironment {
  readonly env: Env;
  readonly clock: Clock;
  /** 60 seconds by default: a password manager may be waiting for the user to type. */
  readonly timeoutMs?: number;
}

const maxOutputLength = 64 * 1024;

/**
 * Runs the command with `/bin/sh` and returns the first line that it prints, which is the API key. The command gets no
 * standard input, because that belongs to the verb. Its standard output never appears in an error message.
 */
export function keyFromCommand(command: string, file: string, environment: KeyCommandEnvironment): Promise<string> {
  const timeoutMs = environment.timeoutMs ?? 60_000;
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  // Loaded here: most accounts have no key_command.
  const {spawn} = process.getBuiltinModule('node:child_process');
  const child = spawn('/bin/sh', ['-c', command], {env: environment.env, stdio: ['ignore', 'pipe', 'pipe']});
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const fail = (problem: string) => reject(new ConfigError(`The key_command of ${file} ${problem}`));
  const cancel = environment.clock.after(timeoutMs, () => {
    fail(`did not finish within ${Math.round(timeoutMs / 1000)} seconds.`);
    child.kill('SIGKILL');
    // Processes that the command started may survive and keep these streams open.
    child.stdout.destroy();
    child.stderr.destroy();
  });
  child.once('error', (error) => fail(`could not be started: ${error.message}. Check the command.`));
  child.once('close', (code, signal) => {
    if (code !== 0) return fail(`failed (${signal ?? `exit code ${code}`})${firstErrorLine(errors())}.`);
    const key = output().split(/\r?\n/, 1)[0]?.trim() ?? '';
    if (key === '') return fail('printed nothing. It must print the API key.');
    if (!/^[\x21-\x7e]+$/.test(key)) return fail('printed something other than an API key.');
    resolve(key);
  });
  return promise.finally(cancel);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < maxOutputLength) text += chunk;
  });
  return () => text;
}

function firstErrorLine(errors: string): string {
  const line = errors.split(/\r?\n/).find((candidate) => candidate.trim() !== '');
  if (line === undefined) return '';
  return `: ${line
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200)
    .replace(/\.$/, '')}`;
}
