import {expect, test} from 'vitest';
import {OptimisticOverlay} from '#state/pending-changes/optimistic-overlay.ts';
import {mergedAction} from '#state/pending-changes/pending-change-sender.ts';
import {fakeApiFixture} from '#test/state/fake-api-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;

const read = (from: number, to: number, op: 'add' | 'remove' = 'add') => ({
  kind: 'flags' as const,
  flag: 'read' as const,
  op,
  ids: Array.from({length: to - from}, (_, index) => from + index),
});

test('pending changes: equal changes of flags go in one request, each message once, up to a thousand', () => {
  expect(mergedAction(read(0, 600), read(500, 1000))).toEqual(read(0, 1000));
  expect(mergedAction(read(0, 600), read(500, 1001))).toBeUndefined();
});

test('pending changes: different changes are not merged', () => {
  expect(mergedAction(read(0, 2), read(2, 3, 'remove'))).toBeUndefined();
  expect(mergedAction(read(0, 2), {...read(2, 3), flag: 'starred'})).toBeUndefined();
  const mute = {kind: 'topicPolicy', channelId: 1, topic: 'a', policy: 1} as never;
  expect(mergedAction(read(0, 2), mute)).toBeUndefined();
  expect(mergedAction(mute, mute)).toBeUndefined();
});

test('pending changes: one that cannot be shown is logged, and the others are shown', () => {
  const {context, cache} = fakeApiFixture();
  const logged: string[] = [];
  const overlay = new OptimisticOverlay({...context, log: (line) => void logged.push(line)});
  const damaged = {...read(0, 2), ids: undefined} as never;
  overlay.add({id: 1, action: damaged, inverse: damaged, body: ''});
  const star = {...read(0, 2), flag: 'starred' as const};
  overlay.add({id: 2, action: star, inverse: {...star, op: 'remove'}, body: ''});
  expect(logged).toEqual(['An action (flags) could not be shown']);
  expect(cache.state.starred.toArray()).toEqual([0, 1]);
});

test('pending changes: a change is shown no longer when its event and a later one that takes it back arrive together', () => {
  const {context, cache} = fakeApiFixture();
  const overlay = new OptimisticOverlay(context);
  const star = {...read(7, 8), flag: 'starred' as const};
  const record = {id: 1, action: star, inverse: {...star, op: 'remove' as const}, body: ''};
  overlay.add(record);
  overlay.markSent([record]);
  const flags = {type: 'update_message_flags', flag: 'starred', all: false} as const;
  cache.apply({...flags, id: 1, op: 'add', messages: [7]}, {...flags, id: 2, op: 'remove', messages: [7]});
  overlay.recheckConfirmed();
  expect(cache.state.starred.toArray()).toEqual([7]);
  overlay.done([record]);
  expect(cache.state.starred.toArray()).toEqual([]);
});

test('pending changes: one whose event never arrives is shown for ten seconds after its response, and no other with it', () => {
  const {context, cache, clock} = fakeApiFixture();
  const overlay = new OptimisticOverlay(context);
  const star = (id: number) => {
    const action = {...read(id, id + 1), flag: 'starred' as const};
    return {id, action, inverse: {...action, op: 'remove' as const}, body: ''};
  };
  const starred = () => cache.state.starred.toArray();
  const [first, second, unsent] = [star(7), star(8), star(9)];
  for (const record of [first, second, unsent]) overlay.add(record);
  overlay.done([first]);
  clock.advance(6000);
  overlay.done([second]);
  clock.advance(3999);
  expect(starred()).toEqual([7, 8, 9]);
  clock.advance(1);
  expect(starred()).toEqual([8, 9]);
  // Offline, the event may still come.
  cache.apply({type: 'connection_changed', connection: offline});
  clock.advance(10_000);
  expect(starred()).toEqual([8, 9]);
  cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  clock.advance(10_000);
  expect(starred()).toEqual([9]);
});

test('pending changes: messages marked unread again are shown in their conversation, one by one and together', () => {
  const {context, cache} = fakeApiFixture({
    channels: eg.byId(eg.channel()),
    subscriptions: eg.subscribed(eg.subscription()),
  });
  const overlay = new OptimisticOverlay(context);
  const unread = (id: number) => {
    const places = [{conversation: {kind: 'topic' as const, channelId: 1, topic: 'talk'}, ids: [id], mentions: []}];
    const action = {...read(id, id + 1, 'remove'), places};
    return {id, action, inverse: read(id, id + 1), body: ''};
  };
  const unreadIds = () => [...cache.state.unreads.byId.keys()];
  // The first one says nothing about its place.
  const records = [{...unread(6), action: read(6, 7, 'remove')}, unread(5), unread(7)];
  for (const record of records) overlay.add(record);
  const before = unreadIds();
  // All are shown again, merged.
  overlay.refused([unread(99)]);
  expect(unreadIds()).toEqual(before);
  overlay.refused([unread(7)]);
  expect(unreadIds()).toEqual([5]);
});
