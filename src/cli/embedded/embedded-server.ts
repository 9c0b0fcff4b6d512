import {spawn} from 'node:child_process';
import {closeSync, existsSync, openSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Account} from '#config/load-account.ts';
import type {Env, Paths} from '#config/paths.ts';
import {ConfigError, ensurePrivateDirectory} from '#config/private-files.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import {programCommand} from '#std/program-files.ts';
import {Secret} from '#std/secret.ts';
import {decode, type Infer, int, object, s} from '#wire/schema.ts';
import {acquireServerLease, type ServerLease} from './client-socket.ts';
import {embeddedAccountId, embeddedDirectory, persistDemoAccount} from './persisted-demo-account.ts';

export interface EmbeddedOptions {
  readonly paths: Paths;
  readonly env: Env;
  readonly clock: Clock;
  /** The seconds that the server outlives its last client, so that consecutive verbs do not each start it. */
  readonly graceSeconds?: number;
  /** The server was restarted; if its old port was taken meanwhile, it has another address. */
  readonly onRestart?: (account: Account) => void;
}

const greetingSchema = object({
  pid: int,
  url: s.string(),
  accounts: s.array(object({email: s.string(), api_key: s.string(), full_name: s.string()})),
});
type Greeting = Infer<typeof greetingSchema>;

const startTimeoutMs = 60_000;
const pollIntervalMs = 100;
/** One failed start may be bad luck (a port that was taken in between); this many are not. */
const maxFailures = 3;

/**
 * Connects to the demo organization of this machine, which all Parleys of this user share. The first one starts it as a
 * separate process; it stops some seconds after the last client disconnects, however that client ended. The exclusive
 * lock on its database decides between concurrent starters. If it dies while in use, it is restarted.
 */
export async function openEmbeddedServer(options: EmbeddedOptions) {
  const directory = embeddedDirectory(options.paths);
  ensurePrivateDirectory(options.paths.data);
  ensurePrivateDirectory(directory);
  let current = await findOrStartServer(directory, options);
  let account = accountOf(current.greeting, directory);
  persistDemoAccount(directory, account.email);
  let released = false;

  const restartWhenEnded = async (): Promise<void> => {
    await current.ended;
    for (let delay = 250; !released; delay = Math.min(delay * 2, 30_000)) {
      try {
        current = await findOrStartServer(directory, options);
        break;
      } catch {
        await pause(options.clock, delay);
      }
    }
    if (released) return current.release();
    account = accountOf(current.greeting, directory);
    options.onRestart?.(account);
    return restartWhenEnded();
  };
  void restartWhenEnded();
  return {
    get account(): Account {
      return account;
    },
    /** Ends this process's use of the server, which stops some seconds after its last client. */
    async release(): Promise<void> {
      released = true;
      current.release();
      await current.ended;
    },
  };
}

/** Connects to the server, starting it if necessary, and waits until it responds. */
async function findOrStartServer(directory: string, options: EmbeddedOptions): Promise<ServerLease> {
  const {clock} = options;
  const deadline = clock.monotonic() + startTimeoutMs;
  let child: ReturnType<typeof spawnServer> | undefined;
  let failures = 0;
  while (clock.monotonic() < deadline) {
    const lease = await acquireServerLease(directory, clock);
    if (lease !== undefined) {
      // Another starter was quicker. Ours must stop: it would start serving after all clients of the other have gone.
      if (child?.pid !== greetingOf(lease.greeting).pid) child?.stop();
      return lease;
    }
    const failure = child?.failure();
    if (failure !== undefined && !failure.lostRace && ++failures >= maxFailures) {
      throw new ConfigError(`The demo organization could not be started: ${failure.reason}`);
    }
    if (child === undefined || failure !== undefined) child = spawnServer(directory, options);
    await Promise.race([child.ended, pause(clock, pollIntervalMs)]);
  }
  throw new ConfigError(`The demo organization did not start within ${startTimeoutMs / 1000} seconds.`);
}

function accountOf(text: string, directory: string): Account {
  const {url, accounts} = greetingOf(text);
  const [own] = accounts;
  if (own === undefined) throw new ConfigError(`The server of ${directory} has no account to log in with.`);
  const key = new Secret(own.api_key);
  return {
    id: embeddedAccountId(directory, own.email),
    name: 'demo',
    site: url,
    email: own.email,
    key: async () => key.reveal(),
    tls: {insecure: false},
  };
}

function greetingOf(text: string): Greeting {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const decoded = decode(greetingSchema, value);
  if (decoded.ok) return decoded.value;
  throw new ConfigError('The demo organization is running under another version of Parley. Stop that one first.');
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

const inUse = /^Another Parley is serving /;
const maxLogBytes = 256 * 1024;

/** Starts a server in its own session: it gets no signals of this terminal and does not keep this process alive. */
export function spawnServer(
  directory: string,
  {paths, env, graceSeconds = 10}: {paths: Paths; env: Env; graceSeconds?: number},
) {
  const logFile = join(paths.state, 'embedded.log');
  const log = openLog(logFile);
  const {size: logStart} = statSync(logFile);
  const flags = ['--data', directory, '--world', 'demo', '--while-used', String(graceSeconds), '--rate-limit', 'off'];
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
    /** Resolves when the process has ended. */
    ended,
    stop: () => void child.kill(),
    /** Returns why the process ended, and whether because another server already uses the directory; undefined while it runs. */
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
function failureIn(log: string, fallbackReason: string) {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !/Warning:|--trace-warnings/.test(line));
  const reasons = lines.filter((line) => !inUse.test(line));
  if (reasons.length === 0) return {reason: fallbackReason, lostRace: lines.length > 0};
  // Node prints an uncaught error below the line that threw it.
  return {
    reason: reasons.find((line) => /^\w*Error\b/.test(line)) ?? reasons[0] ?? fallbackReason,
    lostRace: false,
  };
}
