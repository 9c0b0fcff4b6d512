import {expect, test} from 'vitest';
import type {KeyValueStore} from '#state/account-store.ts';
import {beginRules, claimMessages, endRules, unhandled} from '#state/rules/rule-claims.ts';
import {openTestStore} from '#test/storage/storage-fixture.ts';

const key = 'rules.handled';

function keyValues(handled?: string): KeyValueStore {
  const {store} = openTestStore(':memory:');
  if (handled !== undefined) store.keyValues.set(key, handled);
  return store.keyValues;
}

function idsFrom(first: number, count: number): number[] {
  return Array.from({length: count}, (_, at) => first + at);
}

test('rules: they begin with the messages after the newest one, and a second beginning changes nothing', () => {
  const store = keyValues();
  expect(claimMessages(store, [11])).toEqual([]);
  expect(unhandled(store, [11])).toEqual([]);
  beginRules(store, 10);
  beginRules(store, 99);
  expect(unhandled(store, [9, 10, 11])).toEqual([11]);
});

test('rules: a message is claimed once, also when messages arrive in another order', () => {
  const store = keyValues();
  beginRules(store, 10);
  expect(claimMessages(store, [15, 12])).toEqual([15, 12]);
  expect(unhandled(store, [11, 12, 13, 15, 16])).toEqual([11, 13, 16]);
  expect(claimMessages(store, [9, 11, 12, 15])).toEqual([11]);
});

test('rules: with a last message, nothing up to it is handled later, and what comes after it is remembered', () => {
  const store = keyValues();
  beginRules(store, 10);
  expect(claimMessages(store, [12, 14, 17], 14)).toEqual([12, 14, 17]);
  expect(JSON.parse(store.get(key) ?? '')).toEqual({floor: 14, later: [17]});
  expect(unhandled(store, [13, 14, 15, 17])).toEqual([15]);
  // An earlier last message does not bring handled ones back.
  claimMessages(store, [], 5);
  expect(unhandled(store, [6, 13])).toEqual([]);
});

test('rules: only 500 messages are remembered one by one; what is older than them counts as handled', () => {
  const store = keyValues();
  beginRules(store, 0);
  claimMessages(store, idsFrom(1002, 500).reverse());
  expect(unhandled(store, [1000, 1002])).toEqual([1000]);
  claimMessages(store, [1600, 9]);
  const {floor, later} = JSON.parse(store.get(key) ?? '');
  expect([floor, later.length, later[0], later.at(-1)]).toEqual([1002, 500, 1003, 1600]);
  expect(unhandled(store, [1001, 1003, 1601])).toEqual([1601]);
});

test('rules: of two programs that claim a message at the same time, one acts', () => {
  const store = keyValues();
  beginRules(store, 10);
  // The other program claims after this one has read.
  let claims = 0;
  const late: KeyValueStore = Object.assign(Object.create(store), {
    replace(name: string, before: string | undefined, json: string) {
      claims += 1;
      if (claims === 1) expect(claimMessages(store, [11])).toEqual([11]);
      return store.replace(name, before, json);
    },
    get: (name: string) => store.get(name),
  });
  expect(claimMessages(late, [11, 12])).toEqual([12]);
  expect(claims).toBe(2);
});

test('rules: after their end, they begin anew', () => {
  const store = keyValues();
  endRules(store);
  beginRules(store, 10);
  endRules(store);
  expect(claimMessages(store, [20])).toEqual([]);
  beginRules(store, 30);
  expect(unhandled(store, [20, 31])).toEqual([31]);
});

const damaged = ['{', 'null', '7', '{"later":[]}', '{"floor":"1","later":[]}', '{"floor":1}', '{"floor":1,"later":5}'];

test.each(damaged)('rules: from the damaged value %s they begin anew', (value) => {
  const store = keyValues(value);
  expect(unhandled(store, [5])).toEqual([]);
  beginRules(store, 3);
  expect(unhandled(store, [2, 5])).toEqual([5]);
});

test('rules: an id that is no number is not remembered', () => {
  const store = keyValues('{"floor":1,"later":["5",6,null]}');
  expect(unhandled(store, [5, 6, 7])).toEqual([5, 7]);
  claimMessages(store, [7]);
  expect(JSON.parse(store.get(key) ?? '')).toEqual({floor: 1, later: [6, 7]});
});
