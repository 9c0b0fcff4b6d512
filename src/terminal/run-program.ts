import {spawn} from 'node:child_process';
import type {Env} from './env.ts';

/** How a program ended: with a code, or it never began. */
export type RunOutcome =
  | {readonly kind: 'ended'; readonly code: number; readonly output: string}
  | {readonly kind: 'failed'; readonly problem: string};

/** Runs a program without a shell and without the terminal, gives it `input`, and tells how it ended. */
export type RunProgram = (command: string, args: readonly string[], input?: string) => Promise<RunOutcome>;

const longestRunMs = 5000;
const mostOutput = 64 * 1024;

/** Some programs (xclip) stay behind and hold on to their output: that is waited for no longer than this. */
const outputMs = 100;

export function programRunner(env: Env): RunProgram {
  return (command, args, input = '') =>
    new Promise((resolve) => {
      const child = spawn(command, args, {env, stdio: ['pipe', 'pipe', 'ignore'], timeout: longestRunMs});
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < mostOutput) output += text;
      });
      child.once('error', (error) => resolve({kind: 'failed', problem: error.message}));
      child.once('exit', () => setTimeout(() => child.stdout.destroy(), outputMs).unref());
      child.once('close', (code) => resolve({kind: 'ended', code: code ?? 1, output}));
      // It may end without reading.
      child.stdin.on('error', () => {}).end(input);
    });
}

/** Runs a program that has the terminal to itself. The caller has given the terminal back before. */
export const runInTerminal: RunProgram = (command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {stdio: 'inherit'});
    child.once('error', (error) => resolve({kind: 'failed', problem: error.message}));
    child.once('exit', (code) => resolve({kind: 'ended', code: code ?? 1, output: ''}));
  });

/** A program that opens a window either fails soon or has done its part. */
const soonMs = 1500;

/** Starts a program that outlives this one and needs no terminal. */
export const launchProgram: RunProgram = (command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {stdio: 'ignore', detached: true});
    // After a busy moment the timer is due before the end of the child is heard of: that comes first.
    const timer = setTimeout(() => setImmediate(resolve, {kind: 'ended', code: 0, output: ''}), soonMs);
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
