import {isAbsolute, join} from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** Where Parley keeps things, by the XDG base directory specification. None of them need exist. */
export interface Paths {
  /** What the user writes: accounts, `config.toml`. */
  readonly config: string;
  /** What must not be lost: the outbox, drafts, the embedded organization. */
  readonly data: string;
  /** What should survive a restart but is worth nothing elsewhere: logs. */
  readonly state: string;
  /** What can be made again. */
  readonly cache: string;
  /** What lives as long as a session of the user: files for an editor. */
  readonly runtime: string;
}

export function pathsOf(env: Env, home: string): Paths {
  const place = (name: string, ...fallback: string[]) =>
    join(given(env, name) ?? join(home, ...fallback), 'parley');
  const state = place('XDG_STATE_HOME', '.local', 'state');
  const runtime = given(env, 'XDG_RUNTIME_DIR');
  return {
    config: place('XDG_CONFIG_HOME', '.config'),
    data: place('XDG_DATA_HOME', '.local', 'share'),
    state,
    cache: place('XDG_CACHE_HOME', '.cache'),
    // A name in a shared /tmp could be taken by somebody else first; a directory of our own cannot.
    runtime: runtime === undefined ? join(state, 'run') : join(runtime, 'parley'),
  };
}

/** The specification: relative values are invalid and must be ignored. */
function given(env: Env, name: string): string | undefined {
  const value = env[name];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** The user's `~/x` where no shell expanded it, and paths relative to `base`. */
export function expandPath(path: string, base: string, home: string): string {
  if (path === '~') return home;
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : join(base, path);
}

/** A path as people write it. */
export function displayPath(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}
