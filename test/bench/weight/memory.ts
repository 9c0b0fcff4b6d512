import {setTimeout as sleep} from 'node:timers/promises';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {
  channel,
  conversation,
  conversationCount,
  type MeasuredWorld,
  measuredWorld,
  quiet,
  say,
} from './measured-world.ts';
import {cpuSeconds, residentMiB, sleepCount} from './process-figures.ts';

const size = {cols: 120, rows: 40};
const incoming = 5000;

interface Session {
  /** The resident memory in MiB after each stage. */
  readonly stages: ReadonlyMap<string, number>;
  readonly cpuSeconds: number;
  readonly wakeupsPerSecond: number;
  /** In a second period of the same length, without the collection and the saving that follow use. */
  readonly laterWakeupsPerSecond: number;
  /** Beside the poll. */
  readonly requestsPerMinute: number;
}

/** Uses the program for long, and measures its memory after each stage, and its wakeups and requests while idle. */
export async function longSession(name: string, idleSeconds: number): Promise<Session> {
  const world = await measuredWorld(name);
  const first = world.open(size);
  try {
    // The measured start finds data on disk, as usual.
    await first.waitFor(parleyProgram.isUsable, 'content');
    await quiet(first, 900);
    await parleyProgram.quit(first);
  } finally {
    await first.close();
  }
  const terminal = world.open(size);
  try {
    const stages = new Map<string, number>();
    const stage = async (title: string, work: () => Promise<void>) => {
      await work();
      await quiet(terminal);
      stages.set(title, residentMiB(terminal.pid));
    };
    await stage('start', async () => {
      await terminal.waitFor(parleyProgram.isUsable, 'content');
      await quiet(terminal, 900);
    });
    await stage('240 scrolls', () => scrolls(terminal));
    await stage('2,000 keys', () => manyKeys(terminal));
    await stage('60 conversations', () => conversations(terminal));
    await stage('1,000 typed characters', () => typing(terminal));
    await stage('5,000 incoming messages', () => incomingMessages(terminal, world));
    await stage('200 resizes', () => resizes(terminal));
    const cpu = cpuSeconds(terminal.pid);
    const wakeupsDuring = async () => {
      const sleeps = sleepCount(terminal.pid);
      await sleep(idleSeconds * 1000);
      return (sleepCount(terminal.pid) - sleeps) / idleSeconds;
    };
    const requests = await world.requestCount();
    const wakeupsPerSecond = await wakeupsDuring();
    const requestsPerMinute = ((await world.requestCount()) - requests) / (idleSeconds / 60);
    stages.set(`${idleSeconds} s idle`, residentMiB(terminal.pid));
    const laterWakeupsPerSecond = await wakeupsDuring();
    return {stages, cpuSeconds: cpu, wakeupsPerSecond, laterWakeupsPerSecond, requestsPerMinute};
  } finally {
    await terminal.close();
    await world.stop();
  }
}

export function memoryRows(sessions: readonly Session[]): string[][] {
  const titles = [...(sessions[0]?.stages.keys() ?? [])];
  const rows = titles.map((title) => [
    title,
    ...sessions.map(({stages}) => `${stages.get(title)?.toFixed(0) ?? '-'} MiB`),
  ]);
  rows.push(['CPU time until idle', ...sessions.map((session) => `${session.cpuSeconds.toFixed(1)} s`)]);
  rows.push(['wakeups while idle', ...sessions.map((session) => `${session.wakeupsPerSecond.toFixed(2)} /s`)]);
  rows.push(['wakeups, later', ...sessions.map((session) => `${session.laterWakeupsPerSecond.toFixed(2)} /s`)]);
  rows.push(['requests beside the poll, idle', ...sessions.map((each) => `${each.requestsPerMinute.toFixed(2)} /min`)]);
  return rows;
}

/** Presses keys at a pace that the program can follow. */
async function press(terminal: Terminal, keys: readonly string[], pauseMs: number): Promise<void> {
  for (const key of keys) {
    terminal.keys(key);
    await sleep(pauseMs);
  }
}

async function scrolls(terminal: Terminal): Promise<void> {
  terminal.keys('a');
  await terminal.waitFor(({lines}) => lines[0]?.includes('Combined feed') === true, 'combined feed');
  await quiet(terminal);
  const up = Array.from({length: 120}, (_, at) => (at % 4 === 0 ? 'K' : 'Ctrl-Y'));
  const down = Array.from({length: 120}, (_, at) => (at % 4 === 0 ? 'J' : 'Ctrl-E'));
  await press(terminal, [...up, ...down], 15);
}

/** Keys that move and open, and change nothing on the server. */
const moves = ['j', 'k', 'j', 'j', 'K', 'J', ']', '[', 'Tab', 'n', 'Esc', '?', 'Esc', 'a', 'I', 't', 'j'];

async function manyKeys(terminal: Terminal): Promise<void> {
  const keys = Array.from({length: 2000}, (_, at) => moves[(at * 7 + Math.floor(at / 17)) % moves.length] ?? 'j');
  await press(terminal, keys, 5);
  await press(terminal, ['Esc', 'Esc', 'Esc', 'Ctrl-C'], 30);
}

async function conversations(terminal: Terminal): Promise<void> {
  for (let at = 0; at < conversationCount; at++) {
    terminal.keys('Ctrl-G');
    terminal.type(conversation(at));
    await terminal.waitFor(({text}) => text.split(conversation(at)).length > 2, `a proposal of ${conversation(at)}`);
    terminal.keys('Enter');
    await terminal.waitFor(({lines}) => lines[0]?.includes(conversation(at)) === true, conversation(at));
  }
}

async function typing(terminal: Terminal): Promise<void> {
  terminal.keys('r');
  await terminal.waitUntil(({cursor}) => cursor.visible, 'cursor in the composer');
  for (let at = 0; at < 1000; at++) {
    terminal.type('the tide is in. '[at % 16] ?? 'a');
    await sleep(5);
  }
  await press(terminal, ['Ctrl-U', 'Ctrl-U', 'Esc'], 30);
}

/** Every tenth message arrives in the open conversation. */
async function incomingMessages(terminal: Terminal, {writer}: MeasuredWorld): Promise<void> {
  const open = conversationCount - 1;
  let next = 0;
  const sender = async () => {
    for (let at = next++; at < incoming; at = next++) {
      const target = at % 10 === 0 ? open : at % conversationCount;
      await say(
        writer,
        target,
        `Incoming ${at} in #**${channel}**, with *some* words and \`code\` in ${conversation(target)}`,
      );
    }
  };
  await Promise.all(Array.from({length: 4}, sender));
  await say(writer, open, 'The last incoming message');
  await quiet(terminal);
  terminal.keys('G');
  await terminal.waitFor('The last incoming message');
}

async function resizes(terminal: Terminal): Promise<void> {
  for (let at = 0; at < 200; at++) {
    terminal.resize(80 + ((at * 13) % 61), 24 + ((at * 7) % 27));
    await sleep(25);
  }
  terminal.resize(size.cols, size.rows);
}
