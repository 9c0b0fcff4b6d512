/**
 * npm run bench:journeys [-- --files]
 *
 * Counts the source files in which a function runs between an event or a key and the screen. The program runs from its sources in
 * a pty with a server; V8 counts the calls. Each journey is made four times: the first one loads modules, and of the others the
 * files count that ran each time, because timers may fall into one. `--files` also prints the names.
 */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {launchFlags} from '#build/launch-flags.ts';
import {channel, longWorld, topicName} from '#test/bench/ui/worlds.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {BenchApiClient, freePort} from './bench-server.ts';
import {printTable} from './table.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const runSources = fileURLToPath(new URL('run-sources.ts', import.meta.url));
const rounds = 4;

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {readonly ranges: readonly {readonly count: number}[]}[];
}

/** Calls of the V8 inspector of another process. */
class Inspector {
  readonly #socket: WebSocket;
  #lastId = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async connect(port: number): Promise<Inspector> {
    for (;;) {
      try {
        const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
          webSocketDebuggerUrl: string;
        }[];
        const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
        await new Promise((resolve) => socket.addEventListener('open', resolve, {once: true}));
        return new Inspector(socket);
      } catch {
        await sleep(50);
      }
    }
  }

  call(method: string, params: object = {}): Promise<{result?: readonly ScriptCoverage[]}> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const onMessage = ({data}: MessageEvent) => {
        const reply = JSON.parse(String(data));
        if (reply.id !== id) return;
        this.#socket.removeEventListener('message', onMessage);
        resolve(reply.result);
      };
      this.#socket.addEventListener('message', onMessage);
      this.#socket.send(JSON.stringify({id, method, params}));
    });
  }

  /** Returns the source files in which a function ran since the last call. */
  async filesRun(): Promise<string[]> {
    const {result = []} = await this.call('Profiler.takePreciseCoverage');
    return result
      .filter(({functions}) => functions.some(({ranges}) => (ranges[0]?.count ?? 0) > 0))
      .map(({url}) => decodeURI(url.replace('file://', '')))
      .filter((path) => path.startsWith(source))
      .map((path) => path.slice(source.length));
  }

  close(): void {
    this.#socket.close();
  }
}

const world = await longWorld();
const home = mkdtempSync(join(tmpdir(), 'parley-journeys-'));
const {served, you, other} = world;
const writer = new BenchApiClient(served, other);
const topic = topicName(0);
const say = (content: string, to = topic) =>
  writer.call('POST', '/messages', {type: 'stream', to: channel, topic: to, content});
const {env, cwd} = parleyCommand({
  home,
  signIn: {site: served.url, email: you.email, apiKey: you.api_key},
  env: {PARLEY_ENTER_SENDS: 'yes'},
});

/** Opens the sources in a terminal, makes the journey several times, and returns the files that ran each time. */
async function filesOf(
  args: readonly string[],
  journey: (terminal: Terminal, round: number) => Promise<void>,
  prepare: (round: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const port = await freePort();
  const flags = [`--inspect=127.0.0.1:${port}`, '--inspect-publish-uid=http', '--no-warnings', ...launchFlags];
  const terminal = Terminal.open(process.execPath, [...flags, runSources, ...args], {
    size: {cols: 100, rows: 30},
    env,
    cwd,
  });
  try {
    await terminal.waitFor(({text}) => text.includes('; commands') && !text.includes('Loading…'), 'the first content');
    const inspector = await Inspector.connect(port);
    await inspector.call('Profiler.enable');
    await inspector.call('Profiler.startPreciseCoverage', {callCount: true, detailed: false});
    const all: string[][] = [];
    for (let round = 0; round < rounds; round++) {
      await prepare(round);
      // What the preparation changed has been applied and saved.
      await sleep(1500);
      await inspector.filesRun();
      await journey(terminal, round);
      const files = await inspector.filesRun();
      if (round > 0) all.push(files);
    }
    inspector.close();
    return all.reduce((common, files) => common.filter((file) => files.includes(file)));
  } finally {
    await terminal.close();
  }
}

try {
  const message = await filesOf([`#${channel}>${topic}`], async (terminal, round) => {
    await say(`journey ${round}`);
    await terminal.waitFor(`journey ${round}`);
  });
  const done = await filesOf(
    [],
    async (terminal) => {
      const before = terminal.screen().text;
      terminal.keys('e');
      await terminal.waitFor(({text}) => text !== before, 'a change of the inbox');
    },
    (round) => say(`unread ${round}`, topicName(round + 10)),
  );
  const folders = [...new Set([...message, ...done].map((file) => file.split('/')[0] ?? ''))].sort();
  const row = (name: string, files: readonly string[]) => [
    name,
    String(files.length),
    ...folders.map((folder) => String(files.filter((file) => file.split('/')[0] === folder).length)),
  ];
  printTable(
    'Source files in which a function runs',
    ['', 'all', ...folders],
    [row('incoming message', message), row('e: mark done in the inbox', done)],
  );
  if (process.argv.includes('--files'))
    for (const files of [message, done]) console.log(`\n${files.sort().join('\n')}`);
} finally {
  await world.stop();
  rmSync(home, {recursive: true, force: true});
}
