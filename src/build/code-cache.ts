import {execFile, spawn as spawnProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {spawn} from '@lydell/node-pty';
import {buildId} from './build-id.ts';
import {launchFlags, sessionFlags} from './launch-flags.ts';

/** Each has its own compiled code: loading all of it takes longer than a verb. Others are the server and rare verbs. */
type StartKind = 'screen' | 'verb' | 'other' | 'session';

/**
 * Returns the paths of the compiled code in a program folder, where `launcher.cjs` looks for it. It fits only this Node, started
 * with `launchFlags`, or for a session over SSH with `sessionFlags`.
 */
export function codeCachePaths(
  folder: string,
  kinds: readonly StartKind[] = ['screen', 'verb', 'other', 'session'],
): readonly string[] {
  return kinds.map((kind) => cachePath(folder, kind));
}

function cachePath(folder: string, kind: StartKind): string {
  return `compiled/${buildId(folder)}-${process.version}-${process.arch}-${kind}-limited.cache`;
}

const verbs = [
  ['unread'],
  ['send', '--to', '#galley>soup', '-m', 'The soup is ready.'],
  ['read', '#galley>soup', '--json'],
];

/** The first start has nothing on disk. */
const screens = [
  {cols: 80, rows: 24, keys: ['I']},
  {
    cols: 120,
    rows: 40,
    keys: [...'jkj', '\r', ...'KJ', '\x19', '\x05', ...'rhi x', '\x1b', ...'n', '\x1b', ';', '\x1b', 'I'],
  },
];

/**
 * Makes the compiled code of a program folder: runs the program and its server with a demo organization, and saves the functions
 * that were called. Each run begins with what the one before saved.
 */
export async function makeCodeCache(folder: string): Promise<void> {
  if (codeCachePaths(folder).every((path) => existsSync(join(folder, path)))) return;
  mkdirSync(join(folder, 'compiled'), {recursive: true, mode: 0o755});
  const home = mkdtempSync(join(tmpdir(), 'parley-build-'));
  const run = runner(folder, home);
  try {
    const stopServer = await run.server();
    // First, because the program then saves its code for screens, too, which the next runs replace.
    for (const screen of screens) await run.screen(screen, 'session');
    for (const words of verbs) await run.verb(words);
    for (const screen of screens) await run.screen(screen);
    await stopServer();
  } finally {
    rmSync(home, {recursive: true, force: true});
  }
}

/** Saves the compiled code when the program ends. No garbage is collected before, because V8 could discard compiled functions. */
const savingScript = `
  const {chmodSync, writeFileSync} = require('node:fs');
  const vm = require('node:vm');
  require('node:v8').getHeapStatistics = () => ({used_heap_size: 0});
  const {Script} = vm;
  // A Ctrl-C that arrives when the terminal is restored already must not end the process before the code is saved.
  process.on('SIGINT', () => {});
  vm.Script = class extends Script {
    constructor(...args) {
      super(...args);
      process.on('exit', () => {
        writeFileSync(process.env.COMPILED_CODE_FILE, this.createCachedData());
        // The server lets nobody read the files that it makes.
        chmodSync(process.env.COMPILED_CODE_FILE, 0o644);
      });
    }
  };
`;

/** The program has painted its content when it has written nothing for this long. */
const paintedMs = 400;
/** Longer than a paint takes. */
const keyIntervalMs = 60;

/** What the server says of itself in its ready file. */
interface ServerAddress {
  readonly url: string;
  readonly accounts: readonly {readonly email: string; readonly api_key: string}[];
}

/** Returns functions that run the program: the server, and screens and verbs of an account on it. */
function runner(folder: string, home: string) {
  const config = join(home, 'zuliprc');
  const script = join(home, 'save.cjs');
  writeFileSync(script, savingScript);
  const commandOf = (words: readonly string[], flags = launchFlags) => {
    return [...flags, '--require', script, join(folder, 'parley.cjs'), ...words];
  };
  const argsOf = (words: readonly string[], flags = launchFlags) => [...commandOf(words, flags), '--config', config];
  const envOf = (kind: StartKind) => ({
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    PARLEY_ENTER_SENDS: 'yes',
    COMPILED_CODE_FILE: join(folder, cachePath(folder, kind)),
  });
  return {
    /** Starts the server, and returns a function that stops it. */
    async server(): Promise<() => Promise<void>> {
      const ready = join(home, 'ready.json');
      const words = ['serve', '--data', join(home, 'data'), '--create', '--world', 'demo', '--port', '0'];
      const args = commandOf([...words, '--rate-limit', 'off', '--ready-file', ready]);
      const child = spawnProcess(process.execPath, args, {env: envOf('other'), stdio: ['ignore', 'pipe', 'ignore']});
      const ended = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), ended]);
      if (!existsSync(ready)) throw new Error('The server ended while its code was compiled.');
      const {url, accounts}: ServerAddress = JSON.parse(readFileSync(ready, 'utf8'));
      const [account] = accounts;
      writeFileSync(config, `[api]\nemail=${account?.email}\nkey=${account?.api_key}\nsite=${url}\n`, {mode: 0o600});
      return async () => {
        child.kill();
        await ended;
      };
    },
    async verb(words: readonly string[]): Promise<void> {
      await promisify(execFile)(process.execPath, argsOf(words), {env: envOf('verb')});
    },
    /** Presses the keys one by one when the first frame has been painted, then Ctrl-C until the program ends. */
    screen({cols, rows, keys}: (typeof screens)[number], kind: StartKind = 'screen'): Promise<void> {
      const args = argsOf([], kind === 'session' ? sessionFlags : launchFlags);
      const terminal = spawn(process.execPath, args, {cols, rows, cwd: home, env: envOf(kind)});
      const remaining = [...keys];
      const press = () => terminal.write(remaining.shift() ?? '\x03');
      let quiet = setTimeout(() => {}, 0);
      let keysPressed: NodeJS.Timeout | undefined;
      const output = terminal.onData(() => {
        clearTimeout(quiet);
        quiet = setTimeout(() => {
          output.dispose();
          keysPressed = setInterval(press, keyIntervalMs);
        }, paintedMs);
      });
      return new Promise((resolve, reject) => {
        terminal.onExit(({exitCode}) => {
          clearInterval(keysPressed);
          if (exitCode === 0) resolve();
          else reject(new Error(`The program ended with exit code ${exitCode} while its code was compiled.`));
        });
      });
    },
  };
}
