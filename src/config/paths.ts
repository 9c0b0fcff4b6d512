import {createHash} from 'node:crypto';
import {isAbsolute, join} from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** Parley's directories, by the XDG base directory specification. They may not exist yet. */
export interface Paths {
  /** Files that the user writes: accounts, `config.toml`. */
  readonly config: string;
  /** Data that must not be lost: the outbox, drafts, the demo organization. */
  readonly data: string;
  /** Data that survives a restart but is of no use on another machine: logs. */
  readonly state: string;
  /** Data that can be fetched or computed again. */
  readonly cache: string;
  /** Files that last as long as the user's session, such as those for an editor. */
  readonly runtime: string;
}

export function pathsOf(env: Env, home: string): Paths {
  const directory = (name: string, ...fallback: string[]) =>
    join(absoluteVariable(env, name) ?? join(home, ...fallback), 'parley');
  const state = directory('XDG_STATE_HOME', '.local', 'state');
  const runtime = absoluteVariable(env, 'XDG_RUNTIME_DIR');
  return {
    config: directory('XDG_CONFIG_HOME', '.config'),
    data: directory('XDG_DATA_HOME', '.local', 'share'),
    state,
    cache: directory('XDG_CACHE_HOME', '.cache'),
    // Another user could create a name in a shared /tmp first, so the fallback is in a private directory.
    runtime: runtime === undefined ? join(state, 'run') : join(runtime, 'parley'),
  };
}

/** Returns an environment variable if it is an absolute path. The XDG specification says to ignore relative ones. */
function absoluteVariable(env: Env, name: string): string | undefined {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** Returns an absolute path: expands `~/` (no shell does it in files) and resolves other paths against `base`. */
export function expandPath(path: string, base: string, home: string): string {
  if (path === '~') return home;
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : join(base, path);
}

/** Returns the path with `~` for the home directory. */
export function displayPath(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}

/**
 * Returns a file name that is unique for a user on a server. Its start makes the directory readable, the hash
 * at its end makes it unique.
 */
export function accountId(site: string, email: string): string {
  const user = email.toLowerCase();
  const hash = createHash('sha256').update(`${site}\n${user}`).digest('hex').slice(0, 16);
  const server = site.replace(/^[a-z]+:\/+/, '');
  return `${accountIdStart(`${user}-${server}`)}-${hash}`;
}

/** Returns the readable start of an account's id; that of an e-mail address in lower case is the start of all its ids. */
export function accountIdStart(text: string): string {
  const readable = text.replaceAll(/[^a-z0-9.@_-]+/g, '_').replace(/^[.-]+/, '');
  return readable.slice(0, 60);
}

/** Returns the folder with the images of an account that were shown. */
export function accountImages(paths: Pick<Paths, 'cache'>, id: string): string {
  return join(paths.cache, 'images', id);
}

/** Returns the path of the database with the outbox, drafts and saved messages of an account. */
export function accountDatabase(paths: Pick<Paths, 'data'>, id: string): string {
  return join(paths.data, 'accounts', `${id}.db`);
}
