import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {slowTest} from '#test/support/tier.ts';
import {channelMessage, directMessage, openTestStore, scratchFile} from './storage-fixture.ts';

test('messages: loaded exactly as they were saved', () => {
  const path = scratchFile();
  const messages = [
    channelMessage(1, {
      reactions: [{emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji', userId: 3}],
      topicLinks: [{text: '#1', url: 'https://example.com/1'}],
      editedAt: 5,
    }),
    directMessage(2, {
      submessages: [{id: 1, senderId: 7, type: 'widget', content: '{}'}],
      movedAt: undefined,
    }),
    directMessage(3, {conversationKey: 'd', userIds: [], names: {}}),
  ];
  const first = openTestStore(path);
  first.store.messages.save(messages);
  first.store.close();
  expect(openTestStore(path).store.messages.newest(10)).toStrictEqual(messages);
});

test('messages: a conversation is read from its newest, page by page, ascending', () => {
  const {store} = openTestStore(scratchFile());
  store.messages.save(Array.from({length: 10}, (_, index) => channelMessage(index + 1)));
  store.messages.save([directMessage(11), channelMessage(12, {conversationKey: 'c1:dinner'})]);
  const ids = (limit: number, before?: number) =>
    store.messages.ofConversation('c1:lunch', limit, before).map(({id}) => id);
  expect(ids(3)).toEqual([8, 9, 10]);
  expect(ids(3, 8)).toEqual([5, 6, 7]);
  expect(ids(100, 3)).toEqual([1, 2]);
  expect(ids(0)).toEqual([]);
  expect(store.messages.ofConversation('c2:lunch', 5)).toEqual([]);
});

test('messages: a moved message is found in its new conversation only', () => {
  const {store} = openTestStore(scratchFile());
  store.messages.save([channelMessage(1)]);
  const moved = channelMessage(1, {conversationKey: 'c1:dinner', topic: 'dinner'});
  store.messages.save([moved]);
  expect(store.messages.ofConversation('c1:lunch', 5)).toEqual([]);
  expect(store.messages.ofConversation('c1:dinner', 5)).toEqual([moved]);
  expect(store.messages.search('lunch', 5)).toEqual([]);
  expect(store.messages.search('dinner', 5)).toEqual([moved]);
});

test('messages: loaded by id, ascending, where they exist', () => {
  const {store} = openTestStore(scratchFile());
  store.messages.save([channelMessage(1), channelMessage(2), channelMessage(3)]);
  expect(store.messages.byIds([3, 9, 1, 3]).map(({id}) => id)).toEqual([1, 3]);
  expect(store.messages.byIds([])).toEqual([]);
});

test('messages: removed ones are gone from every query', () => {
  const {store} = openTestStore(scratchFile());
  store.messages.save([channelMessage(1), channelMessage(2)]);
  store.messages.remove([1, 99]);
  expect(store.messages.newest(5).map(({id}) => id)).toEqual([2]);
  expect(store.messages.search('message', 5).map(({id}) => id)).toEqual([2]);
});

test('messages: the oldest are evicted beyond the limit', () => {
  const path = scratchFile();
  const {store} = openTestStore(path, {maxMessages: 50});
  store.messages.save(Array.from({length: 40}, (_, index) => channelMessage(100 + index)));
  store.messages.save(Array.from({length: 40}, (_, index) => channelMessage(120 + index)));
  const savedIds = store.messages.newest(1000).map(({id}) => id);
  expect(savedIds).toEqual(Array.from({length: 50}, (_, index) => 110 + index));
  // Older than all saved ones: not kept.
  store.messages.save([channelMessage(5)]);
  expect(store.messages.newest(1000).map(({id}) => id)).toEqual(savedIds);
  store.messages.remove([150]);
  store.messages.save([channelMessage(6)]);
  expect(store.messages.newest(1000)[0]?.id).toBe(6);
  expect(store.messages.search('message', 1000)).toHaveLength(50);
  // A smaller limit takes effect with the next save.
  const smaller = openTestStore(path, {maxMessages: 3});
  smaller.store.messages.save([channelMessage(200)]);
  expect(smaller.store.messages.newest(1000).map(({id}) => id)).toEqual([158, 159, 200]);
});

slowTest('messages: ten thousand are saved, replaced and searched', () => {
  const {store, log} = openTestStore(scratchFile());
  const messages = Array.from({length: 10_000}, (_, index) =>
    channelMessage(index + 1, {
      content: `${index} quick brown foxes jump over ${index % 97} lazy dogs and ${index % 13} sleeping cats near the river`,
      conversationKey: `c1:${index % 50}`,
    }),
  );
  store.messages.save(messages);
  store.messages.save(messages.map((message) => ({...message, flags: ['read', 'starred']})));
  expect(store.messages.search('sleeping ca', 20)).toHaveLength(20);
  expect(store.messages.byIds([7])[0]?.flags).toEqual(['read', 'starred']);
  expect(log).toEqual([]);
});

test('messages: removed ones leave the index gradually, and re-added ones stay in it', () => {
  const path = scratchFile();
  const {store} = openTestStore(path, {maxMessages: 300});
  const batch = (first: number, count: number) =>
    store.messages.save(Array.from({length: count}, (_, index) => channelMessage(first + index)));
  const raw = new Database(path, 'read');
  const indexed = () => raw.number("SELECT count(*) FROM message_text WHERE message_text MATCH 'message'");
  batch(1000, 300);
  batch(2000, 300);
  expect(indexed()).toBe(500);
  expect(store.messages.search('message', 1000).map(({id}) => id)).toEqual(
    Array.from({length: 300}, (_, index) => 2299 - index),
  );
  // Message 1299 is removed but still in the index; it is added again before its removal there.
  store.messages.remove([2000, 2150]);
  batch(1299, 1);
  batch(2150, 1);
  for (let id = 3000; id < 3010; id++) batch(id, 1);
  expect(indexed()).toBe(300);
  expect(store.messages.search('message', 1000)).toHaveLength(300);
  expect(store.messages.search('message', 1000).map(({id}) => id)).toContain(2150);
  store.messages.save([channelMessage(3000, {content: 'changed'})]);
  expect(store.messages.search('message', 1000)).toHaveLength(299);
  expect(store.messages.search('changed', 1000)).toHaveLength(1);
  raw.close();
});

test.each([
  ['not JSON', '{"id":1,'],
  ['not an object', '[1]'],
  ['stored under another id', JSON.stringify(channelMessage(2))],
  ['invalid in the type of a field', JSON.stringify({...channelMessage(1), content: 5})],
  ['missing a field', JSON.stringify({...channelMessage(1), flags: undefined})],
  ['of an unknown kind', JSON.stringify({...channelMessage(1), kind: 'carrier pigeon'})],
])('messages: a stored message that is %s is skipped and removed', (_, body) => {
  const path = scratchFile();
  const {store, log} = openTestStore(path);
  store.messages.save([channelMessage(1), channelMessage(3)]);
  const raw = new Database(path);
  raw.run('UPDATE message SET body = ? WHERE id = 1', body);
  expect(store.messages.ofConversation('c1:lunch', 10).map(({id}) => id)).toEqual([3]);
  expect(raw.number('SELECT count(*) FROM message')).toBe(1);
  expect(store.messages.search('message', 5).map(({id}) => id)).toEqual([3]);
  raw.close();
  expect(log).toEqual([]);
});

test('messages: those of one channel are removed from disk and from the search index', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const inChannel = (id: number, channelId: number, topic: string) =>
    channelMessage(id, {channelId, topic, conversationKey: `c${channelId}:${topic}`, content: `secret ${id}`});
  store.messages.save([
    inChannel(1, 2, 'a'),
    inChannel(2, 2, 'b'),
    inChannel(3, 20, 'a'),
    inChannel(4, 3, ''),
    directMessage(5),
  ]);
  expect(store.messages.channelIds().toSorted((a, b) => a - b)).toEqual([2, 3, 20]);
  store.messages.removeChannel(2);
  expect(store.messages.channelIds().toSorted((a, b) => a - b)).toEqual([3, 20]);
  expect(store.messages.newest(9).map(({id}) => id)).toEqual([3, 4, 5]);
  expect(store.messages.search('secret', 9).map(({id}) => id)).toEqual([4, 3]);
  store.close();
  const db = new Database(path);
  expect(db.all('SELECT rowid FROM message_text').map(({rowid}) => rowid)).toEqual([3, 4, 5]);
  db.close();
});

test('messages: facts are saved with a message and deleted with it; malformed ones are dropped', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const facts = {isRendered: true, users: {ada: 5}, previews: [{url: 'https://t.example', title: 'Tides'}]};
  store.messages.save([
    {...channelMessage(1), facts},
    {...channelMessage(2), facts},
  ]);
  expect(store.messages.byIds([1])[0]?.facts).toEqual(facts);
  const raw = new Database(path);
  raw.run('UPDATE message SET body = ? WHERE id = 2', JSON.stringify({...channelMessage(2), facts: {previews: 5}}));
  raw.close();
  expect(store.messages.byIds([2])).toEqual([channelMessage(2)]);
  store.messages.remove([1]);
  store.messages.save([channelMessage(1)]);
  expect(store.messages.byIds([1])).toEqual([channelMessage(1)]);
});

test('messages: those of a lost channel leave the index at once, however many they are', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const ofChannel = (id: number, channelId: number) =>
    channelMessage(id, {channelId, conversationKey: `c${channelId}:dinner`});
  store.messages.save(Array.from({length: 250}, (_, at) => ofChannel(at + 1, at < 240 ? 1 : 10)));
  store.messages.removeChannel(1);
  const raw = new Database(path, 'read');
  expect(raw.number("SELECT count(*) FROM message_text WHERE message_text MATCH 'message'")).toBe(10);
  raw.close();
  expect(store.messages.channelIds()).toEqual([10]);
});
