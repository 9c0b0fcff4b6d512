import {describe, expect, test} from 'vitest';
import {exampleEvents} from '#test/wire/event-examples.ts';
import {decodeTolerantly} from '#wire/decode-tolerantly.ts';
import {decodeEvent} from '#wire/events.ts';
import {byId, int, ints, nat, nullableInt, object, type Schema, s, wholeArray} from '#wire/schema.ts';

/** Decodes a value and returns the result with the paths of what was dropped. */
function read(schema: Schema, value: unknown): {value?: unknown; left?: string[]; reason?: string} {
  const decoded = decodeTolerantly(schema, value);
  if (!decoded.ok) return {reason: decoded.reason};
  return {value: decoded.value, left: decoded.odd.recorded.map(({path}) => path)};
}

const record = object({id: int, name: s.string()}, {age: nat, boss: nullableInt, tags: s.array(s.string())});

describe('tolerant decoding: an invalid value', () => {
  test('drops the list element or table entry that requires it', () => {
    const good = {id: 1, name: 'a'};
    const list = [good, {id: 2}, null, 'x', {id: 3, name: null}, {id: 4, name: 'd'}];
    expect(read(s.array(record), list)).toEqual({
      value: [good, {id: 4, name: 'd'}],
      left: ['[1].name', '[2]', '[3]', '[4].name'],
    });
    expect(read(byId(record), {'1': good, '2': [], '3': {}})).toEqual({
      value: {'1': good},
      left: ['2', '3.id'],
    });
  });

  test('is dropped alone if it is optional, at any depth', () => {
    const odd = {id: 1, name: 'a', age: -1, boss: 'x', tags: ['b', null, 'c'], other: null};
    expect(read(object({}, {inner: record}), {inner: odd})).toEqual({
      value: {inner: {id: 1, name: 'a', tags: ['b', 'c'], other: null}},
      left: ['inner.age', 'inner.boss', 'inner.tags[1]'],
    });
  });

  test('drops its parents up to the nearest optional one', () => {
    expect(read(object({inner: record}), {inner: {id: 'x', name: 'a'}})).toEqual({
      reason: 'inner.id: expected a whole number, got a string',
    });
    expect(read(object({}, {inner: record}), {inner: {id: 1}})).toEqual({value: {}, left: ['inner.name']});
    expect(read(record, undefined)).toEqual({reason: 'expected an object, got nothing'});
  });

  test('is counted, with the paths of the first twenty', () => {
    const decoded = decodeTolerantly(
      s.array(record),
      Array.from({length: 500}, () => ({})),
    );
    expect(decoded.odd.count).toBe(500);
    expect(decoded.odd.recorded).toHaveLength(20);
  });
});

describe('tolerant decoding: a convertible value', () => {
  test('null counts as missing if null is not allowed', () => {
    const decoded = read(record, {id: 1, name: 'a', age: null, boss: null});
    expect(decoded).toEqual({value: {id: 1, name: 'a', boss: null}, left: []});
  });

  test('numbers are read from text, and integers from fractions', () => {
    expect(read(record, {id: '7', name: 12, age: 3.9})).toEqual({
      value: {id: 7, name: '12', age: 3},
      left: [],
    });
    expect(read(int, 1e300)).toMatchObject({reason: expect.any(String)});
    expect(read(int, '1e3')).toMatchObject({reason: expect.any(String)});
  });

  test('of several variants the one that fits best is used', () => {
    const either = s.union([ints, s.array(record)]);
    expect(read(either, [1, 2])).toEqual({value: [1, 2], left: []});
    expect(read(either, [{id: 1, name: 'a'}, {id: 2}])).toEqual({
      value: [{id: 1, name: 'a'}],
      left: ['[1].name'],
    });
    expect(read(either, 'x')).toMatchObject({reason: expect.any(String)});
  });

  test('a tuple is kept only as a whole', () => {
    expect(read(wholeArray(int), [1, 2])).toEqual({value: [1, 2], left: []});
    expect(read(wholeArray(int), [1, null])).toMatchObject({reason: expect.any(String)});
  });

  test('the key __proto__ is ignored', () => {
    const decoded = read(record, JSON.parse('{"id": 1, "name": "a", "__proto__": {"evil": true}}'));
    expect(Object.keys(decoded.value as object)).toEqual(['id', 'name']);
    expect(Reflect.get(decoded.value as object, 'evil')).toBeUndefined();
  });
});

test.each(exampleEvents.map((event) => [`${event.type} ${event.op ?? ''}`, event] as const))(
  'tolerant decoding: valid events are decoded without loss: %s',
  (_name, event) => {
    const decoded = decodeEvent(event, (oddity) => expect.fail(JSON.stringify(oddity)));
    if (decoded.type !== 'video_token') expect(decoded).toEqual(event);
  },
);
