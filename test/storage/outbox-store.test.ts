import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {draft, entry, openTestStore, scratchFile} from './storage-fixture.ts';

test('outbox: entries are reopened in order', () => {
  const path = scratchFile();
  const first = openTestStore(path);
  const added = ['b', 'a', 'c'].map((id) => first.store.outbox.add(entry(id)));
  first.store.close();
  const {store} = openTestStore(path);
  expect(store.outbox.all()).toEqual(added);
  expect(store.outbox.all().map(({id}) => id)).toEqual(['b', 'a', 'c']);
});

test('outbox: positions are never reused, even of a removed last entry', () => {
  const {store} = openTestStore(scratchFile());
  const first = store.outbox.add(entry('a'));
  store.outbox.remove('a');
  expect(store.outbox.add(entry('b')).order).toBeGreaterThan(first.order);
});

test('outbox: adding an entry removes its draft', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(draft('d1'));
  store.drafts.put(draft('d2'));
  store.outbox.add(entry('a', {draftId: 'd1'}));
  expect(store.drafts.all()).toEqual([draft('d2')]);
  expect(store.outbox.all()).toMatchObject([{id: 'a', draftId: 'd1'}]);
});

test('outbox: a draft that is on the server stays as deleted until it is removed there', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(draft('d1', {serverId: 9, status: 'clean'}));
  store.outbox.add(entry('a', {draftId: 'd1'}));
  expect(store.drafts.all()).toEqual([draft('d1', {serverId: 9, status: 'deleted'})]);
});

test('outbox: a draft that may have reached the server stays as deleted, too', () => {
  const {store} = openTestStore(scratchFile());
  const sent = {target: {kind: 'direct', userIds: [4, 5]}, content: 'draft d1', timestamp: 50} as const;
  store.drafts.put(draft('d1', {sent}));
  store.outbox.add(entry('a', {draftId: 'd1'}));
  expect(store.drafts.all()).toEqual([draft('d1', {sent, status: 'deleted'})]);
});

test('outbox: adding the same id again changes nothing', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  store.outbox.claim('a', {sentAt: 5, afterMessageId: 6});
  const again = store.outbox.add(entry('a', {content: 'another'}));
  expect(again).toMatchObject({status: 'sending', content: 'text of a'});
  expect(store.outbox.all()).toEqual([again]);
});

test('outbox: a claim records the time, the newest message and the owner', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  const claimed = store.outbox.claim('a', {sentAt: 5, afterMessageId: 6});
  expect(claimed).toMatchObject({id: 'a', status: 'sending', sentAt: 5, afterMessageId: 6});
  expect(claimed?.owner).toMatch(/^\d+-[0-9a-f]{16}$/);
  expect(store.outbox.all()).toEqual([claimed]);
});

test.each(['sending', 'sent', 'unconfirmed', 'failed', 'held'] as const)('outbox: %s cannot be claimed', (status) => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  store.outbox.update('a', ['queued'], {status});
  expect(store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
  expect(store.outbox.claim('no such id', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
});

test('outbox: of two stores, one gets the entry', () => {
  const path = scratchFile();
  const [first, second] = [openTestStore(path), openTestStore(path)];
  first.store.outbox.add(entry('a'));
  expect(second.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})?.status).toBe('sending');
  expect(first.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
});

test('outbox: an update applies only to the listed statuses', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  expect(store.outbox.update('a', ['sending', 'sent'], {status: 'failed'})).toBeUndefined();
  expect(store.outbox.all()).toMatchObject([{status: 'queued'}]);
  store.outbox.claim('a', {sentAt: 1, afterMessageId: 1});
  const sent = store.outbox.update('a', ['sending'], {status: 'sent', messageId: 77});
  expect(sent).toMatchObject({status: 'sent', messageId: 77, owner: undefined, sentAt: 1});
  expect(store.outbox.update('gone', ['queued'], {status: 'sent'})).toBeUndefined();
});

test('outbox: a patch writes its fields, even undefined ones, and no others', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  store.outbox.update('a', ['queued'], {status: 'failed', problem: 'Too long.', messageId: 3});
  const conversation = {kind: 'direct', userIds: [2]} as const;
  const patched = store.outbox.update('a', ['failed'], {
    status: 'queued',
    problem: undefined,
    content: 'shorter',
    conversation,
    createdAt: 9,
  });
  expect(patched).toMatchObject({
    status: 'queued',
    problem: undefined,
    messageId: 3,
    content: 'shorter',
    conversation,
    createdAt: 9,
  });
  expect(store.outbox.all()).toEqual([patched]);
  expect(store.outbox.update('a', ['queued'], {})).toEqual(patched);
});

test('outbox: an entry becomes a draft in one step, from the listed statuses only', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  expect(store.outbox.toDraft('a', ['failed'], draft('d'))).toBe(false);
  expect(store.drafts.all()).toEqual([]);
  expect(store.outbox.toDraft('a', ['queued'], draft('d'))).toBe(true);
  expect(store.outbox.all()).toEqual([]);
  expect(store.drafts.all()).toEqual([draft('d')]);
});

test('outbox: entries in flight when a process closes are adopted once', () => {
  const path = scratchFile();
  const [first, second, three] = [openTestStore(path), openTestStore(path), openTestStore(path)];
  for (const id of ['a', 'b', 'c']) first.store.outbox.add(entry(id));
  first.store.outbox.claim('a', {sentAt: 1, afterMessageId: 10});
  second.store.outbox.claim('b', {sentAt: 1, afterMessageId: 10});
  expect(second.store.outbox.adoptOrphans()).toEqual([]);
  first.store.close();
  const adopted = second.store.outbox.adoptOrphans();
  expect(adopted).toMatchObject([{id: 'a', status: 'sending', afterMessageId: 10}]);
  expect(second.store.outbox.adoptOrphans()).toEqual([]);
  expect(three.store.outbox.adoptOrphans()).toEqual([]);
  expect(three.store.outbox.all()).toMatchObject([{owner: adopted[0]?.owner}, {owner: adopted[0]?.owner}, {id: 'c'}]);
});

test('outbox: an entry in flight without an owner is adopted', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  store.outbox.claim('a', {sentAt: 1, afterMessageId: 10});
  const raw = new Database(path);
  raw.run('UPDATE outbox SET owner = NULL');
  raw.close();
  expect(store.outbox.adoptOrphans()).toMatchObject([{id: 'a', status: 'sending', owner: expect.any(String)}]);
  expect(store.outbox.adoptOrphans()).toEqual([]);
});

test('outbox: texts of every kind are preserved', () => {
  const path = scratchFile();
  const content = 'nul \0, quote \' ", 日本語 🎉, newline \n end';
  const conversation = {kind: 'topic', channelId: 3, topic: 'it\'s "quoted" \\ 話題'} as const;
  const first = openTestStore(path);
  first.store.outbox.add(entry('a', {content, conversation}));
  first.store.close();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{content, conversation}]);
});

test('outbox: an in-memory store supports all operations', () => {
  const {store, notice} = openTestStore(':memory:');
  store.drafts.put(draft('d'));
  store.outbox.add(entry('a', {draftId: 'd'}));
  expect(store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})?.id).toBe('a');
  expect(store.drafts.all()).toEqual([]);
  expect(notice).toBeUndefined();
});

test('store: after closing, writing user data is refused and cached data is dropped', () => {
  const {store} = openTestStore(scratchFile());
  store.close();
  store.close();
  expect(() => store.outbox.add(entry('a'))).toThrow(expect.objectContaining({name: 'StoreError', reason: 'closed'}));
  expect(() => store.drafts.put(draft('d'))).toThrow(expect.objectContaining({reason: 'closed'}));
  store.messages.save([]);
  expect(store.messages.newest(5)).toEqual([]);
});
