import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const channel = server.people.channel('kitchen', [meg]);
  return {clock, server, meg, otto, channel, client: server.as(meg)};
}

const missing = {code: 'BAD_REQUEST', status: 404};
const bad = {code: 'BAD_REQUEST'};
const loose = {type: '', to: [], topic: '', content: 'unaddressed'};

test('drafts: drafts are stored and listed with the oldest edit first', async () => {
  const {client, channel, otto} = await setup();
  const drafts = [
    {type: 'stream', to: [channel], topic: 'lunch', content: 'soup', timestamp: 100},
    {type: 'private', to: [otto.id], topic: 'ignored', content: 'hello', timestamp: 300},
    {type: '', to: [otto.id], topic: 'ignored', content: 'to nobody', timestamp: 200},
  ];
  const {ids} = await client.post('/drafts', {drafts});
  expect(ids).toHaveLength(3);
  const [first, second, third] = ids;
  const reply = await client.get('/drafts');
  expect(reply.count).toBe(3);
  expect(reply.drafts).toEqual([
    {id: first, type: 'stream', to: [channel], topic: 'lunch', content: 'soup', timestamp: 100},
    {id: third, type: '', to: [], topic: '', content: 'to nobody', timestamp: 200},
    {id: second, type: 'private', to: [otto.id], topic: '', content: 'hello', timestamp: 300},
  ]);
});

test('drafts: a missing time is set by the server and fractions of seconds are dropped', async () => {
  const {client, clock} = await setup();
  await client.post('/drafts', {drafts: [loose, {...loose, timestamp: null}, {...loose, timestamp: 12.9}]});
  const {drafts} = await client.get('/drafts');
  const now = clock.seconds();
  expect(drafts.map((draft: {timestamp: number}) => draft.timestamp)).toEqual([12, now, now]);
});

test('drafts: the text is stripped on both sides and the topic is not', async () => {
  const {client, channel} = await setup();
  const draft = {type: 'stream', to: [channel], topic: ' half ', content: ' \t\n    code\n  more \n', timestamp: 1};
  const {ids} = await client.post('/drafts', {drafts: [draft]});
  const stored = {...draft, id: ids[0], content: 'code\n  more'};
  expect((await client.get('/drafts')).drafts).toEqual([stored]);
  const queue = await client.listen();
  await client.patch(`/drafts/${ids[0]}`, {draft: {...draft, content: '  other'}});
  expect(await queue.events()).toMatchObject([{op: 'update', draft: {...stored, content: 'other'}}]);
});

test('drafts: turning synchronization off deletes the drafts without events', async () => {
  const {client} = await setup();
  await client.post('/drafts', {drafts: [loose]});
  const queue = await client.listen();
  await client.patch('/settings', {enable_drafts_synchronization: false});
  await client.patch('/settings', {enable_drafts_synchronization: true});
  expect((await client.get('/drafts')).drafts).toEqual([]);
  expect((await queue.events()).map(({type}) => type)).toEqual(['user_settings', 'user_settings']);
});

test('drafts: a direct draft lists the others once, in order, and the author only for notes to self', async () => {
  const {client, server, meg, otto} = await setup();
  const ann = server.people.member('Ann Another');
  const to = (...people: {id: number}[]) => ({...loose, type: 'private', to: people.map(({id}) => id)});
  await client.post('/drafts', {drafts: [to(ann, otto, meg, ann), to(meg), to()]});
  const {drafts} = await client.get('/drafts');
  expect(drafts).toMatchObject([
    {type: 'private', to: [otto.id, ann.id]},
    {type: 'private', to: [meg.id]},
    {type: '', to: []},
  ]);
});

test('drafts: a draft that is too long is cut', async () => {
  const {client, channel} = await setup();
  const long = {type: 'stream', to: [channel], topic: 't'.repeat(70), content: 'x'.repeat(10_001)};
  await client.post('/drafts', {drafts: [long]});
  const [draft] = (await client.get('/drafts')).drafts;
  expect(draft.topic).toBe(`${'t'.repeat(57)}...`);
  expect(draft.content).toHaveLength(10_000);
});

test('drafts: editing replaces every field of a draft', async () => {
  const {client, channel, clock} = await setup();
  const {ids} = await client.post('/drafts', {drafts: [{...loose, timestamp: 5}]});
  await client.patch(`/drafts/${ids[0]}`, {
    draft: {type: 'stream', to: [channel], topic: 'lunch', content: 'bread\n\n'},
  });
  expect((await client.get('/drafts')).drafts).toEqual([
    {id: ids[0], type: 'stream', to: [channel], topic: 'lunch', content: 'bread', timestamp: clock.seconds()},
  ]);
});

test('drafts: events go only to the author’s sessions', async () => {
  const {client, server, otto} = await setup();
  const own = await client.listen();
  const others = await server.as(otto).listen();
  const other = {...loose, content: 'another', timestamp: 7};
  const {ids} = await client.post('/drafts', {drafts: [{...loose, timestamp: 5}, other]});
  const [id, otherId] = ids;
  await client.patch(`/drafts/${id}`, {draft: {...loose, content: 'changed', timestamp: 6}});
  await client.delete(`/drafts/${id}`);
  expect(await own.events()).toEqual([
    {
      id: 0,
      type: 'drafts',
      op: 'add',
      drafts: [
        {...loose, id, timestamp: 5},
        {...other, id: otherId},
      ],
    },
    {id: 1, type: 'drafts', op: 'update', draft: {...loose, id, content: 'changed', timestamp: 6}},
    {id: 2, type: 'drafts', op: 'remove', draft_id: id},
  ]);
  expect(await others.events()).toEqual([]);
});

test.each([
  ['a channel draft without a channel', {type: 'stream', to: []}],
  ['a channel draft with two channels', {type: 'stream', to: [1, 2]}],
  ['an unknown channel', {type: 'stream', to: [999]}],
  ['an unknown person', {type: 'private', to: [999]}],
  ['empty content', {content: ' \n '}],
  ['a null byte in the content', {content: 'a\0b'}],
  ['a null byte in the topic', {type: 'stream', to: [1], topic: 'a\0b'}],
  ['a negative time', {timestamp: -1}],
  ['a time beyond all calendars', {timestamp: 1e300}],
  ['an unknown type', {type: 'carrier pigeon'}],
  ['a missing field', {topic: undefined}],
  ['recipients that are not ids', {to: ['meg']}],
])('drafts: %s is refused, in a new draft and in an edit', async (_what, fields) => {
  const {client} = await setup();
  const {ids} = await client.post('/drafts', {drafts: [loose]});
  await client.refused('POST', '/drafts', {drafts: [loose, {...loose, ...fields}]}, bad);
  await client.refused('PATCH', `/drafts/${ids[0]}`, {draft: {...loose, ...fields}}, bad);
  expect((await client.get('/drafts')).count).toBe(1);
});

test('drafts: a hidden private channel is refused as unknown', async () => {
  const {client, server, otto} = await setup();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  const draft = {type: 'stream', to: [secret], topic: 'x', content: 'y'};
  const {msg} = await client.refused('POST', '/drafts', {drafts: [draft]}, bad);
  expect(msg).toBe((await client.refused('POST', '/drafts', {drafts: [{...draft, to: [999]}]}, bad)).msg);
});

test('drafts: an unknown draft or another user’s is not found', async () => {
  const {client, server, otto} = await setup();
  const {ids} = await server.as(otto).post('/drafts', {drafts: [loose]});
  for (const id of [999, ids[0]]) {
    await client.refused('PATCH', `/drafts/${id}`, {draft: loose}, missing);
    await client.refused('DELETE', `/drafts/${id}`, {}, missing);
  }
  expect((await server.as(otto).get('/drafts')).count).toBe(1);
});

test('drafts: malformed JSON has its own error', async () => {
  const {client} = await setup();
  await client.refused('POST', '/drafts', {drafts: '[{'}, {code: 'BAD_REQUEST'});
  await client.refused('POST', '/drafts', {}, {code: 'REQUEST_VARIABLE_MISSING'});
});

test('drafts: with synchronization off every operation is refused and the registration has no drafts', async () => {
  const {server} = await setup();
  const person = server.people.add('Quiet Quinn', {settings: {enable_drafts_synchronization: false}});
  const client = server.as(person);
  await client.refused('GET', '/drafts', {}, bad);
  await client.refused('POST', '/drafts', {drafts: [loose]}, bad);
  await client.refused('PATCH', '/drafts/1', {draft: loose}, bad);
  await client.refused('DELETE', '/drafts/1', {}, bad);
  expect((await client.post('/register', {fetch_event_types: ['drafts']})).drafts).toEqual([]);
});

test('drafts: the registration has the newest thousand drafts', async () => {
  const {client, server, meg} = await setup();
  server.context.runAction(({db}) => {
    const sql = `INSERT INTO draft (user_id, type, recipients, topic, content, edited_at) VALUES (?, '', '[]', '', 'x', ?)`;
    for (let at = 0; at < 1001; at++) db.run(sql, meg.id, at);
  });
  const {drafts} = await client.post('/register', {fetch_event_types: ['drafts']});
  expect(drafts).toHaveLength(1000);
  expect(drafts[0].timestamp).toBe(1000);
  expect(drafts.at(-1).timestamp).toBe(1);
});
