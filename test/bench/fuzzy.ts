/** node test/bench/fuzzy.ts: prints what it costs to offer people and places at every key, where there are 50,000 of each. */

import {directKey, topicConversation, topicKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {completionAt} from '#ui/completion-menu/completion-at.ts';
import {omnibox} from '#ui/search/omnibox.ts';
import {ms, printTable, summary} from './table.ts';

const count = 50_000;
const perChannel = 250;
const rounds = 20;
const words =
  'deploy freeze budget review lunch standup error panic release notes login cache mobile desktop sprint plan retro kernel docs onboarding'.split(
    ' ',
  );
const names =
  'Ada Alan Anna Barbara Björn Chen Claude Dennis Edsger Ewa Grace Guido Jana Joan José Ken Linus Łukasz Margaret Niklaus Rózsa Tim Yukihiro Zoë'.split(
    ' ',
  );
const pick = (list: readonly string[], seed: number) => list[seed % list.length] ?? '';

function world(): AccountState {
  const users = Array.from({length: count}, (_, index) => {
    const fullName = `${pick(names, index)} ${pick(names, index * 7 + 3)}son ${index}`;
    return eg.user({id: eg.selfId + index, fullName});
  });
  const channels = Array.from({length: count / perChannel}, (_, index) =>
    eg.channel({id: index + 1, name: `${pick(words, index)} ${pick(words, index * 3 + 1)} ${index}`}),
  );
  const topics = channels.map(({id}) => {
    const list = Array.from({length: perChannel}, (_, index) => {
      const name = `${pick(words, index + id)} ${pick(words, index * 13 + 5)} ${pick(words, index * 31 + 3)} ${index}`;
      return [topicKey(name), {name, maxId: id * perChannel + index}] as const;
    });
    return [id, {byKey: SortedMap.from(list), complete: true}] as const;
  });
  const directs = users.slice(1, 500).map(({id}) => [directKey([id]), {userIds: [id], maxId: id}] as const);
  return eg.state({
    users: eg.users(...users),
    channels: eg.byId(...channels),
    subscriptions: eg.subscribed(...channels.map(({id}) => eg.subscription({channelId: id}))),
    subscribers: SortedMap.from(new Map([[1, {ids: SortedSet.from(users.map(({id}) => id)), complete: true}]])),
    topics: SortedMap.from(topics),
    directs: SortedMap.from(directs),
    maxMessageId: count,
  });
}

/** Of the processor, so that what else runs on the machine does not count. */
function timed(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const {user, system} = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Key by key, again and again; between two rounds something else is asked, so that each begins anew. */
function row(query: string, ask: (text: string) => void, other: string): string[] {
  ask(query);
  const keys: number[][] = [];
  const pasted: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ask(other);
    keys.push(Array.from(query, (_, at) => timed(() => ask(query.slice(0, at + 1)))));
    ask(other);
    pasted.push(timed(() => ask(query)));
  }
  const all = summary(keys.flat());
  return [query, ms(all.p50), ms(all.p99), ms(all.worst), ms(summary(pasted).p50)];
}

const state = world();
const header = ['typed', 'a key, p50', 'p99', 'slowest', 'pasted whole'];
const conversation = topicConversation(1, 'x');
const people = (text: string) =>
  completionAt(state, {text: `@${text}`, cursor: text.length + 1, conversation, field: 'message', nowMs: 0});
console.log(`first mention, with everything to prepare: ${ms(timed(() => people('a')))}`);
printTable(
  `Mentions, ${count} people, all of them in the channel`,
  header,
  ['a', 'anna', 'jose', 'lukasz lin', 'bjnson', 'zzzz'].map((query) => row(query, people, 'q')),
);

const sources = {commands: [], help: [], accounts: [], visits: []};
const places = (text: string) => omnibox(state, text, sources);
console.log(`\nfirst search, with everything to prepare: ${ms(timed(() => places('a')))}`);
printTable(
  `Going anywhere, ${count} topics`,
  header,
  ['e', 'deploy', 'dplnot', 'release notes 4', 'notes deploy', 'zzzz'].map((query) => row(query, places, 'q')),
);
