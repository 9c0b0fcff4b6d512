import {expect, test} from 'vitest';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {type Direction, mergedStream, type StreamParts} from '#server/narrow/message-streams.ts';
import {MessageFixtureWriter, term} from '#test/server/message-fixtures.ts';
import {testServer} from '#test/support/server.ts';

/** Returns a function that gives numbers below `limit`, the same ones every time. */
function seededRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}

test('mergedStream: gives every id once and in order, from any bound, in both directions', () => {
  const random = seededRandom(7);
  const lists: number[][] = Array.from({length: 9}, () => []);
  const allIds: number[] = [];
  for (let id = 1; id <= 500; id++) {
    if (random(3) === 0) continue;
    lists[random(9) % (1 + random(9))]?.push(id);
    allIds.push(id);
  }
  const beyond = (list: number[], bound: number, direction: Direction) =>
    direction === 'newer' ? list.filter((id) => id > bound) : list.filter((id) => id < bound).reverse();
  const parts: StreamParts = {
    count: lists.length,
    firstIds: (bound, direction) => lists.map((list) => beyond(list, bound, direction)[0]),
    readPart: (part, bound, direction, limit) => beyond(lists[part] ?? [], bound, direction).slice(0, limit),
  };
  for (let round = 0; round < 100; round++) {
    const bound = random(520);
    const limit = random(60);
    for (const direction of ['older', 'newer'] as const) {
      const expected = beyond(allIds, bound, direction).slice(0, limit);
      expect(mergedStream(parts).idsBeyond(bound, direction, limit)).toEqual(expected);
    }
  }
});

test('compileNarrow: every stream gives the messages that match one by one', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const random = seededRandom(42);
  const meg = server.people.member();
  const others = ['Otto', 'Una', 'Ines'].map((name) => server.people.member(name));
  const channels = ['a', 'b', 'c', 'd'].map((name) => server.people.channel(name, [meg]));
  const topics = ['x', 'y', '✔ z', ''];
  const words = ['red', 'car', 'the', 'blue'];
  const pick = <T>(list: readonly T[]): T => {
    const item = list[random(list.length)];
    if (item === undefined) throw new Error('The list is empty');
    return item;
  };
  const bits = [0, 0, Flag.starred, Flag.mentioned | Flag.mentionedByName, Flag.alertWord];
  const ids = server.context.db.transaction(() =>
    Array.from({length: 240}, () => {
      const message = {
        content: `${pick(words)} ${pick(words)}`,
        traits: random(8),
        read: random(2) === 0,
        flags: [[meg, pick(bits)]] as const,
      };
      if (random(4) === 0) return writer.toPeople(pick(others), random(3) === 0 ? [meg, pick(others)] : [meg], message);
      return writer.toChannel(pick(others), pick(channels), pick(topics), message);
    }),
  );
  writer.muteChannel(meg, channels[1] ?? 0);
  writer.topicPolicy(meg, channels[1] ?? 0, 'x', 2);
  writer.topicPolicy(meg, channels[2] ?? 0, 'y', 1);
  writer.topicPolicy(meg, channels[3] ?? 0, '', 3);
  const candidateTerms = [
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
  const viewer = findUser(server.context.db, meg.id) as UserRow;
  const act = {server: server.context, now: 0};
  let nonEmpty = 0;
  for (let round = 0; round < 150; round++) {
    const narrow = Array.from({length: 1 + random(3)}, () => ({
      ...pick(candidateTerms),
      negated: random(4) === 0,
    }));
    const compile = (amongIds?: number[]) => {
      try {
        const options = amongIds === undefined ? {} : {amongIds: amongIds};
        return compileNarrow(act, viewer, narrow as never, options).messageIds;
      } catch (error) {
        return String(error);
      }
    };
    const stream = compile();
    const oneByOne = compile(ids);
    if (typeof stream === 'string' || typeof oneByOne === 'string') {
      expect(stream).toEqual(oneByOne);
      continue;
    }
    const matching = oneByOne.idsBeyond(0, 'newer', 1000);
    if (matching.length > 0) nonEmpty++;
    expect(stream.idsBeyond(0, 'newer', 1000), JSON.stringify(narrow)).toEqual(matching);
    expect(stream.idsBeyond(1e16, 'older', 5), JSON.stringify(narrow)).toEqual(matching.slice(-5).reverse());
    const middle = ids[120] ?? 0;
    expect(stream.idsBeyond(middle, 'newer', 3)).toEqual(matching.filter((id) => id > middle).slice(0, 3));
  }
  expect(nonEmpty).toBeGreaterThan(50);
});

test('compileNarrow: hundreds of channels are merged in order, near the bound and far from it', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const random = seededRandom(3);
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  const unsubscribed = server.people.channel('unsubscribed', [otto]);
  const subscribed = server.context.db.transaction(() =>
    Array.from({length: 320}, (_, index) => server.people.channel(`subscribed ${index}`, [meg])),
  );
  const received: number[] = [];
  const insertMessages = (count: number) => {
    for (let index = 0; index < count; index++) {
      received.push(writer.toChannel(otto, subscribed[random(320)] ?? unsubscribed, 'x', {read: true}));
    }
  };
  server.context.db.transaction(() => {
    insertMessages(60);
    writer.flood(otto, unsubscribed, 3500, 'x');
    insertMessages(20);
    writer.flood(otto, unsubscribed, 50, 'x');
    insertMessages(20);
  });
  const viewer = findUser(server.context.db, meg.id) as UserRow;
  const {messageIds: stream} = compileNarrow({server: server.context, now: 0}, viewer, []);
  expect(stream.idsBeyond(1e16, 'older', 1000)).toEqual(received.toReversed());
  expect(stream.idsBeyond(0, 'newer', 1000)).toEqual(received);
  expect(stream.idsBeyond(1e16, 'older', 7)).toEqual(received.slice(-7).reverse());
  const middle = received[70] ?? 0;
  expect(stream.idsBeyond(middle, 'older', 30)).toEqual(received.slice(40, 70).reverse());
  // The two readings meet three thousand ids from the bound.
  for (const id of [received[59] ?? 0, received[60] ?? 0]) {
    expect(stream.idsBeyond(id - 3000, 'newer', 1000)).toEqual(received.filter((one) => one > id - 3000));
    expect(stream.idsBeyond(id + 3000, 'older', 1000)).toEqual(received.filter((one) => one < id + 3000).reverse());
  }
});
