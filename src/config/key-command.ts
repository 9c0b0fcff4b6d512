import {spawn} from 'node:child_process';
import type {Clock} from '#std/clock.ts';
import {ConfigError} from './config-error.ts';
import type {Env} from './paths.ts';

export interface KeyCommandEnvironment {
  readonly env: Env;
  readonly clock: Clock;
  /** A password manager may be waiting for somebody to type. */
  readonly timeoutMs?: number;
}

const mostOutput = 64 * 1024;

/**
 * The first line that the command prints. It runs in the user's shell language with no standard input: a verb's own input
 * is not for it. What it prints on standard output never enters a sentence.
 */
export function keyFromCommand(
  command: string,
  file: string,
  around: KeyCommandEnvironment,
): Promise<string> {
  const timeoutMs = around.timeoutMs ?? 60_000;
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  const child = spawn('/bin/sh', ['-c', command], {env: around.env, stdio: ['ignore', 'pipe', 'pipe']});
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const fail = (what: string) => reject(new ConfigError(`The key_command of ${file} ${what}`));
  const cancel = around.clock.after(timeoutMs, () => {
    fail(`did not finish within ${Math.round(timeoutMs / 1000)} seconds.`);
    child.kill('SIGKILL');
    // What it started may live on and hold these open; nobody reads them any more.
    child.stdout.destroy();
    child.stderr.destroy();
  });
  child.once('error', (error) => fail(`could not be started: ${error.message}.`));
  child.once('close', (code, signal) => {
    if (code !== 0) return fail(`failed (${signal ?? `exit code ${code}`})${reasonIn(errors())}.`);
    const key = output().split(/\r?\n/, 1)[0]?.trim() ?? '';
    if (key === '') return fail('printed nothing.');
    if (!/^[\x21-\x7e]+$/.test(key)) return fail('printed something that is not a key.');
    resolve(key);
  });
  return promise.finally(cancel);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < mostOutput) text += chunk;
  });
  return () => text;
}

function reasonIn(errors: string): string {
  const line = errors.split(/\r?\n/).find((candidate) => candidate.trim() !== '');
  if (line === undefined) return '';
  return `: ${line
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200)
    .replace(/\.$/, '')}`;
}
