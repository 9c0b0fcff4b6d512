import fc from 'fast-check';
import {expect, test} from 'vitest';
import {PackedMap} from '#std/packed-map.ts';
import type {RecordFormat} from '#std/packed-records.ts';
import {fewOrAll} from '#test/support/tier.ts';

interface Boat {
  readonly id: number;
  readonly name: string;
}

const format: RecordFormat<Boat, 'name'> = {
  pack: ({name}) => [name],
  unpack: (id, json) => ({id, name: String((json as unknown[])[0])}),
  labels: {name: ({name}) => name},
};

function packed(boats: readonly Boat[], known?: PackedMap<Boat, 'name'>): PackedMap<Boat, 'name'> {
  return PackedMap.by(
    format,
    boats,
    ({id}) => id,
    (boat) => boat,
    known,
  );
}

/** Few names, so that several boats have the same one; some are not ASCII, and one is not well-formed. */
const name = fc.constantFrom('Ida', 'ida', 'Möwe', '海斗', '', '"],["', 'a\nb', '\ud800');
const id = fc.integer({min: 0, max: 60});
const boats = fc.array(fc.record({id, name}), {maxLength: 80});
const changes = fc.array(fc.tuple(id, fc.option(name)), {maxLength: 30});

type Change = readonly [number, string | null];

function changed(map: PackedMap<Boat, 'name'>, script: readonly Change[]): PackedMap<Boat, 'name'> {
  return script.reduce((before, [key, to]) => {
    return to === null ? before.without(key) : before.with(key, {id: key, name: to});
  }, map);
}

function plainMap(list: readonly Boat[], script: readonly Change[]): Map<number, Boat> {
  const plain = new Map(list.map((boat) => [boat.id, boat]));
  for (const [key, to] of script) {
    if (to === null) plain.delete(key);
    else plain.set(key, {id: key, name: to});
  }
  return new Map([...plain].sort(([a], [b]) => a - b));
}

test('PackedMap: after any changes it contains the same as a plain map, sorted', () => {
  fc.assert(
    fc.property(boats, changes, (list, script) => {
      const [map, plain] = [changed(packed(list), script), plainMap(list, script)];
      expect([...map]).toEqual([...plain]);
      expect([...map.keys()]).toEqual([...plain.keys()]);
      expect([...map.values()]).toEqual([...plain.values()]);
      expect(map.size).toBe(plain.size);
      for (let key = 0; key <= 60; key++) {
        expect(map.get(key)).toEqual(plain.get(key));
        expect(map.has(key)).toBe(plain.has(key));
      }
      for (const text of ['Ida', 'Möwe', '"],["', '\ud800', 'nobody']) {
        const found = [...map.labelled('name', text)].map((boat) => boat.id).sort((a, b) => a - b);
        expect(found).toEqual([...plain.values()].flatMap((boat) => (boat.name === text ? [boat.id] : [])));
      }
    }),
    {numRuns: 100},
  );
});

test('PackedMap: an edit sees its own changes', () => {
  const map = packed([{id: 1, name: 'Ida'}]).edit((draft) => {
    expect(draft.delete(2)).toBe(false);
    draft.set(2, {id: 2, name: 'Möwe'});
    expect([draft.has(2), draft.get(2)?.name]).toEqual([true, 'Möwe']);
    expect([draft.delete(1), draft.has(1), draft.get(1)]).toEqual([true, false, undefined]);
  });
  expect([...map.keys()]).toEqual([2]);
  expect(map.size).toBe(1);
});

test('PackedMap: changesSince visits exactly the keys whose values differ', () => {
  fc.assert(
    fc.property(boats, boats, changes, changes, fc.boolean(), (list, other, first, second, isDerived) => {
      const before = changed(packed(list), first);
      const after = isDerived ? changed(before, second) : changed(packed(other), second);
      const expected = new Map<number, unknown>();
      for (let key = 0; key <= 60; key++) {
        const [now, then] = [after.get(key), before.get(key)];
        if (now?.name !== then?.name) expected.set(key, [now, then]);
      }
      const visited = new Map<number, unknown>();
      after.changesSince(before, (key, now, then) => {
        expect(visited.has(key)).toBe(false);
        visited.set(key, [now, then]);
      });
      expect(visited.size).toBe(expected.size);
      for (const [key, pair] of expected) expect(visited.get(key)).toEqual(pair);
    }),
    {numRuns: fewOrAll(50, 200)},
  );
});

test('PackedMap: a saved map is restored with its changes, and finds the same values', () => {
  fc.assert(
    fc.property(boats, changes, name, (list, script, text) => {
      const map = changed(packed(list), script);
      const restored = PackedMap.fromText(format, Buffer.from(map.toBytes()).toString());
      expect([...(restored ?? [])]).toEqual([...map]);
      expect(restored?.size).toBe(map.size);
      expect([...(restored?.labelled('name', text) ?? [])]).toEqual([...map.labelled('name', text)]);
    }),
    {numRuns: 100},
  );
});

test('PackedMap: a text that was not saved by a map is refused', () => {
  const text = Buffer.from(packed([{id: 1, name: 'Ida'}]).toBytes()).toString();
  expect(PackedMap.fromText(format, text)?.size).toBe(1);
  const others = ['', '\n', '{', 'null\n', '[]\n', '{"columns":null,"changes":[]}\n', '{"columns":{},"changes":[]}\nx'];
  for (const other of [...others, text.slice(0, -1), `${text} `]) {
    expect(PackedMap.fromText(format, other), other).toBeUndefined();
  }
});

test('PackedMap: equal values give the known map, others a new one', () => {
  const list = Array.from({length: 50}, (_, at) => ({id: at, name: `Boat ${at}`}));
  const known = packed(list);
  expect(packed(list.toReversed(), known)).toBe(known);
  const renamed = known.with(3, {id: 3, name: 'Ida'});
  expect(packed(list, renamed).get(3)?.name).toBe('Boat 3');
  expect(packed([...renamed.values()], known).get(3)?.name).toBe('Ida');
  expect(packed(list.slice(1), known).size).toBe(49);
});

test('PackedMap: a value that was read stays the same object while others change', () => {
  const map = packed(Array.from({length: 50}, (_, at) => ({id: at, name: `Boat ${at}`})));
  const read = map.get(7);
  expect(map.with(8, {id: 8, name: 'Ida'}).get(7)).toBe(read);
  expect([...map.values()][7]).toBe(read);
});

test('PackedMap: restoring unpacks nothing, and a lookup by key or label only a small part', () => {
  let unpacked = 0;
  const counting: typeof format = {
    ...format,
    unpack(key, json) {
      unpacked += 1;
      return format.unpack(key, json);
    },
  };
  const list = Array.from({length: 2000}, (_, at) => ({id: at, name: `Boat ${at}`}));
  const map = PackedMap.fromText(counting, Buffer.from(packed(list).toBytes()).toString());
  expect([map?.size, map?.has(1999), unpacked]).toEqual([2000, true, 0]);
  expect(map?.get(1000)?.name).toBe('Boat 1000');
  expect([...(map?.labelled('name', 'Boat 3') ?? [])]).toEqual([{id: 3, name: 'Boat 3'}]);
  expect(unpacked).toBeLessThan(100);
});
