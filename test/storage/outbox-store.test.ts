import {expect, test} from 'vitest';
import {draft, entry, openTestStore, scratchFile} from './storage-fixture.ts';

test('what was added is there, in order, when the file is opened again', () => {
  const path = scratchFile();
  const first = openTestStore(path);
  const added = ['b', 'a', 'c'].map((id) => first.store.outbox.add(entry(id)));
  first.store.close();
  const {store} = openTestStore(path);
  expect(store.outbox.all()).toEqual(added);
  expect(store.outbox.all().map(({id}) => id)).toEqual(['b', 'a', 'c']);
});

test('an entry keeps its place for good: a removed last place is not given again', () => {
  const {store} = openTestStore(scratchFile());
  const first = store.outbox.add(entry('a'));
  store.outbox.remove('a');
  expect(store.outbox.add(entry('b')).order).toBeGreaterThan(first.order);
});

test('an entry takes the place of the draft it was written in', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(draft('d1'));
  store.drafts.put(draft('d2'));
  store.outbox.add(entry('a', {draftId: 'd1'}));
  expect(store.drafts.all()).toEqual([draft('d2')]);
  expect(store.outbox.all()).toMatchObject([{id: 'a', draftId: 'd1'}]);
});

test('a draft that the server has stays until it is gone there', () => {
  const {store} = openTestStore(scratchFile());
  store.drafts.put(draft('d1', {serverId: 9, status: 'clean'}));
  store.outbox.add(entry('a', {draftId: 'd1'}));
  expect(store.drafts.all()).toEqual([draft('d1', {serverId: 9, status: 'deleted'})]);
});

test('adding the same id again changes nothing', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  store.outbox.claim('a', {sentAt: 5, afterMessageId: 6});
  const again = store.outbox.add(entry('a', {content: 'another'}));
  expect(again).toMatchObject({status: 'sending', content: 'text of a'});
  expect(store.outbox.all()).toEqual([again]);
});

test('a claimed entry says when, after which message and by whom', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  const claimed = store.outbox.claim('a', {sentAt: 5, afterMessageId: 6});
  expect(claimed).toMatchObject({id: 'a', status: 'sending', sentAt: 5, afterMessageId: 6});
  expect(claimed?.owner).toMatch(/^\d+-[0-9a-f]{16}$/);
  expect(store.outbox.all()).toEqual([claimed]);
});

test.each(['sending', 'sent', 'unconfirmed', 'failed', 'held'] as const)('%s cannot be claimed', (status) => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  store.outbox.update('a', ['queued'], {status});
  expect(store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
  expect(store.outbox.claim('no such id', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
});

test('of two stores one gets the entry', () => {
  const path = scratchFile();
  const [one, two] = [openTestStore(path), openTestStore(path)];
  one.store.outbox.add(entry('a'));
  expect(two.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})?.status).toBe('sending');
  expect(one.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
});

test('an update happens only from the statuses named', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  expect(store.outbox.update('a', ['sending', 'sent'], {status: 'failed'})).toBeUndefined();
  expect(store.outbox.all()).toMatchObject([{status: 'queued'}]);
  store.outbox.claim('a', {sentAt: 1, afterMessageId: 1});
  const sent = store.outbox.update('a', ['sending'], {status: 'sent', messageId: 77});
  expect(sent).toMatchObject({status: 'sent', messageId: 77, owner: undefined, sentAt: 1});
  expect(store.outbox.update('gone', ['queued'], {status: 'sent'})).toBeUndefined();
});

test('a patch writes the fields it has, also when they are undefined, and no others', () => {
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

test('an entry becomes a draft in one step, from the statuses named only', () => {
  const {store} = openTestStore(scratchFile());
  store.outbox.add(entry('a'));
  expect(store.outbox.toDraft('a', ['failed'], draft('d'))).toBe(false);
  expect(store.drafts.all()).toEqual([]);
  expect(store.outbox.toDraft('a', ['queued'], draft('d'))).toBe(true);
  expect(store.outbox.all()).toEqual([]);
  expect(store.drafts.all()).toEqual([draft('d')]);
});

test('what a program was sending when it closed is for the others, once', () => {
  const path = scratchFile();
  const [one, two, three] = [openTestStore(path), openTestStore(path), openTestStore(path)];
  for (const id of ['a', 'b', 'c']) one.store.outbox.add(entry(id));
  one.store.outbox.claim('a', {sentAt: 1, afterMessageId: 10});
  two.store.outbox.claim('b', {sentAt: 1, afterMessageId: 10});
  expect(two.store.outbox.adoptOrphans()).toEqual([]);
  one.store.close();
  const adopted = two.store.outbox.adoptOrphans();
  expect(adopted).toMatchObject([{id: 'a', status: 'sending', afterMessageId: 10}]);
  expect(two.store.outbox.adoptOrphans()).toEqual([]);
  expect(three.store.outbox.adoptOrphans()).toEqual([]);
  expect(three.store.outbox.all()).toMatchObject([
    {owner: adopted[0]?.owner},
    {owner: adopted[0]?.owner},
    {id: 'c'},
  ]);
});

test('texts of every kind come back as they were', () => {
  const path = scratchFile();
  const content = 'nul \0, quote \' ", 日本語 🎉, newline \n end';
  const conversation = {kind: 'topic', channelId: 3, topic: 'it\'s "quoted" \\ 話題'} as const;
  const one = openTestStore(path);
  one.store.outbox.add(entry('a', {content, conversation}));
  one.store.close();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{content, conversation}]);
});

test('a store in memory does all of it', () => {
  const {store, notice} = openTestStore(':memory:');
  store.drafts.put(draft('d'));
  store.outbox.add(entry('a', {draftId: 'd'}));
  expect(store.outbox.claim('a', {sentAt: 1, afterMessageId: 1})?.id).toBe('a');
  expect(store.drafts.all()).toEqual([]);
  expect(notice).toBeUndefined();
});

test('after closing, what a person wrote is refused and what is only cached is dropped', () => {
  const {store} = openTestStore(scratchFile());
  store.close();
  store.close();
  expect(() => store.outbox.add(entry('a'))).toThrow(
    expect.objectContaining({name: 'StoreError', trouble: 'closed'}),
  );
  expect(() => store.drafts.put(draft('d'))).toThrow(expect.objectContaining({trouble: 'closed'}));
  store.messages.save([]);
  expect(store.messages.newest(5)).toEqual([]);
});
