import {openView} from '#app/navigation/navigation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {defaultEvictionLimits} from '#state/persistence/message-evictor.ts';
import {Random} from '#std/random.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {countTimers, openApp} from '#test/support/request-counter.ts';
import {messagesView} from '#ui/core/frame.ts';

/*
 * Uses the app at random for long, and prints the live heap in the middle and at the end as JSON. Needs `--expose-gc`.
 */

const topics = 12;
const incomingPerRound = 60;
const keys = ['j', 'k', 'K', 'J', 'PageUp', 'PageDown', 'G', 'g g', 'n', 'Tab', 'a', 'I', 't', '?', 'Esc', 'Alt-Left'];
const sizes = ['80x24', '120x40', '100x30'].map((size) => size.split('x').map(Number));
/** Long texts in a muted channel: if they stayed in memory, they would weigh more than everything else that changes. */
const longText = 'The tide is in and the boats are out, says the harbour. '.repeat(160);

const random = new Random(7);

/** What the test tells: how long, the server, two channels, who uses the app, who writes, and who may delete. */
interface Task {
  readonly rounds: number;
  readonly url: string;
  readonly channelId: number;
  readonly mutedId: number;
  readonly meg: Person;
  readonly otto: Person;
  readonly olive: Person;
}

const {rounds, url, channelId, mutedId, meg, otto, olive}: Task = JSON.parse(process.argv[2] ?? '');
const [writer, owner] = [new ApiClient(url, otto), new ApiClient(url, olive)];
const clock = new ManualClock(Date.now());
const timers = countTimers(clock);
const {store} = openAccountStore({path: ':memory:', clock: timers.clock, random: () => 0.5, log: () => {}});
const eviction = {...defaultEvictionLimits, messages: 300, reach: {shown: 60, recent: 20, other: 5}};
const used = openApp({url, person: meg, clock, timers, store, size: '120x40', options: {eviction}});
const {app, press, settle, pass} = used;
await settle();

const sent: number[] = [];
const heaps: number[] = [];
for (let round = 1; round <= rounds; round++) {
  const post = (to: number, topic: string, content: string) =>
    writer.post('/messages', {type: 'stream', to, topic, content});
  const unseen = Array.from({length: incomingPerRound}, (_, at) => post(mutedId, `topic ${at}`, longText));
  const seen = Array.from({length: 5}, (_, at) => post(channelId, `topic ${random.below(topics)}`, `${round}.${at}`));
  await Promise.all(unseen);
  sent.push(...(await Promise.all(seen)).map(({id}) => id));
  await writer.patch(`/messages/${random.pick(sent)}`, {content: `edited in round ${round}`});
  await writer.post(`/messages/${sent.at(-1)}/reactions`, {emoji_name: 'tada'});
  const [deleted] = sent.splice(random.below(sent.length), 1);
  await owner.delete(`/messages/${deleted}`);
  await settle();
  openView(app, messagesView(topicNarrow(channelId, `topic ${random.below(topics)}`)));
  for (let step = 0; step < 8; step++) {
    press(...(random.pick(keys) ?? 'j').split(' '));
    await settle();
  }
  const [columns = 80, rows = 24] = random.pick(sizes) ?? [];
  app.set({size: {columns, rows}});
  clock.advance(1500);
  await settle();
  if (round % (rounds / 2) !== 0) continue;
  await pass(3000);
  globalThis.gc?.();
  heaps.push(process.memoryUsage().heapUsed);
}
console.log(JSON.stringify(heaps));
process.exit(0);
