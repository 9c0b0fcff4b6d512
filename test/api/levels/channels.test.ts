import {describe, expect, test} from 'vitest';
import {clientOf, failureOf} from '#test/api/client.ts';
import type {Person} from '#test/support/people.ts';
import {testedLevels} from '#test/support/tested-levels.ts';
import {levelFixture} from './level-fixture.ts';

describe('channels', () => {
  test.each([122, 288, 416, 417, 509])(
    'level %i: a channel is created once; creating it again fails',
    async (level) => {
      const {server, api, meg, otto} = await levelFixture(level);
      const channel = {name: 'fresh', description: 'new', subscribers: [meg.id, otto.id], invite_only: true};
      const {id} = await api.createChannel(channel);
      expect(await api.getSubscribers({stream_id: id})).toMatchObject({subscribers: [meg.id, otto.id]});
      const {streams} = await api.getChannels();
      expect(streams.find(({stream_id}) => stream_id === id)).toMatchObject({
        name: 'fresh',
        description: 'new',
        invite_only: true,
      });
      expect(await failureOf(api.createChannel(channel))).toMatchObject({
        kind: 'permanent',
        status: 409,
        code: 'CHANNEL_ALREADY_EXISTS',
        carriedOut: 'no',
      });
      expect(server.context.db.value('SELECT COUNT(*) FROM channel')).toBe(2);
    },
  );

  test.each([122, 288, 289, 509])('level %i: the subscribed users are returned by id', async (level) => {
    const {api, meg, otto} = await levelFixture(level);
    const names = (people: Person[]) => Object.fromEntries(people.map(({id}) => [id, ['club']]));
    const club = {subscriptions: [{name: 'club'}]};
    expect(await api.subscribe({...club, principals: [meg.id, otto.id]})).toMatchObject({
      subscribed: names([meg, otto]),
      already_subscribed: {},
    });
    expect(await api.subscribe(club)).toMatchObject({subscribed: {}, already_subscribed: names([meg])});
  });

  test('level 225: a channel has an e-mail address; level 226: the server refuses to name one', async () => {
    const before = await levelFixture(225);
    expect((await before.api.getChannelEmail({stream_id: before.channel})).email).toContain('@');
    const {api, channel} = await levelFixture(226);
    expect(await failureOf(api.getChannelEmail({stream_id: channel}))).toMatchObject({
      message: 'This server receives no e-mail, so its channels have no e-mail addresses.',
    });
  });
});

describe('users', () => {
  test.each([122, 383, 384])('level %i: a few or many users are fetched by id', async (level) => {
    const {api, server, meg, otto} = await levelFixture(level);
    const idsOf = async (user_ids: number[]) =>
      (await api.getUsers({user_ids})).members.map(({user_id}) => user_id).sort((a, b) => a - b);
    expect(await idsOf([otto.id, meg.id, 999_999, meg.id])).toEqual([meg.id, otto.id]);
    const manyIds = Array.from({length: 60}, (_, index) => server.people.member(`Person ${index}`).id);
    expect(await idsOf(manyIds)).toEqual(manyIds);
    expect((await api.getUsers()).members.length).toBeGreaterThan(manyIds.length);
  });

  test.each([122, 312, 313])('level %i: a user is updated by e-mail', async (level) => {
    const {server, owner, meg} = await levelFixture(level);
    const api = clientOf(server, owner);
    await api.updateUserByEmail({email: meg.email, full_name: 'Meg Renamed'});
    expect((await api.getUser({user_id: meg.id})).user.full_name).toBe('Meg Renamed');
  });

  test.each(testedLevels)('level %i: presence has the current format', async (level) => {
    const {server, api, meg, otto} = await levelFixture(level);
    await clientOf(server, otto).updatePresence({status: 'active', new_user_input: true});
    const update = await api.updatePresence({status: 'active', last_update_id: -1, new_user_input: true});
    expect(Object.keys(update.presences).sort()).toEqual([String(meg.id), String(otto.id)].sort());
    expect(update.presences[String(otto.id)]).toEqual({
      active_timestamp: expect.any(Number),
      idle_timestamp: expect.any(Number),
    });
    expect(update.server_timestamp).toEqual(expect.any(Number));
    const ping = {status: 'idle', last_update_id: 17, ping_only: true} as const;
    expect((await api.updatePresence(ping)).presence_last_update_id).toBe(17);
  });

  test.each([147, 148])('level %i: invisible mode can be set together with other settings', async (level) => {
    const {server, api, meg} = await levelFixture(level);
    await api.updateSettings({presence_enabled: false, enter_sends: true});
    const state = await server.as(meg).listen({fetch_event_types: ['user_settings', 'user_status']});
    expect(state.state.user_settings.enter_sends).toBe(true);
    const row = server.context.db.get<{settings: string}>('SELECT settings FROM user WHERE id = ?', meg.id);
    expect(JSON.parse(row?.settings ?? '{}')).toMatchObject({presence_enabled: false});
  });
});
