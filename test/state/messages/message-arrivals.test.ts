import {expect, test} from 'vitest';
import {withArrivedMessage, withAwaitedMessages} from '#state/messages/loaded-messages.ts';
import type {MessageArrivals} from '#state/slices/messages.ts';
import {SortedSet} from '#std/sorted-map.ts';

function arrivals(newest: number, ...awaited: number[]): MessageArrivals {
  return {newest, awaited: SortedSet.from(awaited)};
}

function plain({newest, awaited}: MessageArrivals) {
  return {newest, awaited: awaited.toArray()};
}

test('arrivals: an awaited message is awaited until its event arrives', () => {
  const waiting = withAwaitedMessages(arrivals(200), [150, 205]);
  expect(plain(waiting)).toEqual({newest: 200, awaited: [150, 205]});
  expect(plain(withArrivedMessage(waiting, 150))).toEqual({newest: 200, awaited: [205]});
  expect(plain(withArrivedMessage(waiting, 205))).toEqual({newest: 205, awaited: [150]});
});

test('arrivals: events arrive at most a hundred messages late, so older messages are not awaited', () => {
  const [late, tooLate] = [101, 100];
  const before = arrivals(200);
  expect(withAwaitedMessages(before, [tooLate])).toBe(before);
  expect(plain(withAwaitedMessages(before, [tooLate, late]))).toEqual({newest: 200, awaited: [late]});
  expect(plain(withArrivedMessage(arrivals(200, 101, 102), 201))).toEqual({newest: 201, awaited: [102]});
});

test('arrivals: what changes nothing returns the same object', () => {
  const before = arrivals(200, 150);
  expect(withAwaitedMessages(before, [150])).toBe(before);
  expect(withArrivedMessage(before, 199)).toBe(before);
});
