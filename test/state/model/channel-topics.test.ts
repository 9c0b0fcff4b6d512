import fc from 'fast-check';
import {expect, test} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import type {ChannelTopics} from '#state/model/channel-topics.ts';
import {topicKey} from '#state/model/conversation.ts';
import {sliceFromText, sliceToBytes} from '#state/persistence/saved-slices.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';

function topicsOf(names: readonly string[], complete: boolean, completeUntil?: number): ChannelTopics {
  const topics = names.map((name, at) => ({name, maxId: at + 1}));
  return {byKey: SortedMap.by(topics, ({name}) => topicKey(name)), complete, completeUntil};
}

function plain(topics: SortedMap<number, ChannelTopics> | undefined) {
  return [...(topics ?? [])].map(([id, {byKey, complete, completeUntil}]) => [id, [...byKey], complete, completeUntil]);
}

const names = fc.array(fc.oneof(fc.string(), fc.constantFrom('', 'Lunch', 'lunch', 'a\u2028b', '2 1 []', '✔ \n')));

test('saved topics: reading what was written returns the same, before and after a change', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(names, fc.constantFrom<'complete' | number | undefined>('complete', undefined, 0, 1.5, 1.7e12)),
      ),
      (lists) => {
        const topics = SortedMap.from(
          lists.map(([list, until], at) => {
            return [at + 1, until === 'complete' ? topicsOf(list, true) : topicsOf(list, false, until)] as const;
          }),
        );
        const read = sliceFromText('topics', Buffer.from(sliceToBytes('topics', topics)).toString());
        const again = sliceFromText('topics', Buffer.from(sliceToBytes('topics', read ?? topics)).toString());
        expect(plain(read)).toEqual(plain(topics));
        expect(plain(again)).toEqual(plain(topics));
      },
    ),
  );
});

test('saved topics: damaged text is not used', () => {
  expect(sliceFromText('topics', '1 complete ["a",1]\n2 x []')).toBeUndefined();
});

test('topics: a new registration keeps those of subscribed channels, with the time until which they were complete', () => {
  const saved = SortedMap.from([1, 2, 3].map((id) => [id, topicsOf(['plants'], true)] as const));
  const topics = sliceFromText('topics', Buffer.from(sliceToBytes('topics', saved)).toString()) ?? saved;
  const channels = eg.byId(eg.channel({id: 1}), eg.channel({id: 2}));
  const subscriptions = eg.subscribed(eg.subscription({channelId: 1}));
  const before = eg.state({topics, channels, subscriptions});
  const after = applyEvent(before, {
    type: 'state_replaced',
    state: eg.state({channels, subscriptions}),
    knownUntil: 1000,
  });
  expect(plain(after.topics)).toEqual([[1, [['plants', {name: 'plants', maxId: 1}]], false, 1000]]);
});
