/**
 * npm run bench:organizations [-- --accounts N] [-- --idle SECONDS]
 *
 * Prints what several organizations cost the built program: its start with one account and with N (10 by default), the live
 * heap after a garbage collection, and the wakeups while idle. Each organization has 150 people, 20 channels and 240 unread
 * messages in 60 conversations.
 */

import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {pathsOf} from '#config/paths.ts';
import {startServer} from '#server/server.ts';
import {quiet} from '#test/bench/weight/measured-world.ts';
import {sleepCount} from '#test/bench/weight/process-figures.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {People, type Person} from '#test/support/people.ts';
import {parleyCommand, writeZuliprc} from '#test/support/terminal/parley-command.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {ms, printTable, summary} from './table.ts';

const {values} = parseArgs({
  options: {accounts: {type: 'string', default: '10'}, idle: {type: 'string', default: '30'}},
});
const [count, idleSeconds, rounds] = [Number(values.accounts), Number(values.idle), 5];
const [people, channels, conversations, messagesEach] = [150, 20, 60, 4];

interface Organization {
  readonly name: string;
  readonly url: string;
  readonly meg: Person;
  close(): Promise<void>;
}

async function organization(at: number): Promise<Organization> {
  const server = await startServer({passwordCost: 2, rateLimited: false, log: () => {}});
  const all = new People(server.context);
  const meg = all.add('Meg Member', {settings: {enter_sends: true}});
  const otto = all.member('Otto Ode');
  const others = Array.from({length: people - 2}, (_, index) => all.member(`Person ${index}`));
  const ids = Array.from({length: channels}, (_, index) => all.channel(`channel-${index}`, [meg, otto, ...others]));
  const api = new ApiClient(server.url, otto, {isChecked: false});
  for (let nth = 0; nth < conversations * messagesEach; nth++) {
    const topic = `topic ${nth % conversations}`;
    const to = ids[nth % channels];
    await api.post('/messages', {type: 'stream', to, topic, content: `message ${nth} of organization ${at}`});
  }
  return {name: `org${String.fromCharCode(97 + at)}`, url: server.url, meg, close: () => server.close()};
}

/** Writes a home with these accounts. */
function homeWith(organizations: readonly Organization[]): string {
  const home = mkdtempSync(join(tmpdir(), 'parley-organizations-'));
  const directory = join(pathsOf({}, home).config, 'accounts');
  mkdirSync(directory, {recursive: true});
  for (const {name, url, meg} of organizations) {
    writeZuliprc(join(directory, `${name}.zuliprc`), {site: url, email: meg.email, apiKey: meg.apiKey});
  }
  return home;
}

function open(home: string, flags: readonly string[] = []): Terminal {
  const {file, args, env, cwd} = parleyCommand({home, args: ['--account', 'orga']});
  return Terminal.open(file, [...flags, ...args], {size: {cols: 120, rows: 40}, env, cwd});
}

async function quit(terminal: Terminal): Promise<void> {
  terminal.keys('Ctrl-C', 'Ctrl-C');
  await terminal.waitForExit();
  await terminal.close();
}

/** Returns the time until rows of the shown organization are on the screen. */
async function startTime(home: string): Promise<number> {
  const began = performance.now();
  const terminal = open(home);
  await terminal.waitFor(/topic \d+/);
  const took = performance.now() - began;
  await quiet(terminal, 1500);
  await quit(terminal);
  return took;
}

/** Asks the program for its live heap through the inspector. */
async function liveHeapMiB(port: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {webSocketDebuggerUrl: string}[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve, {once: true}));
  const call = (id: number, method: string) =>
    new Promise<{usedSize: number}>((resolve) => {
      const onMessage = ({data}: MessageEvent) => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        socket.removeEventListener('message', onMessage);
        resolve(answer.result);
      };
      socket.addEventListener('message', onMessage);
      socket.send(JSON.stringify({id, method}));
    });
  for (const id of [1, 2, 3]) await call(id, 'HeapProfiler.collectGarbage');
  const {usedSize} = await call(4, 'Runtime.getHeapUsage');
  socket.close();
  return usedSize / 1024 / 1024;
}

/** Opens the program and waits until all accounts are connected and what follows a start is over. */
async function settled(home: string, accounts: number, flags: readonly string[]): Promise<Terminal> {
  const terminal = open(home, flags);
  await terminal.waitFor(/topic \d+/);
  await sleep(12_000 + accounts * 1000);
  await quiet(terminal, 3000);
  return terminal;
}

async function heapOf(home: string, accounts: number, port: number): Promise<number> {
  const terminal = await settled(home, accounts, [`--inspect=127.0.0.1:${port}`]);
  const heap = await liveHeapMiB(port);
  await quit(terminal);
  return heap;
}

async function wakeupsOf(home: string, accounts: number): Promise<number> {
  const terminal = await settled(home, accounts, []);
  const before = sleepCount(terminal.pid);
  await sleep(idleSeconds * 1000);
  const wakeups = (sleepCount(terminal.pid) - before) / idleSeconds;
  await quit(terminal);
  return wakeups;
}

const organizations: Organization[] = [];
for (let at = 0; at < count; at++) organizations.push(await organization(at));
const homes = [homeWith(organizations.slice(0, 1)), homeWith(organizations)];
try {
  const starts: number[][] = [[], []];
  for (const home of homes) await startTime(home);
  // In turns, so that other load on the machine falls on both.
  for (let round = 0; round < rounds; round++) {
    for (const [at, home] of homes.entries()) starts[at]?.push(await startTime(home));
  }
  const [first = '', every = ''] = homes;
  const heaps = [await heapOf(first, 1, 9341), await heapOf(every, count, 9342)];
  const wakeups = [await wakeupsOf(first, 1), await wakeupsOf(every, count)];
  const medians = starts.map((samples) => summary(samples).p50);
  const row = (name: string, [one = 0, all = 0]: readonly number[], text: (value: number) => string) => [
    name,
    ...[one, all, (all - one) / (count - 1)].map(text),
  ];
  printTable(
    'Organizations',
    ['', '1 account', `${count} accounts`, 'each further'],
    [
      row('first content', medians, ms),
      row('live heap', heaps, (mib) => `${mib.toFixed(1)} MiB`),
      row('wakeups while idle', wakeups, (rate) => `${rate.toFixed(2)} /s`),
    ],
  );
} finally {
  for (const home of homes) rmSync(home, {recursive: true, force: true});
  await Promise.all(organizations.map((each) => each.close()));
}
process.exit(0);
