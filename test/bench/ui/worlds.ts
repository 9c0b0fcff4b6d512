import {cpSync, existsSync, mkdtempSync, renameSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BenchAccount, BenchApiClient, type BenchServer, startBenchServer} from '#test/bench/bench-server.ts';
import {cacheDirectory} from './cache.ts';

/** The channel that all measurements use. */
export const channel = 'bench';
/** The topic of its long conversation: messages `load-00000` and so on. */
export const longTopic = 'load';
export const longCount = 10_000;
/** Its short topics: `topic-000` and so on, whose messages start with their names. */
export const shortTopics = 120;
const shortCount = 30;

export const topicName = (at: number): string => `topic-${String(at).padStart(3, '0')}`;

export interface LongWorld {
  readonly served: BenchServer;
  /** The user who reads. */
  readonly you: BenchAccount;
  /** The user who writes. */
  readonly other: BenchAccount;
  stop(): Promise<void>;
}

const flags = ['--world', 'demo', '--size', 'small', '--bots', 'off'] as const;

/** A small organization with one long topic. It is created once, and copied so that no run changes it for the next. */
export async function longWorld(): Promise<LongWorld> {
  const kept = join(cacheDirectory(), 'long-world-1');
  if (!existsSync(kept)) await makeLongWorld(kept);
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  cpSync(kept, directory, {recursive: true});
  const served = await startBenchServer('--data', directory, ...flags);
  const [you, other] = two(served);
  return {
    served,
    you,
    other,
    async stop() {
      await served.stop();
      rmSync(directory, {recursive: true, force: true});
    },
  };
}

async function makeLongWorld(kept: string): Promise<void> {
  const unfinished = `${kept}.unfinished`;
  rmSync(unfinished, {recursive: true, force: true});
  const served = await startBenchServer('--data', unfinished, ...flags);
  const people = two(served);
  const callers = people.map((account) => new BenchApiClient(served, account));
  const [you] = callers;
  const principals = people.map((account) => account.user_id);
  await you?.call('POST', '/users/me/subscriptions', {subscriptions: [{name: channel}], principals});
  const say = async (topic: string, name: string, at: number) => {
    const content = `${name} ${words(at)}`;
    await callers[Math.floor(at / 3) % 2]?.call('POST', '/messages', {
      type: 'stream',
      to: channel,
      topic,
      content,
    });
  };
  for (let topic = 0; topic < shortTopics; topic++) {
    for (let at = 0; at < shortCount; at++) await say(topicName(topic), `${topicName(topic)}-${at}`, at);
  }
  for (let at = 0; at < longCount; at++) await say(longTopic, `load-${String(at).padStart(5, '0')}`, at);
  for (const caller of callers) await caller.call('POST', '/mark_all_as_read');
  await served.stop();
  renameSync(unfinished, kept);
}

function two(served: BenchServer): readonly [BenchAccount, BenchAccount] {
  const [you, other] = served.accounts;
  if (you === undefined || other === undefined) throw new Error('The demo has fewer than two accounts.');
  return [you, other];
}

const vocabulary = 'tide clock harbour gauge ledger spring neap brass hand quay rope mooring chart moon lamp'.split(
  ' ',
);

/** Returns a text of 3 to 40 words, some with markup, which is always the same for a number. */
function words(seed: number): string {
  const count = 3 + ((seed * 7919) % 37);
  const said = Array.from({length: count}, (_, at) => vocabulary[(seed * 31 + at * 17) % vocabulary.length] ?? 'tide');
  if (seed % 5 === 0) said[1] = `**${said[1]}**`;
  if (seed % 11 === 0) said[2] = '`gauge.read()`';
  return said.join(' ');
}
