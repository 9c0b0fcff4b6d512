import {spawn} from 'node:child_process';
import {closeSync, existsSync, openSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {ConfigError} from '#config/config-error.ts';
import type {Env, Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import {errorText} from '#std/error-text.ts';
import {programCommand} from '#std/program-files.ts';

/** The process of a demo server that this process started. */
export interface ServerChild {
  readonly pid: number | undefined;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Returns why the process ended, or undefined while it runs. */
  failure(): ServerChildFailure | undefined;
  stop(): void;
}

export interface ServerChildFailure {
  readonly reason: string;
  /** Whether it ended because another server already uses the directory. */
  readonly lostRace: boolean;
}

const inUse = /^Another Parley is serving /;
const maxLogBytes = 256 * 1024;

/** Starts a server in its own session: it gets no signals of this terminal and does not keep this process alive. */
export function spawnServer(
  directory: string,
  {paths, env, graceSeconds = 10}: {paths: Paths; env: Env; graceSeconds?: number},
): ServerChild {
  const logFile = join(paths.state, 'embedded.log');
  const log = openLog(logFile);
  const {size: logStart} = statSync(logFile);
  const flags = ['--data', directory, '--while-used', String(graceSeconds), '--rate-limit', 'off'];
  const {file, args} = programCommand();
  const child = spawn(file, [...args, 'serve', ...flags], {
    cwd: directory,
    detached: true,
    env,
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  child.unref();
  let endReason: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      endReason = reason;
      resolve();
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(`it ended with ${signal ?? `exit code ${code}`}; see ${logFile}`));
  });
  return {
    pid: child.pid,
    ended,
    stop: () => void child.kill(),
    failure: () =>
      endReason === undefined ? undefined : failureIn(readFileSync(logFile).toString('utf8', logStart), endReason),
  };
}

function openLog(file: string): number {
  try {
    ensurePrivateDirectory(dirname(file));
    return openSync(file, existsSync(file) && statSync(file).size > maxLogBytes ? 'w' : 'a', 0o600);
  } catch (error) {
    throw new ConfigError(
      `The demo organization needs writable folders: ${errorText(error)}. Set XDG_DATA_HOME and XDG_STATE_HOME, or add an account with “parley login”.`,
    );
  }
}

/** Finds the reason in the log. Several starters write to one log; a reason of any of them counts. */
function failureIn(log: string, fallbackReason: string): ServerChildFailure {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !/Warning:|--trace-warnings/.test(line));
  const reasons = lines.filter((line) => !inUse.test(line));
  if (reasons.length === 0) return {reason: fallbackReason, lostRace: lines.length > 0};
  // Node prints an uncaught error below the line that threw it.
  return {
    reason: reasons.find((line) => /^\w*Error\b/.test(line)) ?? reasons[0] ?? fallbackReason,
    lostRace: false,
  };
}
