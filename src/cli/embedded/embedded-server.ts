import {ConfigError} from '#config/config-error.ts';
import type {Account} from '#config/load-account.ts';
import type {Env, Paths} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import type {Clock} from '#std/clock.ts';
import {Secret} from '#std/secret.ts';
import {decode, type Infer, int, object, s} from '#wire/schema.ts';
import {acquireServerLease, type ServerLease} from './client-socket.ts';
import {embeddedAccountId, embeddedDirectory, persistDemoAccount} from './persisted-demo-account.ts';
import {type ServerChild, spawnServer} from './server-child.ts';

export interface EmbeddedOptions {
  readonly paths: Paths;
  readonly env: Env;
  readonly clock: Clock;
  /** How long the server outlives its last user, so that verbs in a row do not start it each time. */
  readonly graceSeconds?: number;
  /** The server was gone and is back; if its old port was taken meanwhile, at another address. */
  readonly onRestart?: (account: Account) => void;
}

export interface EmbeddedServer {
  readonly account: Account;
  /** This process needs it no longer. The server ends by itself some seconds after its last user. */
  release(): Promise<void>;
}

const greetingSchema = object({
  pid: int,
  url: s.string(),
  accounts: s.array(object({email: s.string(), api_key: s.string(), full_name: s.string()})),
});
type Greeting = Infer<typeof greetingSchema>;

const startTimeoutMs = 60_000;
const lookAgainMs = 100;
/** A start that fails may have been unlucky (a port taken in between); one that fails this often is not. */
const mostFailures = 3;

/**
 * The demo organization of this machine, shared by all Parleys of this user. Whoever needs it first starts it as a process of
 * its own; each user holds a connection to it, and it ends some seconds after the last one is gone, however that one ended.
 * The exclusive lock on its database decides between several starters. If it dies while it is used, it is started again.
 */
export async function openEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const directory = embeddedDirectory(options.paths);
  ensurePrivateDirectory(options.paths.data);
  ensurePrivateDirectory(directory);
  let current = await findOrStartServer(directory, options);
  let account = accountOf(current.greeting, directory);
  persistDemoAccount(directory, account.email);
  let released = false;

  const keep = async (): Promise<void> => {
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
    return keep();
  };
  void keep();
  return {
    get account() {
      return account;
    },
    async release() {
      released = true;
      current.release();
      await current.ended;
    },
  };
}

/** Finds the server, starting it if need be, until it answers. */
async function findOrStartServer(directory: string, options: EmbeddedOptions): Promise<ServerLease> {
  const {clock} = options;
  const deadline = clock.now() + startTimeoutMs;
  let child: ServerChild | undefined;
  let failures = 0;
  while (clock.now() < deadline) {
    const found = await acquireServerLease(directory, clock);
    if (found !== undefined) {
      // Another starter was quicker; ours must not wait for its turn, which would come when everybody has gone.
      if (child?.pid !== greetingOf(found.greeting).pid) child?.stop();
      return found;
    }
    const failure = child?.failure();
    if (failure !== undefined && !failure.lostRace && ++failures >= mostFailures) {
      throw new ConfigError(`The demo organization could not be started: ${failure.reason}`);
    }
    if (child === undefined || failure !== undefined) child = spawnServer(directory, options);
    await Promise.race([child.ended, pause(clock, lookAgainMs)]);
  }
  throw new ConfigError(`The demo organization did not start within ${startTimeoutMs / 1000} seconds.`);
}

function accountOf(text: string, directory: string): Account {
  const {url, accounts} = greetingOf(text);
  const [own] = accounts;
  if (own === undefined) throw new ConfigError(`The server of ${directory} has no account to sign in with.`);
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
  throw new ConfigError('The demo organization is served by another version of Parley. Stop that one first.');
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
