import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {channelCardLines} from '#ui/channels/channel-card-lines.ts';

const people = Array.from({length: 12}, (_, at) =>
  eg.user({id: 20 + at, fullName: `Person ${String(at).padStart(2, '0')}`}),
);

function card(slices: Partial<AccountState> = {}, info: Parameters<typeof egFrame>[0] = {}): string {
  const account = eg.state({
    connection: {phase: 'online'},
    users: eg.users(eg.user(), ...people),
    channels: eg.byId(eg.channel({id: 1, name: 'web', folderId: 3})),
    subscriptions: eg.subscribed(eg.subscription({channelId: 1, desktopNotifications: null, pinToTop: true})),
    folders: eg.byId({id: 3, name: 'Work', description: '', isArchived: false, order: 1}),
    settings: {...eg.state().settings, enableStreamDesktopNotifications: true},
    ...slices,
  });
  return channelCardLines(egFrame({account, ...info}), 60, 1)
    .map(lineToText)
    .join('\n');
}

const members = (...ids: readonly number[]) =>
  SortedMap.from([[1, {ids: SortedSet.from(ids), complete: true}] as const]) as AccountState['subscribers'];

test('channel card: of many members the first are named, and the others counted', () => {
  const named = (count: number) => card({subscribers: members(...people.slice(0, count).map(({id}) => id))});
  expect(named(8)).toContain('Person 07');
  expect(named(8)).not.toContain('more');
  expect(named(12).replaceAll(/\s+/g, ' ')).toContain('Person 07, and 4 more');
  expect(named(12)).toMatch(/Subscribers +12/);
});

test('channel card: own settings are those of the channel, or of the account where the channel has none', () => {
  expect(card()).toMatch(/d +\[x\] Desktop notifications +account default/);
  expect(card()).toMatch(/p +\[x\] Pinned to the top *$/m);
  expect(card()).toMatch(/m +\[ \] Muted *$/m);
  expect(card({subscriptions: eg.subscribed()})).not.toContain('Pinned');
});

test('channel card: it has the keys that the user may use', () => {
  expect(card()).toContain('add people');
  expect(card({}, {info: {isReadOnly: true}})).not.toContain('add people');
  expect(card()).toMatch(/S +unsubscribe/);
  expect(card({subscriptions: eg.subscribed()})).toMatch(/S +subscribe/);
  expect(card()).toMatch(/Folder +Work/);
  const hidden = eg.byId(eg.channel({id: 1, name: 'web', isPrivate: true}));
  expect(card({channels: hidden, subscriptions: eg.subscribed()})).not.toMatch(/S +subscribe/);
});
