import {expect, test} from 'vitest';
import {mergedAction} from '#state/pending-changes/pending-change.ts';

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
