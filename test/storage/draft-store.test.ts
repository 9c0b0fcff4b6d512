import {expect, test} from 'vitest';
import type {LocalDraft} from '#state/model/draft.ts';
import {draft, openTestStore, scratchFile} from './storage-fixture.ts';

const shared = draft('d', {
  serverId: 4,
  status: 'clean',
  base: {target: {kind: 'topic', channelId: 2, topic: 't'}, content: 'before', timestamp: 50},
});

test('drafts: reopened in the order of creation', () => {
  const path = scratchFile();
  const first = openTestStore(path);
  first.store.drafts.put(shared);
  first.store.drafts.put(draft('e', {target: {kind: 'none', topic: ''}}));
  first.store.drafts.put({...shared, content: 'later'});
  first.store.close();
  const {store} = openTestStore(path);
  expect(store.drafts.all()).toStrictEqual([
    {...shared, content: 'later'},
    draft('e', {target: {kind: 'none', topic: ''}}),
  ]);
});

test('drafts: of two processes that replace the same draft, only the first succeeds', () => {
  const path = scratchFile();
  const [first, second] = [openTestStore(path), openTestStore(path)];
  first.store.drafts.put(shared);
  expect(first.store.drafts.replace(shared, {...shared, content: 'one'})).toBe(true);
  expect(second.store.drafts.replace(shared, {...shared, content: 'two'})).toBe(false);
  expect(second.store.drafts.replace(shared, undefined)).toBe(false);
  expect(second.store.drafts.all()).toEqual([{...shared, content: 'one'}]);
});

test('drafts: a replaced draft keeps its place', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(shared);
  store.drafts.put(draft('e'));
  expect(store.drafts.replace(shared, {...shared, content: 'later'})).toBe(true);
  expect(store.drafts.all()).toEqual([{...shared, content: 'later'}, draft('e')]);
});

test('drafts: replacing by undefined removes, and a removed draft cannot be replaced', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(shared);
  expect(store.drafts.replace(shared, undefined)).toBe(true);
  expect(store.drafts.all()).toEqual([]);
  expect(store.drafts.replace(shared, {...shared, content: 'again'})).toBe(false);
  expect(store.drafts.all()).toEqual([]);
});

test('drafts: comparison ignores the order of fields', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(shared);
  const shuffled = Object.fromEntries(Object.entries(shared).reverse()) as unknown as LocalDraft;
  expect(store.drafts.replace(shuffled, draft('f'))).toBe(true);
  expect(store.drafts.all()).toEqual([draft('f')]);
});
