import {spawn} from 'node:child_process';
import {closeSync, existsSync, openSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Env, Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';

export interface ServerChild {
  readonly pid: number | undefined;
  /** Resolves when it is over. */
  readonly ended: Promise<void>;
  /** Undefined while it runs. */
  failure(): ServerChildFailure | undefined;
  stop(): void;
}

export interface ServerChildFailure {
  readonly reason: string;
  /** Another server has the directory: not a failure, only too late. */
  readonly lostRace: boolean;
}

const inUse = /^Another Parley is serving /;
const mostLog = 256 * 1024;

/** A server of its own session: it gets none of this terminal's signals, and holds nothing of this process open. */
export function spawnServer(
  directory: string,
  {paths, env, graceSeconds = 10}: {paths: Paths; env: Env; graceSeconds?: number},
): ServerChild {
  ensurePrivateDirectory(paths.state);
  const logFile = join(paths.state, 'embedded.log');
  const log = openSync(logFile, existsSync(logFile) && statSync(logFile).size > mostLog ? 'w' : 'a', 0o600);
  const {size: logStart} = statSync(logFile);
  const flags = ['--data', directory, '--while-used', String(graceSeconds), '--rate-limit', 'off'];
  const child = spawn(process.execPath, [programFile(), 'serve', ...flags], {
    cwd: directory,
    detached: true,
    env,
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  child.unref();
  let over: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (how: string) => {
      over = how;
      resolve();
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) =>
      end(`it ended with ${signal ?? `exit code ${code}`}; see ${logFile}`),
    );
  });
  return {
    pid: child.pid,
    ended,
    stop: () => void child.kill(),
    failure: () =>
      over === undefined ? undefined : failureIn(readFileSync(logFile).toString('utf8', logStart), over),
  };
}

/** Several starters write to one log; a reason that any of them gives is the reason. */
function failureIn(log: string, otherwise: string): ServerChildFailure {
  const lines = log
    .split('\n')
    .filter((line) => line.trim() !== '' && !/Warning:|--trace-warnings/.test(line));
  const reasons = lines.filter((line) => !inUse.test(line));
  if (reasons.length === 0) return {reason: otherwise, lostRace: lines.length > 0};
  // An uncaught error is printed with the line that threw it above.
  return {
    reason: reasons.find((line) => /^\w*Error\b/.test(line)) ?? reasons[0] ?? otherwise,
    lostRace: false,
  };
}

/** From the sources, and from a bundle beside its start file. */
const places = ['../../parley.js', './parley.js'];

function programFile(): string {
  const files = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return files.find((file) => existsSync(file)) ?? process.argv[1] ?? '';
}
