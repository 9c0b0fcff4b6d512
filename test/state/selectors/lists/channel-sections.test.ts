import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Channel, Subscription} from '#state/model/channel.ts';
import {channelRanks, channelSections} from '#state/selectors/lists/channel-sections.ts';
import type {Folder} from '#state/slices/folders.ts';
import type {AccountState} from '#state/state.ts';
import {arbitraryAccountState} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

type Fields = Partial<Channel> & Partial<Subscription>;

function sidebar(fields: readonly Fields[], slices: Partial<AccountState> = {}): Record<string, string[]> {
  const state = eg.state({
    channels: eg.byId(...fields.map((field, index) => eg.channel({...only(field), id: index + 1}))),
    subscriptions: eg.subscribed(
      ...fields.map(({isMuted = false, pinToTop = false, isSubscribed = true}, index) =>
        eg.subscription({channelId: index + 1, isMuted, pinToTop, isSubscribed}),
      ),
    ),
    ...slices,
  });
  return Object.fromEntries(channelSections(state).map(({title, channels}) => [title, channels.map(({name}) => name)]));
}

function only({isMuted: _m, pinToTop: _p, isSubscribed: _s, ...channel}: Fields): Partial<Channel> {
  return channel;
}

function folder(id: number, name: string, order: number, isArchived = false): Folder {
  return {id, name, description: '', order, isArchived};
}

test('channel sections: pinned, folders in order, others; muted ones last in each', () => {
  const sections = sidebar(
    [
      {name: 'zeta'},
      {name: 'Alpha', isMuted: true},
      {name: 'beta'},
      {name: 'pin b', pinToTop: true},
      {name: 'Pin a', pinToTop: true, folderId: 1},
      {name: 'in one', folderId: 1},
      {name: 'in two', folderId: 2},
      {name: 'in gone', folderId: 3},
      {name: 'left', isSubscribed: false},
      {name: 'archived', isArchived: true},
    ],
    {folders: eg.byId(folder(1, 'Last', 2), folder(2, 'First', 1), folder(3, 'Gone', 0, true))},
  );
  expect(sections).toEqual({
    'Pinned channels': ['Pin a', 'pin b'],
    First: ['in two'],
    Last: ['in one'],
    'Other channels': ['beta', 'in gone', 'zeta', 'Alpha'],
  });
});

test('channel sections: a channel has its color, and whether it is muted, private or public on the web', () => {
  const state = eg.state({
    channels: eg.byId(
      eg.channel({id: 1, name: 'a', isPrivate: true}),
      eg.channel({id: 2, name: 'b', isWebPublic: true}),
      eg.channel({id: 3, name: 'c'}),
    ),
    subscriptions: eg.subscribed(
      eg.subscription({channelId: 1, color: '#aa0000'}),
      eg.subscription({channelId: 2, color: '#00bb00'}),
      eg.subscription({channelId: 3, color: '#0000cc', isMuted: true}),
    ),
  });
  expect(channelSections(state).flatMap(({channels}) => channels)).toEqual([
    {channelId: 1, name: 'a', isMuted: false, isPrivate: true, isWebPublic: false, color: '#aa0000'},
    {channelId: 2, name: 'b', isMuted: false, isPrivate: false, isWebPublic: true, color: '#00bb00'},
    {channelId: 3, name: 'c', isMuted: true, isPrivate: false, isWebPublic: false, color: '#0000cc'},
  ]);
});

test('channel sections: folders are left out when the user disabled them', () => {
  const {settings} = eg.state();
  const sections = sidebar([{name: 'a', folderId: 1}], {
    folders: eg.byId(folder(1, 'One', 1)),
    settings: {...settings, webLeftSidebarShowChannelFolders: false},
  });
  expect(sections).toEqual({Channels: ['a']});
});

test.each([
  ['always', 2, 3, true],
  ['never', 3, 40, false],
  ['automatically, with few channels', 1, 29, false],
  ['automatically, with many', 1, 30, true],
])('channel sections: inactive channels are grouped: %s', (_when, policy, count, moves) => {
  const {settings} = eg.state();
  const fields = Array.from({length: count}, (_, index) => ({
    name: `c${index}`,
    isRecentlyActive: index > 1,
    pinToTop: index === 0,
  }));
  const sections = sidebar(fields, {settings: {...settings, demoteInactiveStreams: policy}});
  expect(sections['Inactive channels']).toEqual(moves ? ['c1'] : undefined);
  expect(sections['Pinned channels']).toEqual(['c0']);
});

test('channel sections: without activity data, weekly traffic decides', () => {
  const {settings} = eg.state();
  const fields = [
    {name: 'new', streamWeeklyTraffic: null},
    {name: 'busy', streamWeeklyTraffic: 4},
    {name: 'dead', streamWeeklyTraffic: 0},
  ];
  const sections = sidebar(fields, {settings: {...settings, demoteInactiveStreams: 2}});
  expect(sections).toEqual({Channels: ['busy', 'new'], 'Inactive channels': ['dead']});
});

test('channel ranks: a channel with a new name has its new place', () => {
  const before = eg.state({
    channels: eg.byId(eg.channel({id: 1, name: 'a'}), eg.channel({id: 2, name: 'b'})),
    subscriptions: eg.subscribed(eg.subscription({channelId: 1}), eg.subscription({channelId: 2})),
  });
  expect([...channelRanks(before).keys()]).toEqual([1, 2]);
  const after = {...before, channels: before.channels.with(1, eg.channel({id: 1, name: 'c'}))};
  expect([...channelRanks(after).keys()]).toEqual([2, 1]);
});

test('channel sections: every subscribed channel appears once', () => {
  fc.assert(
    fc.property(arbitraryAccountState, (state) => {
      const sections = channelSections(state).flatMap(({channels}) => channels.map(({channelId}) => channelId));
      const expected = [...state.subscriptions.values()]
        .filter(({isSubscribed, channelId}) => isSubscribed && state.channels.get(channelId)?.isArchived !== true)
        .map(({channelId}) => channelId);
      expect([...sections].sort()).toEqual(expected.sort());
      expect([...channelRanks(state).keys()]).toEqual(sections);
    }),
  );
});
