import {expect, test} from 'vitest';
import {DeliveryRecords} from '#state/outbox/outbox-ledger.ts';
import {openTestStore, scratchFile} from '#test/storage/storage-fixture.ts';

test('delivery records: the latest hundred are kept, whichever process added them', () => {
  const path = scratchFile();
  const [first, second] = [path, path].map((file) => new DeliveryRecords(openTestStore(file).store.keyValues));
  for (let id = 1; id <= 102; id++) (id % 2 === 0 ? first : second)?.add(id, `entry ${id}`);
  expect([2, 3, 102].map((id) => first?.messageIdOf(`entry ${id}`))).toEqual([undefined, 3, 102]);
  expect([2, 3, 102].map((id) => second?.entryIdOf(id))).toEqual([undefined, 'entry 3', 'entry 102']);
  expect(first?.newestMessageId()).toBe(102);
});

test('delivery records: an entry has one message, the one recorded last', () => {
  const {store} = openTestStore(scratchFile());
  const records = new DeliveryRecords(store.keyValues);
  expect(records.newestMessageId()).toBe(-1);
  records.add(7, 'a');
  records.add(5, 'b');
  records.add(8, 'a');
  expect(records.messageIdOf('a')).toBe(8);
  expect(records.entryIdOf(7)).toBeUndefined();
  expect(records.newestMessageId()).toBe(8);
});

test('delivery records: what cannot be read is left out', () => {
  const {store} = openTestStore(scratchFile());
  const records = new DeliveryRecords(store.keyValues);
  for (const saved of ['{', '{}', '[[1, 2], ["3", "c"], [4, "d"], 5, null]']) {
    store.keyValues.set('outbox.arrivals', saved);
    expect(records.messageIdOf('c')).toBeUndefined();
  }
  expect(records.messageIdOf('d')).toBe(4);
});
