import {describe, expect, test} from 'vitest';
import {makeApi} from '#api/api.ts';
import {connectTo, httpServer} from '#test/api/client.ts';
import {testedLevels} from '#test/support/tested-levels.ts';
import {levelFixture, unreadIds} from './level-fixture.ts';

describe('flags for a narrow', () => {
  test.each(testedLevels)(
    'level %i: a topic, a channel, a direct conversation and everything can be marked as read',
    async (level) => {
      const {server, meg, otto, channel, say, api} = await levelFixture(level);
      const otherChannel = server.people.channel('other', [meg, otto]);
      const read = (narrow: [string, string | number | number[]][]) =>
        api.flagNarrow({narrow, op: 'add', flag: 'read'});
      const talk = [await say('1'), await say('2')];
      const lunch = [await say('3', 'lunch')];
      const direct = (await server.as(otto).post('/messages', {type: 'private', to: [meg.id], content: 'psst'})).id;
      const far = (
        await server.as(otto).post('/messages', {type: 'stream', to: otherChannel, topic: 'x', content: 'far'})
      ).id;
      expect(await unreadIds(server, meg)).toEqual([...talk, ...lunch, direct, far]);
      await read([
        ['channel', channel],
        ['topic', 'TALK'],
      ]);
      expect(await unreadIds(server, meg)).toEqual([...lunch, direct, far]);
      await read([['channel', 'general']]);
      expect(await unreadIds(server, meg)).toEqual([direct, far]);
      await read([
        ['channel', channel],
        ['topic', 'no such topic'],
      ]);
      expect(await unreadIds(server, meg)).toEqual([direct, far]);
      await read([['dm', [otto.id]]]);
      expect(await unreadIds(server, meg)).toEqual([far]);
      await read([]);
      expect(await unreadIds(server, meg)).toEqual([]);
    },
  );

  test.each([122, 509])('level %i: any flag in any narrow is changed with exact counts', async (level) => {
    const {say, api, channel, otto} = await levelFixture(level);
    const ids = [await say('a'), await say('b'), await say('c'), await say('d', 'lunch')];
    await api.updateFlags({messages: ids.slice(0, 1), op: 'add', flag: 'starred'});
    const args = {
      narrow: [
        ['sender', otto.id],
        ['topic', 'talk'],
        ['channel', channel],
      ] as [string, number | string][],
    };
    const star = {
      anchor: 'oldest',
      num_before: 0,
      num_after: 2,
      op: 'add',
      flag: 'starred',
      ...args,
    } as const;
    expect(await api.updateFlagsForNarrow(star)).toMatchObject({
      processed_count: 2,
      updated_count: 1,
      first_processed_id: ids[0],
      last_processed_id: ids[1],
      found_newest: false,
    });
    const rest = await api.updateFlagsForNarrow({...star, anchor: ids[1] ?? 0, include_anchor: false});
    expect(rest).toMatchObject({
      processed_count: 1,
      updated_count: 1,
      last_processed_id: ids[2],
      found_newest: true,
    });
    expect(await api.flagNarrow({...args, op: 'remove', flag: 'starred'})).toMatchObject({updatedCount: 3});
    const nothing = await api.updateFlagsForNarrow({
      ...star,
      narrow: [
        ['topic', 'nothing'],
        ['channel', channel],
      ],
    });
    expect(nothing).toMatchObject({processed_count: 0, first_processed_id: null, found_newest: true});
  });

  test.each([
    [154, [{result: 'partially_completed'}, {result: 'partially_completed'}, {result: 'success'}]],
    [211, [{complete: false}, {complete: true}]],
    [122, [{}]],
  ])('level %i: marking all as read is repeated until it is complete', async (level, answers) => {
    const paths: (string | undefined)[] = [];
    const site = await httpServer((request, response) => {
      const answer = answers[paths.length] ?? {};
      paths.push(request.url);
      response.end(JSON.stringify({result: 'success', msg: '', ...answer}));
    });
    const connection = connectTo({site});
    connection.level = level;
    const api = makeApi(connection);
    expect(await api.markAllAsRead()).toEqual({complete: true});
    expect(paths).toEqual(answers.map(() => '/api/v1/mark_all_as_read'));
    paths.length = 0;
    expect(await api.deleteTopic({stream_id: 1, topic_name: 'x'})).toEqual({complete: true});
    expect(paths).toEqual(answers.map(() => '/api/v1/streams/1/delete_topic'));
  });

  test('thousands of ids are sent in requests of a thousand', async () => {
    const sizes: number[] = [];
    const site = await httpServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      const messages = JSON.parse(new URLSearchParams(body).get('messages') ?? '[]');
      sizes.push(messages.length);
      const ignored = {ignored_because_not_subscribed_channels: [7]};
      response.end(JSON.stringify({result: 'success', msg: '', messages, ...ignored}));
    });
    const connection = connectTo({site});
    connection.level = 509;
    const messages = Array.from({length: 2500}, (_, index) => index + 1);
    const answer = await makeApi(connection).updateFlags({messages, op: 'remove', flag: 'read'});
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(answer).toEqual({messages, ignored_because_not_subscribed_channels: [7]});
  });
});
