import {describe, expect, test} from 'vitest';
import {makeApi} from '#api/api.ts';
import {clientOf, connectTo, failureOf, httpServer} from '#test/api/client.ts';
import {testedLevels} from '#test/support/tested-levels.ts';
import {levelFixture, unreadIds} from './level-fixture.ts';

describe('messages', () => {
  test.each(testedLevels)('level %i: the anchor can be excluded, and messages can be fetched by ids', async (level) => {
    const {api, say} = await levelFixture(level);
    const ids = [await say('1'), await say('2'), await say('3'), await say('4')];
    const idsOf = async (args: Parameters<typeof api.getMessages>[0]) =>
      (await api.getMessages({apply_markdown: false, ...args})).messages.map(({id}) => id);
    expect(await idsOf({anchor: ids[2] ?? 0, num_before: 2, include_anchor: false})).toEqual(ids.slice(0, 2));
    expect(await idsOf({anchor: ids[1] ?? 0, num_after: 5, include_anchor: false})).toEqual(ids.slice(2));
    const requestedIds = [ids[3] ?? 0, ids[0] ?? 0, 999_999, ids[0] ?? 0];
    expect(await idsOf({message_ids: requestedIds})).toEqual([ids[0], ids[3]]);
    expect(await idsOf({message_ids: requestedIds, narrow: [['search', '4']]})).toEqual([ids[3]]);
    expect(await idsOf({message_ids: []})).toEqual([]);
  });

  test.each([122, 270, 271])('level %i: with: finds the conversation of a message', async (level) => {
    const {server, api, say, meg, otto} = await levelFixture(level);
    const ids = [await say('1'), await say('2')];
    const other = await say('3', 'lunch');
    const post = {type: 'private', to: [meg.id], content: 'psst'};
    const direct = (await server.as(otto).post('/messages', post)).id;
    const idsOf = async (narrow: [string, string | number][]) =>
      (await api.getMessages({anchor: 'newest', num_before: 10, narrow})).messages.map(({id}) => id);
    expect(await idsOf([['with', ids[0] ?? 0]])).toEqual(ids);
    expect(await idsOf([['with', direct]])).toEqual([direct]);
    // The message takes precedence over the other terms.
    expect(
      await idsOf([
        ['channel', 'general'],
        ['topic', 'talk'],
        ['with', other],
      ]),
    ).toEqual([other]);
    expect(
      await idsOf([
        ['channel', 'general'],
        ['topic', 'talk'],
        ['with', 999_999],
      ]),
    ).toEqual(ids);
  });

  test.each([122, 444, 509])('level %i: anchor=date finds the first message of a day', async (level) => {
    const {server, api, say} = await levelFixture(level);
    const day = 86_400;
    const start = Date.UTC(2026, 0, 1) / 1000;
    const ids: number[] = [];
    for (let index = 0; index < 12; index++) {
      const id = await say(`m${index}`, index % 3 === 0 ? 'thirds' : 'talk');
      server.context.db.run('UPDATE message SET sent_at = ? WHERE id = ?', start + index * day, id);
      ids.push(id);
    }
    const first = async (date: string, narrow: [string, string][] = []) => {
      const args = {anchor: 'date', anchor_date: date, num_after: 1, narrow, apply_markdown: false} as const;
      return (await api.getMessages(args)).messages[0]?.content;
    };
    expect(await first('2026-01-01')).toBe('m0');
    expect(await first('2020-01-01')).toBe('m0');
    expect(await first('2026-01-05')).toBe('m4');
    expect(await first('2026-01-05T00:00:01')).toBe('m5');
    expect(await first('2026-01-05T01:00:00+02:00')).toBe('m4');
    expect(await first('2026-01-12')).toBe('m11');
    expect(
      await first('2026-01-02', [
        ['channel', 'general'],
        ['topic', 'thirds'],
      ]),
    ).toBe('m3');
    expect(await failureOf(first('someday'))).toMatchObject({kind: 'permanent'});
  });

  test.each([122, 444, 509])('level %i: after: and before: bound what is fetched and flagged', async (level) => {
    const {server, api, say, meg} = await levelFixture(level);
    const start = Date.UTC(2026, 0, 1) / 1000;
    for (let index = 0; index < 12; index++) {
      const id = await say(`m${index}`);
      server.context.db.run('UPDATE message SET sent_at = ? WHERE id = ?', start + index * 60, id);
    }
    const at = (index: number) => start + index * 60;
    const fetch = async (
      narrow: [string, string | number][],
      range: Parameters<typeof api.getMessages>[0],
    ): Promise<[string, boolean | undefined, boolean | undefined, number[]]> => {
      const {messages, found_oldest, found_newest} = await api.getMessages({apply_markdown: false, narrow, ...range});
      return [messages.map(({content}) => content).join(' '), found_oldest, found_newest, messages.map(({id}) => id)];
    };
    const between: [string, string | number][] = [
      ['topic', 'talk'],
      ['after', at(3)],
      ['before', at(8)],
    ];
    const [newest, isOldest, isNewest, ids] = await fetch(between, {anchor: 'newest', num_before: 3, num_after: 0});
    expect([newest, isOldest, isNewest]).toEqual(['m5 m6 m7', false, true]);
    const older = {anchor: ids[0] ?? 0, include_anchor: false, num_before: 10, num_after: 0};
    expect((await fetch(between, older)).slice(0, 3)).toEqual(['m3 m4', true, false]);
    const [oldest, isStart] = await fetch(between, {anchor: 'oldest', num_before: 0, num_after: 3});
    expect([oldest, isStart]).toEqual(['m3 m4 m5 m6', true]);
    const whole = {anchor: 'first_unread', num_before: 50, num_after: 50} as const;
    expect((await fetch(between, whole)).slice(0, 3)).toEqual(['m3 m4 m5 m6 m7', true, true]);
    expect((await fetch([['after', at(10)]], whole))[0]).toBe('m10 m11');
    expect((await fetch([['before', at(2)]], whole))[0]).toBe('m0 m1');
    expect((await fetch([['before', at(100)]], {...whole, anchor: 'newest', num_before: 2, num_after: 0}))[0]).toMatch(
      /m11$/,
    );
    const unread = await unreadIds(server, meg);
    await api.flagNarrow({narrow: between, op: 'add', flag: 'read'});
    const left = new Set(await unreadIds(server, meg));
    expect(unread.filter((id) => !left.has(id))).toHaveLength(5);
  });

  test.each([122, 509])('level %i: moving messages sends no notification by default', async (level) => {
    const {server, owner, channel, say} = await levelFixture(level);
    const api = clientOf(server, owner);
    const message_id = await say('here');
    await say('stays');
    await api.editMessage({message_id, topic: 'moved', send_notification_to_new_thread: false});
    const {messages} = await api.getMessages({
      anchor: 'newest',
      num_before: 10,
      apply_markdown: false,
      narrow: [
        ['channel', channel],
        ['topic', 'talk'],
      ],
    });
    expect(messages.map(({content}) => content)).toEqual(['stays']);
  });

  test.each([122, 235, 236])("level %i: the user's own messages are read", async (level) => {
    const {server, api, meg, channel} = await levelFixture(level);
    await api.sendMessage({type: 'channel', to: channel, topic: 't', content: 'mine'});
    expect(await unreadIds(server, meg)).toEqual([]);
  });
});

describe('reactions', () => {
  test.each([122, 192, 193, 509])(
    'level %i: repeating a reaction is no failure, an unknown emoji is',
    async (level) => {
      const {api, say} = await levelFixture(level);
      const message_id = await say('hi');
      const tada = {message_id, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji'};
      await api.addReaction(tada);
      await api.addReaction(tada);
      await api.removeReaction(tada);
      await api.removeReaction(tada);
      const wrong = {message_id, emoji_name: 'no_such_emoji'};
      expect(await failureOf(api.addReaction(wrong))).toMatchObject({kind: 'permanent'});
      expect(await failureOf(api.addReaction({...tada, message_id: 999_999}))).toMatchObject({
        kind: 'permanent',
      });
    },
  );
});

describe('topics', () => {
  test.each([122, 168, 169, 170, 218, 509])('level %i: a topic can be muted and unmuted, each twice', async (level) => {
    const {server, api, meg, channel, say} = await levelFixture(level);
    await say('x');
    const policies = () =>
      server.context.db.pluck<number>('SELECT policy FROM user_topic WHERE user_id = ? AND policy > 0', meg.id);
    const set = (visibility_policy: number, stream_id = channel) =>
      api.setUserTopic({stream_id, topic: 'Talk', visibility_policy});
    await set(1);
    await set(1);
    expect(policies()).toEqual([1]);
    await set(0);
    await set(0);
    expect(policies()).toEqual([]);
    expect(await failureOf(set(1, 999))).toMatchObject({kind: 'permanent', status: 400});
    const follow = set(3);
    if (level < 219) expect(await failureOf(follow)).toMatchObject({code: 'SERVER_TOO_OLD'});
    else await follow;
    const unmute = set(2);
    if (level < 170) expect(await failureOf(unmute)).toMatchObject({code: 'SERVER_TOO_OLD'});
    else await unmute;
  });

  test.each([122, 214, 215, 509])('level %i: typing notifications arrive', async (level) => {
    const {server, api, otto, channel} = await levelFixture(level);
    const queue = await server.as(otto).listen();
    await api.sendTyping({type: 'channel', op: 'start', stream_id: channel, topic: 'talk'});
    await api.sendTyping({type: 'direct', op: 'start', to: [otto.id]});
    const events = await queue.events();
    expect(events).toMatchObject([
      {type: 'typing', op: 'start', message_type: 'stream', stream_id: channel, topic: 'talk'},
      {type: 'typing', op: 'start'},
    ]);
  });

  test('typing notifications for edits use the former path for ten levels', async () => {
    const requests: string[] = [];
    const site = await httpServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      requests.push(`${request.url} ${body}`);
      response.end(JSON.stringify({result: 'success', msg: ''}));
    });
    const connection = connectTo({site});
    const api = makeApi(connection);
    for (const level of [351, 360, 361]) {
      connection.level = level;
      await api.sendEditTyping({message_id: 5, op: 'start'});
    }
    connection.level = 350;
    expect(await failureOf(api.sendEditTyping({message_id: 5, op: 'start'}))).toMatchObject({
      code: 'SERVER_TOO_OLD',
    });
    expect(requests).toEqual([
      '/api/v1/message_edit_typing message_id=5&op=start',
      '/api/v1/message_edit_typing message_id=5&op=start',
      '/api/v1/messages/5/typing op=start',
    ]);
  });
});
