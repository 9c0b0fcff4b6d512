import {expect, test} from 'vitest';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {type Direction, mergedStream, type StreamParts} from '#server/narrow/message-id-stream.ts';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter, term} from './message-fixtures.ts';

/** A generator of numbers below `limit` that gives the same ones every time. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

test('merged parts give every id once and in order, from any point, in both directions', () => {
  const roll = dice(7);
  const lists: number[][] = Array.from({length: 9}, () => []);
  const every: number[] = [];
  for (let id = 1; id <= 500; id++) {
    if (roll(3) === 0) continue;
    lists[roll(9) % (1 + roll(9))]?.push(id);
    every.push(id);
  }
  const beyond = (list: number[], bound: number, direction: Direction) =>
    direction === 'newer' ? list.filter((id) => id > bound) : list.filter((id) => id < bound).reverse();
  const parts: StreamParts = {
    count: lists.length,
    firstIds: (bound, direction) => lists.map((list) => beyond(list, bound, direction)[0]),
    readPart: (part, bound, direction, limit) => beyond(lists[part] ?? [], bound, direction).slice(0, limit),
  };
  for (let round = 0; round < 100; round++) {
    const bound = roll(520);
    const limit = roll(60);
    for (const direction of ['older', 'newer'] as const) {
      const expected = beyond(every, bound, direction).slice(0, limit);
      expect(mergedStream(parts).idsBeyond(bound, direction, limit)).toEqual(expected);
    }
  }
});

test('however a narrow is looked up, it holds the messages that match one by one', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const roll = dice(42);
  const meg = server.people.member();
  const others = ['Otto', 'Una', 'Ines'].map((name) => server.people.member(name));
  const channels = ['a', 'b', 'c', 'd'].map((name) => server.people.channel(name, [meg]));
  const topics = ['x', 'y', '✔ z', ''];
  const words = ['red', 'car', 'the', 'blue'];
  const pick = <T>(list: readonly T[]): T => {
    const item = list[roll(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const bits = [0, 0, Flag.starred, Flag.mentioned | Flag.mentionedByName, Flag.alertWord];
  const ids = server.world.db.transaction(() =>
    Array.from({length: 240}, () => {
      const letter = {
        content: `${pick(words)} ${pick(words)}`,
        traits: roll(8),
        read: roll(2) === 0,
        flags: [[meg, pick(bits)]] as const,
      };
      if (roll(4) === 0)
        return mail.toPeople(pick(others), roll(3) === 0 ? [meg, pick(others)] : [meg], letter);
      return mail.toChannel(pick(others), pick(channels), pick(topics), letter);
    }),
  );
  mail.muteChannel(meg, channels[1] ?? 0);
  mail.topicPolicy(meg, channels[1] ?? 0, 'x', 2);
  mail.topicPolicy(meg, channels[2] ?? 0, 'y', 1);
  mail.topicPolicy(meg, channels[3] ?? 0, '', 3);
  const possible = [
    ...channels.map((id) => term('channel', id)),
    ...topics.map((topic) => term('topic', topic)),
    ...others.map(({id}) => term('sender', id)),
    ...others.map(({id}) => term('dm-including', id)),
    ...words.map((word) => term('search', word)),
    ...['starred', 'unread', 'mentioned', 'alerted', 'resolved', 'followed', 'muted', 'dm'].map((kind) =>
      term('is', kind),
    ),
    ...['link', 'image', 'attachment', 'reaction'].map((kind) => term('has', kind)),
    term('in', 'home'),
    term('mentions', meg.id),
    term('channels', 'public'),
  ];
  const viewer = findUser(server.world.db, meg.id) as UserRow;
  const act = {world: server.world, now: 0};
  let nonEmpty = 0;
  for (let round = 0; round < 150; round++) {
    const narrow = Array.from({length: 1 + roll(3)}, () => ({...pick(possible), negated: roll(4) === 0}));
    const attempt = (among?: number[]) => {
      try {
        const options = among === undefined ? {} : {amongIds: among};
        return compileNarrow(act, viewer, narrow as never, options).messageIds;
      } catch (error) {
        return String(error);
      }
    };
    const stream = attempt();
    const single = attempt(ids);
    if (typeof stream === 'string' || typeof single === 'string') {
      expect(stream).toEqual(single);
      continue;
    }
    const matching = single.idsBeyond(0, 'newer', 1000);
    if (matching.length > 0) nonEmpty++;
    expect(stream.idsBeyond(0, 'newer', 1000), JSON.stringify(narrow)).toEqual(matching);
    expect(stream.idsBeyond(1e16, 'older', 5), JSON.stringify(narrow)).toEqual(matching.slice(-5).reverse());
    const middle = ids[120] ?? 0;
    expect(stream.idsBeyond(middle, 'newer', 3)).toEqual(matching.filter((id) => id > middle).slice(0, 3));
  }
  expect(nonEmpty).toBeGreaterThan(50);
});

test('hundreds of channels read as one, near and far', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const roll = dice(3);
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  const unseen = server.people.channel('unseen', [otto]);
  const mine = server.world.db.transaction(() =>
    Array.from({length: 320}, (_, index) => server.people.channel(`mine ${index}`, [meg])),
  );
  const received: number[] = [];
  const letters = (count: number) => {
    for (let index = 0; index < count; index++) {
      received.push(mail.toChannel(otto, mine[roll(320)] ?? unseen, 'x', {read: true}));
    }
  };
  server.world.db.transaction(() => {
    letters(60);
    mail.flood(otto, unseen, 3500, 'x');
    letters(20);
    mail.flood(otto, unseen, 50, 'x');
    letters(20);
  });
  const viewer = findUser(server.world.db, meg.id) as UserRow;
  const {messageIds: stream} = compileNarrow({world: server.world, now: 0}, viewer, []);
  expect(stream.idsBeyond(1e16, 'older', 1000)).toEqual(received.toReversed());
  expect(stream.idsBeyond(0, 'newer', 1000)).toEqual(received);
  expect(stream.idsBeyond(1e16, 'older', 7)).toEqual(received.slice(-7).reverse());
  const middle = received[70] ?? 0;
  expect(stream.idsBeyond(middle, 'older', 30)).toEqual(received.slice(40, 70).reverse());
});
