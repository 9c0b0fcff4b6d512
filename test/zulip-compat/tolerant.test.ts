import {describe, expect, test} from 'vitest';
import {exampleEvents} from '#test/wire/event-examples.ts';
import {decodeTolerantly} from '#wire/decode-tolerantly.ts';
import {decodeEvent} from '#wire/events.ts';
import {byId, int, ints, nat, nullableInt, object, type Schema, s, wholeArray} from '#wire/schema.ts';

/** What is made of it, and where something was left out. */
function read(schema: Schema, value: unknown): {value?: unknown; left?: string[]; reason?: string} {
  const told = decodeTolerantly(schema, value);
  if (!told.ok) return {reason: told.reason};
  return {value: told.value, left: told.issues.recorded.map(({path}) => path)};
}

const record = object({id: int, name: s.string()}, {age: nat, boss: nullableInt, tags: s.array(s.string())});

describe('what does not fit', () => {
  test('is left out with the element of a list or the entry of a table that needs it', () => {
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

  test('is left out alone where nobody needs it, however deep', () => {
    const odd = {id: 1, name: 'a', age: -1, boss: 'x', tags: ['b', null, 'c'], other: null};
    expect(read(object({}, {inner: record}), {inner: odd})).toEqual({
      value: {inner: {id: 1, name: 'a', tags: ['b', 'c'], other: null}},
      left: ['inner.age', 'inner.boss', 'inner.tags[1]'],
    });
  });

  test('takes with it what cannot be without, up to where that can be left out', () => {
    expect(read(object({inner: record}), {inner: {id: 'x', name: 'a'}})).toEqual({
      reason: 'inner.id: expected a whole number, got a string',
    });
    expect(read(object({}, {inner: record}), {inner: {id: 1}})).toEqual({value: {}, left: ['inner.name']});
    expect(read(record, undefined)).toEqual({reason: 'expected an object, got nothing'});
  });

  test('is told of where it is, the first of many', () => {
    const told = decodeTolerantly(
      s.array(record),
      Array.from({length: 500}, () => ({})),
    );
    expect(told.issues.count).toBe(500);
    expect(told.issues.recorded).toHaveLength(20);
  });
});

describe('what can be taken for something', () => {
  test('null is nothing where there is no null', () => {
    const told = read(record, {id: 1, name: 'a', age: null, boss: null});
    expect(told).toEqual({value: {id: 1, name: 'a', boss: null}, left: []});
  });

  test('numbers and their text, and fractions of whole numbers', () => {
    expect(read(record, {id: '7', name: 12, age: 3.9})).toEqual({
      value: {id: 7, name: '12', age: 3},
      left: [],
    });
    expect(read(int, 1e300)).toMatchObject({reason: expect.any(String)});
    expect(read(int, '1e3')).toMatchObject({reason: expect.any(String)});
  });

  test('of several shapes the one that fits, or of which most does', () => {
    const either = s.union([ints, s.array(record)]);
    expect(read(either, [1, 2])).toEqual({value: [1, 2], left: []});
    expect(read(either, [{id: 1, name: 'a'}, {id: 2}])).toEqual({
      value: [{id: 1, name: 'a'}],
      left: ['[1].name'],
    });
    expect(read(either, 'x')).toMatchObject({reason: expect.any(String)});
  });

  test('a list whose places mean something only as a whole', () => {
    expect(read(wholeArray(int), [1, 2])).toEqual({value: [1, 2], left: []});
    expect(read(wholeArray(int), [1, null])).toMatchObject({reason: expect.any(String)});
  });

  test('a key that would become a prototype is not taken', () => {
    const told = read(record, JSON.parse('{"id": 1, "name": "a", "__proto__": {"evil": true}}'));
    expect(Object.keys(told.value as object)).toEqual(['id', 'name']);
    expect(Reflect.get(told.value as object, 'evil')).toBeUndefined();
  });
});

test.each(exampleEvents.map((event) => [`${event.type} ${event.op ?? ''}`, event] as const))(
  'of what fits nothing is left out: %s',
  (_name, event) => {
    const told = decodeEvent(event, (oddity) => expect.fail(JSON.stringify(oddity)));
    if (told.type !== 'video_token') expect(told).toEqual(event);
  },
);
