import {describe, expect, test} from 'vitest';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {applyRawEvents} from './apply-raw-events.ts';

/** Returns a state in which user 11 is in a group and subscribes to channels 1 (complete list) and 2 (partial list). */
function withPerson(slices: Partial<AccountState> = {}): AccountState {
  return eg.state({
    users: eg.users(eg.user(), eg.user({id: 11})),
    groups: eg.byId(eg.group({members: SortedSet.from([10, 11])}), eg.group({id: 2})),
    channels: eg.byId(eg.channel({subscriberCount: 2}), eg.channel({id: 2, subscriberCount: 300})),
    subscribers: SortedMap.from([
      [1, {ids: SortedSet.from([10, 11]), complete: true}],
      [2, {ids: SortedSet.from([10, 11]), complete: false}],
    ]),
    statuses: SortedMap.from([[11, {statusText: 'out'}]]),
    presences: {...eg.state().presences, byUser: SortedMap.from([[11, {activeAt: 5, idleAt: 5}]])},
    ...slices,
  });
}

const update = (person: object) => ({type: 'realm_user', op: 'update', person: {user_id: 11, ...person}});
const atLevel = (level: number) => withPerson({server: eg.server(level)});

describe('a user', () => {
  test.each([
    [{full_name: 'New'}, {fullName: 'New'}],
    [{role: 200}, {role: 200}],
    [{delivery_email: null}, {deliveryEmail: undefined}],
    [{new_email: 'n@example.com'}, {email: 'n@example.com'}],
    [
      {timezone: 'Europe/Lisbon', email: 'n@example.com'},
      {timezone: 'Europe/Lisbon', email: 'n@example.com'},
    ],
    [{bot_owner_id: 10}, {botOwnerId: 10}],
    [{is_imported_stub: true}, {isImportedStub: true}],
    [{date_joined: '2026-01-01T00:00:00+00:00'}, {dateJoined: '2026-01-01T00:00:00+00:00'}],
    [
      {custom_profile_field: {id: 3, value: 'x', rendered_value: '<p>x</p>'}},
      {profile: {'3': {value: 'x', renderedValue: '<p>x</p>'}}},
    ],
    [{avatar_url: 'https://a.example', avatar_version: 2}, {}],
  ])('changes: %o', (change, expected) => {
    expect(applyRawEvents(withPerson(), update(change)).users.get(11)).toEqual({
      ...eg.user({id: 11}),
      ...expected,
    });
  });

  test('clears a profile value', () => {
    const set = applyRawEvents(withPerson(), update({custom_profile_field: {id: 3, value: 'x'}}));
    expect(applyRawEvents(set, update({custom_profile_field: {id: 3, value: null}})).users.get(11)?.profile).toEqual(
      {},
    );
  });

  test('loses the values of fields that are removed from the organization, several at once', () => {
    const value = (id: number) => update({custom_profile_field: {id, value: `value ${id}`}});
    const field = (id: number) => ({id, type: 1, name: `field ${id}`, hint: '', order: id, field_data: ''});
    const fields = (...ids: readonly number[]) => ({type: 'custom_profile_fields', fields: ids.map(field)});
    const profile = (...ids: readonly number[]) => {
      const set = applyRawEvents(withPerson(), fields(3, 4, 5), value(3), value(4), value(5));
      return Object.keys(applyRawEvents(set, fields(...ids)).users.get(11)?.profile ?? {});
    };
    expect([profile(3, 4, 5), profile(4), profile()]).toEqual([['3', '4', '5'], ['4'], []]);
  });

  test('who is unknown is not changed', () => {
    const state = eg.state();
    expect(applyRawEvents(state, update({full_name: 'New'}), update({is_active: false}))).toBe(state);
  });
});

describe('deactivation', () => {
  test.each([
    ['as an update', atLevel(509), update({is_active: false})],
    ['as a removal below level 222', atLevel(221), {type: 'realm_user', op: 'remove', person: {user_id: 11}}],
  ])('%s: the user leaves groups and lists, but stays known', (_name, before, event) => {
    const after = applyRawEvents(before, event);
    expect(after.users.get(11)?.isActive).toBe(false);
    expect(after.groups.get(1)?.members.toArray()).toEqual([10]);
    expect(after.subscribers.get(1)?.ids.toArray()).toEqual([10]);
    expect(after.channels.get(1)?.subscriberCount).toBe(1);
  });

  test('of somebody in several groups takes them out of all', () => {
    const members = SortedSet.from<number>([10, 11]);
    const groups = eg.byId(...[1, 2, 3].map((id) => eg.group({id, members})));
    const after = applyRawEvents(withPerson({groups}), update({is_active: false}));
    expect([...after.groups.values()].map((group) => group.members.toArray())).toEqual([[10], [10], [10]]);
  });

  test.each(['before', 'after'])('that is also reported channel by channel, %s, is counted once', (order) => {
    const peers = {type: 'subscription', op: 'peer_remove', stream_ids: [1], user_ids: [11]};
    const inactive = update({is_active: false});
    const after = applyRawEvents(withPerson(), ...(order === 'before' ? [peers, inactive] : [inactive, peers]));
    expect(after.channels.get(1)?.subscriberCount).toBe(1);
  });

  test('leaves partial lists to the events of each channel', () => {
    const inactive = applyRawEvents(withPerson(), update({is_active: false}));
    expect(inactive.channels.get(2)?.subscriberCount).toBe(300);
  });

  test('undone below level 222: missing fields of the record stay known', () => {
    const {delivery_email: _hidden, ...person} = eg.wireUser({user_id: 11});
    const after = applyRawEvents(
      atLevel(122),
      {type: 'realm_user', op: 'remove', person: {user_id: 11}},
      {type: 'realm_user', op: 'add', person},
    );
    expect(after.users.get(11)).toEqual(eg.user({id: 11}));
  });
});

test('a user who becomes invisible to a guest is removed', () => {
  const after = applyRawEvents(withPerson(), {
    type: 'realm_user',
    op: 'remove',
    person: {user_id: 11, full_name: 'x'},
  });
  expect(after.users.has(11)).toBe(false);
  expect(after.statuses.has(11)).toBe(false);
  expect(after.presences.byUser.has(11)).toBe(false);
});

describe('presence', () => {
  test('keeps the newest time of each kind', () => {
    const after = applyRawEvents(withPerson(), {
      type: 'presence',
      presences: {'11': {active_timestamp: 3, idle_timestamp: 9}},
    });
    expect(after.presences.byUser.get(11)).toEqual({activeAt: 5, idleAt: 9});
  });

  test('that is older than the known one changes nothing', () => {
    const state = withPerson();
    expect(applyRawEvents(state, {type: 'presence', presences: {'11': {active_timestamp: 3, idle_timestamp: 3}}})).toBe(
      state,
    );
  });

  test('arrives in the older form', () => {
    const report = {client: 'website', status: 'active', timestamp: 9, pushable: false};
    const event = {
      type: 'presence',
      user_id: 12,
      email: 'x',
      server_timestamp: 9.5,
      presence: {website: report},
    };
    expect(applyRawEvents(withPerson(), event).presences.byUser.get(12)).toEqual({activeAt: 9, idleAt: 9});
  });
});

describe('status', () => {
  const status = (fields: object) => ({type: 'user_status', user_id: 11, ...fields});

  test('changes partially', () => {
    const emoji = {emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji'};
    expect(applyRawEvents(withPerson(), status(emoji)).statuses.get(11)).toEqual({
      statusText: 'out',
      emojiName: 'car',
      emojiCode: '1f697',
      reactionType: 'unicode_emoji',
    });
  });

  test('is removed when all fields are empty', () => {
    const none = {status_text: '', emoji_name: '', emoji_code: '', reaction_type: ''};
    expect(applyRawEvents(withPerson(), status(none)).statuses.size).toBe(0);
  });

  test('of older servers may be away', () => {
    expect(applyRawEvents(eg.state(), status({away: true})).statuses.get(11)).toEqual({away: true});
    expect(applyRawEvents(eg.state(), status({away: true}), status({away: false})).statuses.size).toBe(0);
  });
});

describe('a group', () => {
  const change = (op: string, fields: object) => ({type: 'user_group', op, group_id: 1, ...fields});

  test('is added, changed and removed', () => {
    const group = {
      id: 3,
      name: 'crew',
      description: '',
      members: [11],
      is_system_group: false,
      direct_subgroup_ids: [1],
    };
    const added = applyRawEvents(withPerson(), {type: 'user_group', op: 'add', group});
    expect(added.groups.get(3)).toMatchObject({name: 'crew', isDeactivated: false});
    const changed = applyRawEvents(added, {
      type: 'user_group',
      op: 'update',
      group_id: 3,
      data: {name: 'deck', deactivated: true},
    });
    expect(changed.groups.get(3)).toMatchObject({name: 'deck', isDeactivated: true});
    expect(changed.groups.get(3)?.members.toArray()).toEqual([11]);
    expect(applyRawEvents(changed, {type: 'user_group', op: 'remove', group_id: 3}).groups.has(3)).toBe(false);
  });

  test('gains and loses members and subgroups', () => {
    const after = applyRawEvents(
      withPerson(),
      change('add_members', {user_ids: [12]}),
      change('remove_members', {user_ids: [10, 99]}),
      change('add_subgroups', {direct_subgroup_ids: [2, 3]}),
      change('remove_subgroups', {direct_subgroup_ids: [3]}),
    );
    expect(after.groups.get(1)?.members.toArray()).toEqual([11, 12]);
    expect(after.groups.get(1)?.subgroupIds.toArray()).toEqual([2]);
  });

  test('gains no deactivated members: a server counts them when they become full members', () => {
    const after = applyRawEvents(
      withPerson(),
      {type: 'realm_user', op: 'update', person: {user_id: 11, is_active: false}},
      change('add_members', {user_ids: [11, 12]}),
    );
    expect(after.groups.get(1)?.members.toArray()).toEqual([10, 12]);
  });

  test('that is unknown is not changed', () => {
    const state = eg.state();
    const events = [change('add_members', {user_ids: [1]}), change('update', {data: {name: 'x'}})];
    expect(applyRawEvents(state, ...events)).toBe(state);
  });
});

test('bots: added, changed and removed', () => {
  const bot = {user_id: 12, default_sending_stream: null, api_key: 'secret'};
  const added = applyRawEvents(eg.state(), {type: 'realm_bot', op: 'add', bot});
  expect(added.bots.get(12)).toEqual({userId: 12, defaultSendingStream: null});
  const changed = applyRawEvents(added, {
    type: 'realm_bot',
    op: 'update',
    bot: {user_id: 12, default_sending_stream: 'x'},
  });
  expect(changed.bots.get(12)).toEqual({userId: 12, defaultSendingStream: 'x'});
  for (const op of ['delete', 'remove']) {
    expect(applyRawEvents(changed, {type: 'realm_bot', op, bot: {user_id: 12, full_name: 'x'}}).bots.size).toBe(0);
  }
});

test('muted users: replaced', () => {
  const event = (...ids: number[]) => ({
    type: 'muted_users',
    muted_users: ids.map((id) => ({id, timestamp: id})),
  });
  expect([...applyRawEvents(eg.state(), event(12, 11), event(11)).mutedUsers.keys()]).toEqual([11]);
});
